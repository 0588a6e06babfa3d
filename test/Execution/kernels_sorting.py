"""Sorts, which a library does: rows and columns, NaN of both signs, both zeros, complex numbers, in loops and branches of the host."""
from __future__ import annotations

import numpy as np

SIZES = (0, 1, 2, 7, 129)


def vectors(a: f64[N], k: i32[N]):
    ordered = np.argsort(k, kind="stable")
    return np.sort(a * 2.0), ordered, k[ordered], np.argsort(a, stable=True)


def batches(m: f32[M, N]):
    return np.sort(m), np.sort(m, axis=0), np.argsort(m, axis=1, stable=True)


def numbers(z: c128[N]):
    return np.sort(z), np.argsort(z, kind="stable")


def in_place(m: f32[M, N], a: f64[N]):
    m.sort()
    if m.shape[0] > 2:
        a.sort()
    return m


def in_loops(m: f32[M, N], out: f32[M]):
    for i in range(m.shape[0]):
        row = np.sort(m[i])
        out[i] = row[m.shape[1] // 2] if m.shape[1] > 0 else 0.0
    x = m[:, 0] if m.shape[1] > 0 else out.copy()
    for step in range(3):
        x = np.sort(x * -1.5 + step)
    return x, np.median(m, axis=1)


def special(size, rng, type):
    """Few values, so that many are equal; NaN with and without a sign, zeros with and without."""
    a = rng.integers(-3, 4, size).astype(type)
    flat = a.reshape(-1)
    for value in (np.nan, -np.nan, -0.0, 0.0, np.inf):
        if flat.size > 4:
            flat[rng.integers(0, flat.size, max(1, flat.size // 9))] = value
    return a


def inputs_vectors(size, rng):
    return special(size, rng, np.float64), rng.integers(-5, 6, size).astype(np.int32)


def inputs_batches(size, rng):
    return (special((size // 3 + 1, size), rng, np.float32),)


def inputs_numbers(size, rng):
    z = rng.integers(-2, 3, size) + 1j * rng.integers(-2, 3, size)
    if size > 5:
        z[1::5] = complex(np.nan, 1)
        z[2::5] = complex(1, np.nan)
        z[3::7] = complex(np.nan, np.nan)
    return (z.astype(np.complex128),)


def inputs_in_place(size, rng):
    return special((size // 3 + 1, size), rng, np.float32), special(size, rng, np.float64)


def inputs_in_loops(size, rng):
    return special((size // 7 + 1, size), rng, np.float32), np.zeros(size // 7 + 1, np.float32)
