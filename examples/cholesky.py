"""Cholesky factor L of a symmetric positive definite matrix, A = L Lᵀ, over A's lower triangle.

What stands above the diagonal is neither read nor written.
"""
import numpy as np
import appy


#appyc: def cholesky(A: f64[N, N])
@appy.jit
def cholesky(A):
    """Row by row. Each element needs those to its left and above: one worker runs all, its lanes share the products."""
    N = A.shape[0]
    #pragma sequential for
    for i in range(N):
        for j in range(i):
            #pragma :j=>reduce(sum)
            known = np.dot(A[i, :j], A[j, :j])
            A[i, j] = (A[i, j] - known) / A[j, j]
        #pragma :i=>reduce(sum)
        known = np.dot(A[i, :i], A[i, :i])
        A[i, i] = np.sqrt(A[i, i] - known)


#appyc: def cholesky_right(A: f64[N, N])
@appy.jit
def cholesky_right(A):
    """Column by column: a finished column is subtracted from all columns to its right, in parallel."""
    N = A.shape[0]
    for k in range(N):
        #pragma sequential for
        for once in range(1):
            A[k, k] = np.sqrt(A[k, k])
        #pragma parallel for simd
        for i in range(k + 1, N):
            A[i, k] = A[i, k] / A[k, k]
        #pragma parallel for
        for i in range(k + 1, N):
            #pragma simd
            for j in range(k + 1, i + 1):
                A[i, j] -= A[i, k] * A[j, k]


#appyc: def cholesky_plain(A: f64[N, N])
def cholesky_plain(A):
    """Row by row, in plain NumPy."""
    for i in range(A.shape[0]):
        for j in range(i):
            A[i, j] = (A[i, j] - A[i, :j] @ A[j, :j]) / A[j, j]
        A[i, i] = np.sqrt(A[i, i] - A[i, :i] @ A[i, :i])


SIZES = (0, 1, 2, 3, 7, 31, 33)


def make_inputs(size, rng):
    G = rng.random((size, size))
    return (np.tril(G @ G.T + size * np.eye(size)) + np.triu(rng.random((size, size)), 1),)


def reference(A):
    lower = np.tril(A)
    return np.linalg.cholesky(lower + np.tril(A, -1).T) + np.triu(A, 1)


if __name__ == "__main__":
    for function in (cholesky, cholesky_right, cholesky_plain):
        (A,) = make_inputs(30, np.random.default_rng(0))
        expected = reference(A)
        function(A)
        np.testing.assert_allclose(A, expected)
    print("cholesky: ok")
