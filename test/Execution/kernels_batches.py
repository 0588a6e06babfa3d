"""Products of batches and of several axes as CUDA: which become one matrix product, which are a loop. kernels_einsum.py has the rest."""
from __future__ import annotations

import numpy as np

TARGETS = ("emulated",)
SIZES = (0, 1, 5, 33)


def of_batches(a: f64[B, N, K], b: f64[B, K, M], c: f64[K, M]):
    return a @ b, a @ c, np.einsum("bij,bjk->bik", a, b)


def inputs_of_batches(size, rng):
    return rng.random((3, size, size + 1)), rng.random((3, size + 1, 2)), rng.random((size + 1, 2))


def of_joined_axes(a: f64[P, Q, K], b: f64[K, M], out: f64[P, M]):
    a[:] = np.reshape(np.reshape(a, (a.shape[0], a.shape[1], 1, a.shape[2])) @ b, a.shape)
    np.einsum("ijk,jkl->il", a, np.einsum("jk,kl->jkl", a[0], b), out=out)


def inputs_of_joined_axes(size, rng):
    return rng.random((4, 3, size)), rng.random((size, size)), rng.random((4, size))


def of_calls(A: f64[P, L, M, K], B: f64[P, L, N, K], C: f64[L, M, N], D: c128[L, M, N], E: f32[K, L, M]):
    """One call for all of a batch: axes side by side, in loops, transposed, of computed operands, one operand for all, parts of arrays."""
    four = np.einsum("abij,abkj->abik", A, B)
    heads = np.einsum("shd,thd->hst", E, E)
    for b in range(C.shape[0]):
        C[b] += A[0, b] @ B[0, b].T
    for b in range(C.shape[0]):
        for i in range(C.shape[1]):
            for j in range(C.shape[2]):
                for k in range(B.shape[3]):
                    C[b, i, j] -= A[1, b, i, k] * B[1, b, j, k]
    D[1:-1] = 2.0 * D[1:-1] @ np.transpose(D[1:-1], (0, 2, 1)) @ D[1:-1] + D[1:-1]
    return four, heads, A[1, 0] @ np.transpose(B[1], (0, 2, 1))


def inputs_of_calls(size, rng):
    A, B, C = (rng.standard_normal(s) for s in ((2, 4, size, size + 3), (2, 4, size + 1, size + 3), (4, size, size + 1)))
    C[:, :1, 1:] = np.nan
    A[1, 2, :1] = np.inf
    return A, B, C, C[:, ::-1] + 1j, rng.standard_normal((size + 3, 4, size)).astype(np.float32)
