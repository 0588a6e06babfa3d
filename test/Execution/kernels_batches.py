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
