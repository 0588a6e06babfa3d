"""Forward substitution: x with L x = b, L lower triangular; what L holds above the diagonal is never read."""
import numpy as np
import appy


#appyc: def trisolv(L: f64[N, N], x: f64[N], b: f64[N])
@appy.jit(auto_simd=True)
def trisolv(L, x, b):
    """Row by row: x[i] needs all before it, so one worker runs the rows; its lanes share the product."""
    N = x.shape[0]
    #pragma sequential for
    for i in range(N):
        #pragma :i=>reduce(sum)
        known = np.dot(L[i, :i], x[:i])
        x[i] = (b[i] - known) / L[i, i]


#appyc: def trisolv_columns(L: f64[N, N], x: f64[N], b: f64[N])
@appy.jit
def trisolv_columns(L, x, b):
    """Column by column: once x[k] is known, it is taken out of all later rows in parallel."""
    N = x.shape[0]
    #pragma :N=>parallel,simd
    x[:N] = b[:N]
    for k in range(N):
        #pragma sequential for
        for once in range(1):
            x[k] = x[k] / L[k, k]
        #pragma parallel for simd
        for i in range(k + 1, N):
            x[i] -= L[i, k] * x[k]


#appyc: def trisolv_plain(L: f64[N, N], x: f64[N], b: f64[N])
def trisolv_plain(L, x, b):
    """Row by row, in plain NumPy."""
    for i in range(len(x)):
        x[i] = (b[i] - L[i, :i] @ x[:i]) / L[i, i]


SIZES = (0, 1, 2, 3, 7, 31, 33, 129)


def make_inputs(size, rng):
    L = np.tril(rng.random((size, size)) + size * np.eye(size)) + np.triu(np.full((size, size), np.nan), 1)
    b = rng.random(size)
    b[:1] = 0
    return L, np.full(size, np.nan), b


def reference(L, b):
    return np.linalg.solve(np.tril(L), b)


if __name__ == "__main__":
    for function in (trisolv, trisolv_columns, trisolv_plain):
        L, x, b = make_inputs(50, np.random.default_rng(0))
        function(L, x, b)
        np.testing.assert_allclose(x, reference(L, b))
    print("trisolv: ok")
