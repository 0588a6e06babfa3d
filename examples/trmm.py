"""B = alpha Tᵀ B in place, T the unit lower triangle of A: below its diagonal of ones stand A's elements.

Row i of the result needs the old rows below i, so rows are finished from the top; columns are independent.
"""
import numpy as np
import appy


#appyc: def trmm(alpha: f64, A: f64[M, M], B: f64[M, N])
@appy.jit(auto_simd=True)
def trmm(alpha, A, B):
    M, N = B.shape
    for i in range(M):
        #pragma parallel for
        for j in range(N):
            #pragma i+1:M=>reduce(sum)
            below = np.dot(A[i+1:M, i], B[i+1:M, j])
            B[i, j] += below
    #pragma :M=>parallel :N=>parallel
    B[:M, :N] *= alpha


#appyc: def trmm_plain(alpha: f64, A: f64[M, M], B: f64[M, N])
def trmm_plain(alpha, A, B):
    """Plain NumPy: a row at a time."""
    for i in range(len(B)):
        B[i] += A[i + 1:, i] @ B[i + 1:]
    B *= alpha


#appyc: def trmm_loop(alpha: f64, A: f64[M, M], B: f64[M, N])
def trmm_loop(alpha, A, B):
    """Plain loops: of the outer two only the one over columns is parallel."""
    M, N = B.shape
    for i in range(M):
        for j in range(N):
            for k in range(i + 1, M):
                B[i, j] += A[k, i] * B[k, j]
            B[i, j] *= alpha


SIZES = (0, 1, 2, 3, 7, 31, 33, 65, 129)


def make_inputs(size, rng):
    A = np.tril(rng.random((size, size))) + np.triu(np.full((size, size), np.nan))
    return 1.5, A, rng.random((size, size // 2 + 1))


def reference(alpha, A, B):
    return alpha * (np.tril(A, -1) + np.eye(len(A))).T @ B


if __name__ == "__main__":
    for function in (trmm, trmm_plain, trmm_loop):
        alpha, A, B = make_inputs(30, np.random.default_rng(0))
        expected = reference(alpha, A, B)
        function(alpha, A, B)
        np.testing.assert_allclose(B, expected)
    print("trmm: ok")
