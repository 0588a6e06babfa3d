"""Gram-Schmidt orthogonalisation, A = Q R: Q has orthonormal columns, R is upper triangular.

The modified form: each finished column is at once subtracted from all later ones, in A itself.
"""
from __future__ import annotations

import numpy as np
import appy


@appy.jit
def gramschmidt(A: f64[M, N]) -> (f64[M, N], f64[N, N]):
    M, N = A.shape
    Q = np.zeros((M, N))
    R = np.zeros((N, N))
    square = np.zeros(N)
    for k in range(N):
        #pragma parallel for simd
        for i in range(M):
            #pragma atomic
            square[k] += A[i, k] * A[i, k]
        #pragma sequential for
        for once in range(1):
            R[k, k] = np.sqrt(square[k])
        #pragma parallel for simd
        for i in range(M):
            Q[i, k] = A[i, k] / R[k, k]
        #pragma parallel for
        for j in range(k + 1, N):
            #pragma :M=>simd,reduce(sum)
            along = np.dot(Q[:M, k], A[:M, j])
            R[k, j] = along
            #pragma :M=>simd
            A[:M, j] -= Q[:M, k] * along
    return Q, R


def gramschmidt_plain(A: f64[M, N]) -> (f64[M, N], f64[N, N]):
    """Plain NumPy."""
    Q = np.zeros_like(A)
    R = np.zeros((A.shape[1], A.shape[1]))
    for k in range(A.shape[1]):
        R[k, k] = np.sqrt(A[:, k] @ A[:, k])
        Q[:, k] = A[:, k] / R[k, k]
        for j in range(k + 1, A.shape[1]):
            R[k, j] = Q[:, k] @ A[:, j]
            A[:, j] -= Q[:, k] * R[k, j]
    return Q, R


SIZES = (0, 1, 2, 3, 7, 16, 33)


def make_inputs(size, rng):
    return (rng.random((2 * size + 1, size)) + np.eye(2 * size + 1, size),)


def reference(A):
    Q, R = np.linalg.qr(A)
    signs = np.sign(np.diag(R))
    return Q * signs, R * signs[:, None]


if __name__ == "__main__":
    for function in (gramschmidt, gramschmidt_plain):
        (A,) = make_inputs(20, np.random.default_rng(0))
        expected = reference(A)
        for value, wanted in zip(function(A), expected):
            np.testing.assert_allclose(value, wanted, atol=1e-12)
    print("gramschmidt: ok")
