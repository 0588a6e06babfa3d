"""Sorts, which a library does: rows and columns, NaN of both signs, both zeros, complex numbers, in loops and branches of the host."""
from __future__ import annotations

import numpy as np

SIZES = (0, 1, 2, 7, 129, 1300)  # a row of more than one tile


def spread(a: f64[N], b: f64[N]):
    """What is sorted once is not sorted again, until it changes."""
    quarters = np.percentile(a, 75) - np.percentile(a, 25)
    half = np.median(a)
    away = np.median(np.abs(a - np.median(a)))
    order = np.argsort(a, kind="stable")
    a[0] = 0.5
    return quarters, half, away, order, np.median(a) + np.sort(a)[0], b[np.argsort(a, kind="stable")], np.median(b)


sizes_spread = SIZES[1:]


def inputs_spread(size, rng):
    return special(size, rng, np.float64), special(size, rng, np.float64)


def vectors(a: f64[N], k: i32[N]):
    ordered = np.argsort(k, kind="stable")
    return np.sort(a * 2.0), ordered, k[ordered], np.argsort(a, stable=True)


def batches(m: f32[M, N]):
    return np.sort(m), np.sort(m, axis=0), np.argsort(m, axis=1, stable=True)


def numbers(z: c128[N]):
    return np.sort(z), np.argsort(z, kind="stable")


def long_rows(m: f64[M, N]):
    """Rows of more than 4096 elements."""
    return np.sort(m), np.argsort(m, axis=1, kind="stable")


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


def ends(a: f64[N], d: f32[M, L], n: i16[N], z: c64[L], k: i64, most: i64):
    """One end of what is sorted; `most` may be many."""
    columns = np.argsort(d, axis=0, kind="stable")
    sums = np.zeros(d.shape[1])
    for j in range(d.shape[1]):
        sums[j] = d[columns[-k:, j], j].sum()
    near = np.argsort(d, axis=1, stable=True)[:, :k]
    order = np.argsort(n, kind="stable")
    for i in range(min(k, len(n))):
        sums[0] += order[len(n) - 1 - i]
    smallest = np.sort(a)
    return (sums, near, d.ravel()[near], np.argsort(a, kind="stable")[-k:], np.argsort(-a, stable=True)[:most], np.sort(n)[-most:],
            np.argsort(a, stable=True)[::-1][:3], np.sort(d, axis=0)[:2], np.sort(z)[:k], smallest[:2].sum() + smallest[min(k, len(a)) // 2])


def ends_of_many(d: f64[M, N], b: u8[M, N], k: i64):
    """Few elements of each of many rows."""
    return (np.argsort(d, axis=1, stable=True)[:, :k], np.argsort(d, axis=1, stable=True)[:, -k:], np.sort(d, axis=1)[:, :k],
            np.argsort(b, axis=1, stable=True)[:, :k], np.sort(b, axis=1)[:, -k:])


sizes_ends_of_many = (1, 5)


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


def inputs_long_rows(size, rng):
    return (special((2, 4 * size), rng, np.float64),)


def inputs_in_place(size, rng):
    return special((size // 3 + 1, size), rng, np.float32), special(size, rng, np.float64)


def inputs_in_loops(size, rng):
    return special((size // 7 + 1, size), rng, np.float32), np.zeros(size // 7 + 1, np.float32)


def inputs_ends_of_many(size, rng):
    shape = (2048, 130 + size)
    return special(shape, rng, np.float64), rng.integers(0, 9, shape).astype(np.uint8), 6 * size + 2


def inputs_ends(size, rng):
    long = 8 * size + 3  # of several tiles
    z = inputs_numbers(size + 2, rng)[0].astype(np.complex64)
    return (special(long, rng, np.float64), special((size // 5 + 2, size + 2), rng, np.float32), rng.integers(-9, 9, long).astype(np.int16), z,
            max(1, size // 60), max(1, size // 4))
