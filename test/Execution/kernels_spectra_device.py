"""Eigenvalues and singular values as CUDA: one matrix is cuSOLVER's, small ones in a batch are threads', general ones the host's.
kernels_spectra.py has the rest."""
from __future__ import annotations

import numpy as np

TARGETS = ("emulated", "cuda")
SIZES = (1, 2, 5, 33)


def of_one(a: f64[N, N], b: f64[M, N]):
    w, v = np.linalg.eigh(a)
    s = np.linalg.svdvals(b)
    u, t, vh = np.linalg.svd(b)
    return w, (v * w) @ v.T, s, (u[:, : len(t)] * t) @ vh[: len(t)], u.T @ u, vh @ vh.T


def of_many(z: c128[K, N, N]):
    w, v = np.linalg.eigh(z)
    u, s, vh = np.linalg.svd(z[:, :, 1:], False)
    e = np.linalg.eigvals(z)
    return w, (v * w[:, None]) @ np.conj(v.swapaxes(1, 2)), s, (u * s[:, None]) @ vh, np.sum(e, axis=1)


def inputs_of_one(size, rng):
    a = rng.standard_normal((size, size))
    b = rng.standard_normal((size + 3, size))
    b[:, size // 2 :] = b[:, :1]
    return a + a.T, b


def inputs_of_many(size, rng):
    z = rng.standard_normal((6, size, size)) + 1j * rng.standard_normal((6, size, size))
    z[1] = 0
    z[2] = np.eye(size)
    return (z + np.conj(z.swapaxes(1, 2)),)
