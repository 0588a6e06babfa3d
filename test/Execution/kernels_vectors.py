"""Loops of lanes that take elements side by side, at sizes around whole vectors and whole warps of them."""
from __future__ import annotations

import numpy as np

SIZES = (0, 1, 2, 3, 5, 8, 31, 64, 127, 129, 257, 512, 1024)


def softmax(x: f32[N, M]) -> f32[N, M]:
    e = np.exp(x - np.max(x, axis=1, keepdims=True))
    return e / np.sum(e, axis=1, keepdims=True)


def inputs_softmax(size, rng):
    return ((rng.random((5, size)) * 20 - 10).astype(np.float32),)


def softmax_by_warps(x: f64[L, N, M]) -> f64[:, :, :]:
    top = np.max(x, axis=-1, keepdims=True)
    e = np.exp(x - top)
    return e / np.sum(e, axis=-1, keepdims=True)


def inputs_softmax_by_warps(size, rng):
    return (rng.random((3, 5, size)) * 20 - 10,)


def two_matrices(a: f64[N, M], b: f64[N, K], x: f64[M], alpha: f64) -> f64[N]:
    """Rows of different lengths, of which one may be whole vectors."""
    s = np.zeros(a.shape[0])
    for i in range(a.shape[0]):
        for j in range(a.shape[1]):
            s[i] += alpha * a[i, j] * x[j]
        for j in range(b.shape[1]):
            s[i] += b[i, j]
    return s


