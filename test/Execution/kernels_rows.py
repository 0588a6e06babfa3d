"""Sweeps over two and three dimensions whose threads make several elements, one below the other."""
from __future__ import annotations

import numpy as np

SIZES = (0, 1, 2, 3, 4, 5, 31, 33, 67, 131)


def affine(a: f64[N, M], b: f64[N, M]):
    b[:] = 2.0 * a + 1.0


def inputs_affine(size, rng):
    return rng.random((size, size + 1)), np.zeros((size, size + 1))


def inside(a: f64[N, M], b: f64[N, M]):
    """Rows share loads; the frame stays."""
    b[1:-1, 1:-1] = 0.25 * (a[:-2, 1:-1] + a[2:, 1:-1] + a[1:-1, :-2] + a[1:-1, 2:])


def inputs_inside(size, rng):
    return rng.random((size + 2, size + 3)), rng.random((size + 2, size + 3))


def upwards(a: f32[N, M]) -> f32[M, N]:
    """Rows from the last one up, and the result across them."""
    return a[::-1].T + a[0, 0]


def inputs_upwards(size, rng):
    return (rng.random((size + 1, size + 2)).astype(np.float32),)


def thick(a: f64[L, M, N]) -> f64[:, :, :]:
    return a[2:] - 2.0 * a[1:-1] + a[:-2]


def inputs_thick(size, rng):
    return (rng.random((size + 2, max(size // 8, 1), 5)),)


def second(a: f64[L, M, N]) -> f64[:, :, :]:
    """Neighbours along the second of three dimensions."""
    return np.where(a[:, 1:] > a[:, :-1], a[:, 1:] * a[:, :-1], -1.0)


def inputs_second(size, rng):
    return (rng.random((3, size + 1, 7)),)


def strided(a: i64[N, M], b: i64[N, M]):
    """Every third row, from the second on; loops as they are written."""
    for i in range(1, a.shape[0], 3):
        for j in range(a.shape[1]):
            b[i, j] = a[i, j] + a[i - 1, j]


def inputs_strided(size, rng):
    return rng.integers(-9, 9, (size, size + 1)), rng.integers(-9, 9, (size, size + 1))


def cut(a: f64[N, M], b: f64[N, M], lo: i64, hi: i64):
    """Bounds that are numbers of the caller's."""
    for i in range(lo, hi):
        for j in range(a.shape[1]):
            b[i, j] = a[i, j] * i - j


def inputs_cut(size, rng):
    return rng.random((size, 9)), np.zeros((size, 9)), size // 3, size - size // 5


def four_dimensions(a: f64[K, L, M, N]) -> f64[:, :, :, :]:
    return a[1:] + a[:-1]


def inputs_four_dimensions(size, rng):
    return (rng.random((size + 1, 2, 3, 4)),)


def sums_of_rows(start: i64[R], values: f64[nnz], x: f64[N], columns: u32[nnz]) -> f64[R - 1]:
    """Rows as long as the data say: a thread a row where they are short on average, else a warp."""
    y = np.empty(start.size - 1)
    for i in range(start.size - 1):
        y[i] = values[start[i]:start[i + 1]] @ x[columns[start[i]:start[i + 1]]]
    return y


def inputs_sums_of_rows(size, rng):
    lengths = rng.integers(0, 4 if size % 2 else 60, size)
    start = np.concatenate(([0], np.cumsum(lengths))).astype(np.int64)
    return start, rng.random(start[-1]), rng.random(size + 1), rng.integers(0, size + 1, start[-1]).astype(np.uint32)
