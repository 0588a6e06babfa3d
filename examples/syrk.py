"""Lower triangle of C = alpha A Aᵀ + beta C; the rest of C is neither read nor written."""
import numpy as np
import appy


#appyc: def syrk(alpha: f64, beta: f64, C: f64[N, N], A: f64[N, M])
@appy.jit
def syrk(alpha, beta, C, A):
    """A worker for each row; `le` promises that a row is not longer than its block of lanes."""
    N, M = A.shape
    #pragma parallel for
    for i in range(N):
        #pragma :i+1=>le(2048)
        C[i, :i+1] *= beta
        for k in range(M):
            #pragma :i+1=>le(2048)
            C[i, :i+1] += alpha * A[i, k] * A[:i+1, k]


#appyc: def syrk_plain(alpha: f64, beta: f64, C: f64[N, N], A: f64[N, M])
def syrk_plain(alpha, beta, C, A):
    """Plain NumPy, a row at a time."""
    for i in range(len(C)):
        C[i, :i+1] = beta * C[i, :i+1] + alpha * (A[:i+1] @ A[i])


#appyc: def syrk_loop(alpha: f64, beta: f64, C: f64[N, N], A: f64[N, M])
def syrk_loop(alpha, beta, C, A):
    """Plain loops over the triangle."""
    N, M = A.shape
    for i in range(N):
        for j in range(i + 1):
            C[i, j] *= beta
            for k in range(M):
                C[i, j] += alpha * A[i, k] * A[j, k]


SIZES = (0, 1, 2, 3, 7, 31, 33, 65)


def make_inputs(size, rng):
    return 1.5, 1.2, rng.random((size, size)), rng.random((size, size // 2 + 1))


def reference(alpha, beta, C, A):
    return np.tril(alpha * np.einsum("ik,jk->ij", A, A) + beta * C) + np.triu(C, 1)


if __name__ == "__main__":
    for function in (syrk, syrk_plain, syrk_loop):
        inputs = make_inputs(30, np.random.default_rng(0))
        expected = reference(*inputs)
        function(*inputs)
        np.testing.assert_allclose(inputs[2], expected)
    print("syrk: ok")