def inputs_two_matrices(size, rng):
    return rng.random((7, size)), rng.random((7, size // 2)), rng.random(size), 0.5


def bytes_summed(a: u8[N, M]) -> i64[N]:
    return np.sum(a.astype(np.int64), axis=1)


def inputs_bytes_summed(size, rng):
    return (rng.integers(0, 256, (6, size)).astype(np.uint8),)


def signed_bytes(a: i8[N], b: i8[N], c: i8[N]):
    """One is updated in place; sums wrap."""
    c[:] = c * a + b


def inputs_signed_bytes(size, rng):
    return tuple(rng.integers(-128, 128, size).astype(np.int8) for _ in range(3))


def shorts(a: i16[N, M], b: i16[N, M]) -> i32[N, M]:
    return a.astype(np.int32) * b - a


def inputs_shorts(size, rng):
    return tuple(rng.integers(-9999, 9999, (size % 7 + 1, size)).astype(np.int16) for _ in range(2))


def least(a: i32[N, M], b: i64[N, M]):
    """The smallest of each row is taken away; two types."""
    for i in range(a.shape[0]):
        low = np.min(a[i]) if a.shape[1] > 0 else 0
        for j in range(a.shape[1]):
            b[i, j] = a[i, j] - low


def inputs_least(size, rng):
    return rng.integers(-999, 999, (4, size)).astype(np.int32), np.zeros((4, size), np.int64)


def masks(a: f32[N], b: f32[N], m: bool[N], n: bool[N]) -> bool[N]:
    a[:] = np.where(m, a, b)
    return np.logical_and(m, np.logical_not(n))


def inputs_masks(size, rng):
    return (*(rng.random(size).astype(np.float32) for _ in range(2)), *(rng.random(size) < 0.5 for _ in range(2)))


def complex_pairs(a: c64[N, M], b: c64[N, M], z: c64):
    """Nan, infinities and signed zeros stay what they are."""
    b[:] = np.conj(a) * z + b


def inputs_complex_pairs(size, rng):
    special = np.array([0.0, -0.0, 1.5, np.inf, -2.0, np.nan])
    a = (rng.choice(special, (3, size)) + 1j * rng.choice([0.0, -0.0, 0.5], (3, size))).astype(np.complex64)
    return a, (rng.random((3, size)) + 1j).astype(np.complex64), np.complex64(1 - 2j)


def in_steps(x: f32[N, M], y: f32[N, M]):
    """A row is made, summed and divided by its sum: the lane that makes an element meets it again."""
    for i in range(x.shape[0]):
        for j in range(x.shape[1]):
            y[i, j] = x[i, j] * np.float32(0.5) + np.float32(1)
        s = np.float32(0)
        for j in range(x.shape[1]):
            s += y[i, j]
        for j in range(x.shape[1]):
            y[i, j] = y[i, j] / s


def inputs_in_steps(size, rng):
    return tuple(rng.random((6, size)).astype(np.float32) for _ in range(2))


def met_elsewhere(x: f32[N, M], y: f32[N, M]):
    """Another lane reads what a lane has made."""
    for i in range(x.shape[0]):
        for j in range(x.shape[1]):
            y[i, j] = x[i, j] + np.float32(1)
        s = np.float32(0)
        for j in range(x.shape[1]):
            s += y[i, x.shape[1] - 1 - j] * x[i, j]
        for j in range(x.shape[1]):
            y[i, j] = y[i, j] - s


def inputs_met_elsewhere(size, rng):
    return tuple(rng.random((6, size)).astype(np.float32) for _ in range(2))


def parts(a: f32[N], b: f32[M], at: i64, n: i64):
    """A piece that begins anywhere."""
    b[:n] += a[at:at + n]


def inputs_parts(size, rng):
    at = (0, 1, 4, 2)[size % 4]
    return rng.random(2 * size + 4).astype(np.float32), rng.random(size + 3).astype(np.float32), at, size


def offsets(a: f32[N, M], b: f32[N, K], k: i64):
    """Vectors begin at multiples of eight from row to row."""
    for i in range(b.shape[0]):
        for j in range(b.shape[1] // 2):
            b[i, j] = a[i, 8 * k + j]


def inputs_offsets(size, rng):
    return rng.random((4, size + 16)).astype(np.float32), np.zeros((4, size)).astype(np.float32), size % 3


def columns(a: f64[N, M], u: f64[N], v: f64[M], total: f64[M]):
    """Columns are updated on the way down, in a number of rows that is no multiple of four."""
    for j in range(a.shape[1]):
        s = 0.0
        for i in range(a.shape[0]):
            a[i, j] += u[i] * v[j]
            s += a[i, j] * u[i]
        total[j] = s


def inputs_columns(size, rng):
    return rng.random((size % 11 + 64, size)), rng.random(size % 11 + 64), rng.random(size), np.zeros(size)


def flags(a: f32[N, M], b: f32[N, M], keep: bool[N], limit: i64):
    """Branches and loops around the elements, the same for all."""
    for i in range(a.shape[0]):
        for j in range(a.shape[1]):
            t = a[i, j]
            if keep[i]:
                t = t * np.float32(2)
            for r in range(limit):
                t = t + np.float32(r)
            b[i, j] = t


def inputs_flags(size, rng):
    return rng.random((6, size)).astype(np.float32), np.zeros((6, size)).astype(np.float32), rng.random(6) < 0.5, size % 3


def padded(a: f32[N], b: f32[M], c: f32[M]):
    """What is chosen against is not read: it may not exist."""
    for i in range(b.shape[0]):
        b[i] = a[i] if i < a.shape[0] else np.float32(-1)
    for i in range(c.shape[0]):
        if i < a.shape[0]:
            c[i] = a[i]


def inputs_padded(size, rng):
    return rng.random(size // 2).astype(np.float32), np.zeros(size, np.float32), np.ones(size, np.float32)


def numbers(a: f32[N], b: i16[N]):
    """The index itself is a value."""
    for i in range(a.shape[0]):
        a[i] = a[i] + np.float32(i % 5)
        b[i] = i


def inputs_numbers(size, rng):
    return rng.random(size).astype(np.float32), np.zeros(size, np.int16)


def width(vector_width: f32[N], width: f32[N], v: f32):
    """The names of the generated code."""
    for width_1 in range(vector_width.shape[0]):
        width[width_1] = vector_width[width_1] * v


def inputs_width(size, rng):
    return rng.random(size).astype(np.float32), np.zeros(size, np.float32), np.float32(1.5)


def whole_sum(a: f32[N], b: u8[N]) -> f32:
    return np.sum(a) + np.float32(np.max(b))


def inputs_whole_sum(size, rng):
    return rng.random(8 * size + 8).astype(np.float32), rng.integers(0, 200, 8 * size + 8).astype(np.uint8)
