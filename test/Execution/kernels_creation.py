"""New arrays: zeros, ones, empty, full and their _like forms, with sizes and dtypes from everywhere."""
from __future__ import annotations

import numpy as np


def constants(n: i64):
    return np.zeros(n), np.ones(n), np.full(n, 2.5), np.full((n, 2), 7)


def inputs_constants(size, rng):
    return (size,)


def dtypes(n: i64):
    return (np.zeros(n, dtype=np.int32), np.ones((2, n), dtype=np.float32), np.full(n, 3, dtype=np.uint8),
            np.zeros(n, dtype=bool), np.ones(n, np.complex128))


inputs_dtypes = inputs_constants


def like(a: f64[N], k: i16[N]):
    return np.zeros_like(a), np.ones_like(k), np.full_like(k, 5), np.zeros_like(a, dtype=np.int64)


def inputs_like(size, rng):
    return rng.random(size), rng.integers(0, 9, size).astype(np.int16)


def filled_later(a: f64[N]) -> f64[N]:
    out = np.empty(a.shape[0], dtype=a.dtype)
    out[:] = a
    same = np.empty_like(out)
    same[:] = 2.0 * out
    return same


def shape_of_another(a: f64[M, N]):
    out = np.zeros(a.shape)
    out += a
    M, N = a.shape
    flipped = np.empty((N, M))
    for i in range(M):
        for j in range(N):
            flipped[j, i] = a[i, j]
    return out, flipped


def inputs_shape_of_another(size, rng):
    return (rng.random((size, size + 3)),)


sizes_shape_of_another = (0, 1, 3, 33)


def temporaries(a: f64[N]) -> f64[N]:
    """Temporaries in a loop, each read by the next statement."""
    total = np.zeros_like(a)
    for k in range(3):
        scaled = a * (k + 1.0)
        shifted = np.zeros_like(a)
        shifted[1:] = scaled[:-1]
        total += shifted
    return total


def small_local_arrays(a: f64[N]) -> f64[N]:
    out = np.empty_like(a)
    for i in range(len(a)):
        window = np.zeros(3)
        for j in range(3):
            window[j] = a[max(i - j, 0)]
        out[i] = window[0] * window[1] + window[2]
    return out


def copies(a: f64[N], k: i32[N]):
    b = np.copy(a)
    b[::2] = 0.0
    return b, k.astype(np.float64) / 2, a.astype(np.float32)


def inputs_copies(size, rng):
    return rng.random(size), rng.integers(-9, 9, size).astype(np.int32)


def ramps(n: i64):
    return np.arange(n), np.arange(1, n + 1), np.arange(n) * 0.5


inputs_ramps = inputs_constants


def make_inputs(size, rng):
    return (rng.random(size),)


def spaced(a: f64[N], b: f64[N], n: i64):
    x, step = np.linspace(0.0, 2.0, n + 2, retstep=True)
    return (x, step, np.linspace(a, b, 4), np.linspace(a, b, 3, False, axis=-1), np.linspace((0, 1), (2, 3), n), np.linspace(0, 7, n, dtype=int),
            np.linspace(a[:1], 5, 3, retstep=True))


def inputs_spaced(size, rng):
    return rng.random(size), rng.random(size), size


def meshes_of_floats(n: i64, h: f64):
    x, y = np.mgrid[0:1:3j, 0.0:2:n * 1j]
    p, q = np.ogrid[-1:1:5j, 0:n]
    return x + 10 * y, p * q, np.mgrid[-1:1:0.25], np.mgrid[0:1:0.5, 0:2], np.mgrid[0:h:4j], np.r_[0:n, 0.5, -1:1:3j], np.r_[1:4, 0, 4]


def inputs_meshes_of_floats(size, rng):
    return size + 1, rng.random()


def stepped(x: f64[N], k: int):
    """The call says how far apart, and in which direction."""
    starts = np.zeros(len(x) + 1)
    for i in np.arange(0, len(x), abs(k)):
        starts[i] = x[i:i + abs(k)].sum()
    return np.arange(0, 20, k), np.arange(20, 3, k, dtype=np.float32), np.add.reduceat(x + 1, np.arange(0, len(x), abs(k))), starts


def inputs_stepped(size, rng):
    return rng.random(size + 1), (3, -3, 1, 7)[size % 4]
