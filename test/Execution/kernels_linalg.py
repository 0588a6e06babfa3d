"""np.linalg as CUDA: by cuSOLVER, by kernels where there are many matrices, and a matrix that has no result. test/Tables has all functions."""
from __future__ import annotations

import numpy as np

TARGETS = ("emulated",)
SIZES = (2, 5, 17, 66)


def solved(a: f64[N, N], b: f64[N]):
    return np.linalg.solve(a, b)


def inputs_solved(size, rng):
    a = rng.random((size, size))
    a[:, size // 2 : size // 2 + 9 : 9] = 0 if size == 17 else 1
    return a, rng.random(size)


def solved_for_many(z: c128[N, N], b: f64[N, M]):
    return np.linalg.solve(z, b[:, ::-1])


def inputs_solved_for_many(size, rng):
    return rng.random((size, size)) + 1j * rng.random((size, size)), rng.random((size, 3))


def rooted(a: f32[N, N], z: c128[N, N]):
    return np.linalg.cholesky(a), np.linalg.cholesky(z, upper=True), np.linalg.inv(z)


def inputs_rooted(size, rng):
    a = rng.random((size, size))
    z = a + 1j * rng.random((size, size))
    return (a @ a.T + size * np.eye(size)).astype(np.float32), z @ np.conj(z.T) + np.eye(size)


def solved_by_each(a: f64[K, N, N], b: f64[K, N]):
    x = np.zeros_like(b)
    #pragma parallel for
    for k in range(a.shape[0]):
        x[k] = np.linalg.solve(a[k], b[k])
    return x


def inputs_solved_by_each(size, rng):
    return rng.random((4, size, size)) + size * np.eye(size), rng.random((4, size))


def factored(z: c128[3, N, N]):
    return np.linalg.cholesky(z)


def inputs_factored(size, rng):
    z = rng.random((3, size, size)) + 1j * rng.random((3, size, size))
    return (z @ np.conj(np.swapaxes(z, 1, 2)) + np.eye(size),)
