"""Rows that sum over all rows before them: triangular solves and their like, around the size of a block."""
from __future__ import annotations

import numpy as np

SIZES = (0, 1, 2, 31, 32, 33, 63, 64, 65, 127, 128, 129, 193, 331)


def triangle(size, rng):
    return np.tril(rng.random((size, size)) - 0.5) / max(size, 1) + np.eye(size)


def solve(L: f64[N, N], x: f64[N], b: f64[N]):
    for i in range(x.shape[0]):
        x[i] = (b[i] - L[i, :i] @ x[:i]) / L[i, i]


def inputs_solve(size, rng):
    return triangle(size, rng), rng.random(size), rng.random(size)


def solve_open(L: f64[:, :], x: f64[:], b: f64[:]):
    for i in range(x.shape[0]):
        x[i] = (b[i] - L[i, :i] @ x[:i]) / L[i, i]


def inputs_solve_open(size, rng):
    """A larger triangle at some calls."""
    more = size if size % 3 else size + 1
    return triangle(more, rng), rng.random(size), rng.random(more)


def in_place(L: f32[N, N], x: f32[N]):
    for i in range(x.shape[0]):
        x[i] = x[i] - L[i, :i] @ x[:i]


def inputs_in_place(size, rng):
    return triangle(size, rng).astype(np.float32), rng.random(size).astype(np.float32)


def of_complex(L: c128[N, N], x: c128[N]):
    """Operands of which half a block fits."""
    for i in range(x.shape[0]):
        x[i] = (x[i] - L[i, :i] @ x[:i]) / L[i, i]


def inputs_of_complex(size, rng):
    return triangle(size, rng) * (1 + 0.5j), rng.random(size) + 1j * rng.random(size)


def from_second(L: f64[N, N], x: f64[N]):
    """The first row is given; the diagonal is not read."""
    for i in range(1, x.shape[0]):
        s = 0.0
        for k in range(1, i):
            s += L[i, k] * x[k] * x[0]
        x[i] = 0.5 * s + x[i]


def inputs_from_second(size, rng):
    return triangle(size, rng), rng.random(size)


def longest(w: i64[N, N], best: i64[N]):
    """Another operator, and whole numbers."""
    for i in range(best.shape[0]):
        m = 0
        for k in range(i):
            m = max(m, w[i, k] + best[k])
        best[i] = m + 1


def inputs_longest(size, rng):
    return rng.integers(-50, 50, (size, size)), np.zeros(size, np.int64)


def pairs(a: f64[N, N], x: f64[N], y: f64[N], d: f64[N]):
    """Two arrays that later rows read, and operands by row and by column."""
    for i in range(x.shape[0]):
        s = 0.0
        for k in range(i):
            s += a[i, k] * x[k] - a[k, i] * y[k] * d[i]
        x[i] = 0.25 * s + d[i]
        y[i] = x[i] - s


def inputs_pairs(size, rng):
    return triangle(size, rng) / 8, rng.random(size), rng.random(size), rng.random(size)


def reads_ahead(L: f64[N, N], x: f64[M]):
    """Each term reads what the next row writes: it cannot be added before."""
    for i in range(L.shape[0]):
        s = 0.0
        for k in range(i):
            s += L[i, k] * x[k + 1]
        x[i] = 0.5 * s + 1.0


def inputs_reads_ahead(size, rng):
    return triangle(size, rng), rng.random(size + 1)


def changes_operand(L: f64[N, N], x: f64[N]):
    """The rows write into the matrix that they sum over."""
    for i in range(x.shape[0]):
        x[i] = 0.5 * (L[i, :i] @ x[:i]) + 1.0
        L[-1, i // 2] = x[i]


inputs_changes_operand = inputs_from_second


def index_of_row(L: f64[N, N], x: f64[N]):
    """The numbers of row and column stand in the terms."""
    for i in range(x.shape[0]):
        s = 0.0
        for k in range(i):
            s += L[i, k] * x[k] * (i - k)
        x[i] = s * 0.01 + i


inputs_index_of_row = inputs_from_second


def backward(U: f64[N, N], x: f64[N]):
    """From the last row up, in place."""
    for i in range(x.shape[0] - 1, -1, -1):
        s = 0.0
        for k in range(i + 1, x.shape[0]):
            s += U[i, k] * x[k]
        x[i] = (x[i] - s) / U[i, i]


def inputs_backward(size, rng):
    return triangle(size, rng).T.copy(), rng.random(size)


def backward_of_slices(U: f64[N, N], y: f64[N], x: f64[N]):
    for i in range(x.shape[0] - 1, -1, -1):
        x[i] = (y[i] - U[i, i + 1:] @ x[i + 1:]) / U[i, i]


def inputs_backward_of_slices(size, rng):
    return triangle(size, rng).T.copy(), rng.random(size), rng.random(size)


def backward_by_columns(L: f64[N, N], x: f32[N]):
    """With the transpose of a lower triangle, whose columns are its rows."""
    for i in range(x.shape[0] - 1, -1, -1):
        x[i] = x[i] - L[i + 1:, i] @ x[i + 1:]


def inputs_backward_by_columns(size, rng):
    return triangle(size, rng), rng.random(size).astype(np.float32)
