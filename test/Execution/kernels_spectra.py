"""Eigenvalues and singular values on the CPU: what does not depend on the signs of vectors. test/Tables has all functions and keywords."""
from __future__ import annotations

import numpy as np

TARGETS = ("cpu",)
SIZES = (1, 2, 3, 5, 17, 33)


def hermitian(a: c128[K, N, N], b: f64[N, N]):
    w, v = np.linalg.eigh(a)
    x, y = np.linalg.eigh(b, "U")
    return w, (v * w[:, None]) @ np.conj(v.swapaxes(1, 2)), np.conj(v.swapaxes(1, 2)) @ v, x, (y * x) @ y.T, y.T @ y, np.linalg.eigvalsh(b.T)


def singular(a: f64[K, M, N], z: c128[P, Q]):
    u, s, vh = np.linalg.svd(a, full_matrices=False)
    x, t, yh = np.linalg.svd(z)
    k = min(z.shape)
    return (s, (u * s[:, None]) @ vh, u.swapaxes(1, 2) @ u, vh @ vh.swapaxes(1, 2), t, (x[:, :k] * t) @ yh[:k], np.conj(x.T) @ x, yh @ np.conj(yh.T),
            np.linalg.svdvals(z.T))


def general(a: c128[K, N, N]):
    w, v = np.linalg.eig(a)
    residual = np.abs(a @ v - v * w[:, None])
    return np.sum(w, axis=1), np.sort(np.abs(np.linalg.eigvals(a)), axis=1), np.max(residual) < 1e-12 * np.max(np.abs(a)), np.sum(np.abs(v) ** 2, axis=1)


def least_squares(a: f64[M, N], b: f64[M, 2]):
    x, residuals, rank, s = np.linalg.lstsq(a, b, rcond=1e-10)
    return x, np.sum(residuals), rank, s, np.linalg.pinv(a, 1e-10), np.linalg.matrix_rank(a), np.linalg.norm(a, "nuc"), np.linalg.norm(a, 2)


def has_nan(a: f64[N, N]):
    a[0, 0] = np.nan
    return np.linalg.svd(a)


def special(rows, columns, rng):
    """Random, graded, of low rank, Hilbert's, of ones, zeros."""
    n = max(rows, columns)
    a = rng.standard_normal((rows, columns))
    hilbert = 1.0 / (np.arange(n)[:, None] + np.arange(n) + 1)
    return np.stack((a, a * np.logspace(8, -8, rows)[:, None] * np.logspace(8, -8, columns), a[:, :1] @ a[:1], hilbert[:rows, :columns],
                     np.ones((rows, columns)), a * 0, np.eye(rows, columns)))


def inputs_hermitian(size, rng):
    a = special(size, size, rng) * (1 + 0j)
    a[0] += 1j * rng.standard_normal((size, size))
    return a + np.conj(a.swapaxes(1, 2)), np.diag(np.arange(size) // 2.0) + 1e-9


def inputs_singular(size, rng):
    z = special(size + 2, size // 2 + 1, rng)
    return special(size, size // 2 + 1, rng), z[0] + 1j * z[2]


def inputs_general(size, rng):
    a = special(size, size, rng)[:3] + 0j
    a[1] = np.roll(np.eye(size), 1, 0)
    a[2] = np.triu(a[0] * 1j) + np.diag(np.arange(size))
    return (a,)


def inputs_least_squares(size, rng):
    a = rng.standard_normal((size, size // 2 + 2))
    if size > 3:
        a[:, 1] = a[:, 0]
    return a, rng.standard_normal((size, 2))


def inputs_has_nan(size, rng):
    return (rng.standard_normal((size, size)),)
