"""y = alpha A x + beta B x: two matrix-vector products that read x together."""
import numpy as np
import appy


#appyc: def gesummv(alpha: f64, beta: f64, A: f64[M, N], B: f64[M, N], x: f64[N]) -> f64[M]
@appy.jit(auto_simd=True)
def gesummv(alpha, beta, A, B, x):
    """Two rows a worker (`block(2)`), columns reduced."""
    M, N = A.shape
    y = np.empty(M)
    second = np.empty(M)
    #pragma :M=>parallel,block(2) :N=>reduce(sum:y)
    y[:M] = alpha * A[:M, :N] @ x[:N]
    #pragma :M=>parallel,block(2) :N=>reduce(sum:second)
    second[:M] = beta * B[:M, :N] @ x[:N]
    #pragma :M=>parallel
    y[:M] += second[:M]
    return y


#appyc: def gesummv_plain(alpha: f64, beta: f64, A: f64[M, N], B: f64[M, N], x: f64[N]) -> f64[M]
def gesummv_plain(alpha, beta, A, B, x):
    """Plain NumPy: the two products may become one kernel."""
    return alpha * (A @ x) + beta * (B @ x)


def make_inputs(size, rng):
    return 1.5, 1.2, rng.random((size, size)), rng.random((size, size)), rng.random(size)


def reference(alpha, beta, A, B, x):
    return np.array([sum((alpha * a + beta * b) * v for a, b, v in zip(rowA, rowB, x)) for rowA, rowB in zip(A, B)])


if __name__ == "__main__":
    inputs = make_inputs(60, np.random.default_rng(0))
    for function in (gesummv, gesummv_plain):
        np.testing.assert_allclose(function(*inputs), reference(*inputs))
    print("gesummv: ok")
