"""Lower triangle of C = alpha (A Bᵀ + B Aᵀ) + beta C; the rest of C is neither read nor written."""
import numpy as np
import appy


#appyc: def syr2k(alpha: f64, beta: f64, C: f64[N, N], A: f64[N, M], B: f64[N, M])
@appy.jit
def syr2k(alpha, beta, C, A, B):
    """A worker for each row, which holds in one block of lanes."""
    N, M = A.shape
    #pragma parallel for
    for i in range(N):
        #pragma :i+1=>block(2048),single_block
        C[i, :i+1] *= beta
        for k in range(M):
            #pragma :i+1=>block(2048),single_block
            C[i, :i+1] += A[:i+1, k] * alpha * B[i, k] + B[:i+1, k] * alpha * A[i, k]


#appyc: def syr2k_plain(alpha: f64, beta: f64, C: f64[N, N], A: f64[N, M], B: f64[N, M])
def syr2k_plain(alpha, beta, C, A, B):
    """Plain NumPy, a row at a time."""
    for i in range(len(C)):
        C[i, :i+1] = beta * C[i, :i+1] + alpha * (A[:i+1] @ B[i] + B[:i+1] @ A[i])


SIZES = (0, 1, 2, 3, 7, 31, 33, 65)


def make_inputs(size, rng):
    return 1.5, 1.2, rng.random((size, size)), rng.random((size, size // 2 + 1)), rng.random((size, size // 2 + 1))


def reference(alpha, beta, C, A, B):
    product = np.einsum("ik,jk->ij", A, B)
    return np.tril(alpha * (product + product.T) + beta * C) + np.triu(C, 1)


if __name__ == "__main__":
    for function in (syr2k, syr2k_plain):
        inputs = make_inputs(30, np.random.default_rng(0))
        expected = reference(*inputs)
        function(*inputs)
        np.testing.assert_allclose(inputs[2], expected)
    print("syr2k: ok")
