"""np.linalg as CUDA: a factorisation whose steps are kernels, and a matrix that has no result. test/Tables has all functions."""
from __future__ import annotations

import numpy as np

TARGETS = ("emulated",)
SIZES = (2, 5, 17)


def solved(a: f64[N, N], b: f64[N]):
    return np.linalg.solve(a, b)


def inputs_solved(size, rng):
    a = rng.random((size, size))
    a[:, size // 2 :: 9] = 0 if size == 17 else 1
    return a, rng.random(size)


def factored(z: c128[3, N, N]):
    return np.linalg.cholesky(z)


def inputs_factored(size, rng):
    z = rng.random((3, size, size)) + 1j * rng.random((3, size, size))
    return (z @ np.conj(np.swapaxes(z, 1, 2)) + np.eye(size),)
