"""Matrices that are made by one statement and summed by columns in the next; sizes that only a check relates."""
from __future__ import annotations

import numpy as np

SIZES = (0, 1, 2, 31, 33, 64, 127, 129, 257)


def rank_two(A: f64[:, :], u1: f64[:], v1: f64[:], u2: f64[:], v2: f64[:], x: f64[:], y: f64[:], z: f64[:]):
    """As gemver begins: all sizes are open."""
    A += np.outer(u1, v1) + np.outer(u2, v2)
    x += 0.5 * y @ A + z


def inputs_rank_two(size, rng):
    rows, columns = size + 3, max(size - 2, 0)
    stretched = 1 if size == 64 else rows
    return (rng.random((rows, columns)), rng.random(rows), rng.random(columns), rng.random(stretched), rng.random(columns),
            rng.random(columns), rng.random(rows), rng.random(columns))


def centred(a: f64[N, M], mean: f64[M], out: f64[N, M]) -> f64[M]:
    """The sum of squares of what has just been stored; what comes after the sum reads the matrix as well."""
    for i in range(a.shape[0]):
        for j in range(a.shape[1]):
            out[i, j] = a[i, j] - mean[j]
    total = np.empty(a.shape[1])
    for c in range(a.shape[1]):
        s = mean[c]
        for r in range(a.shape[0]):
            s += out[r, c] * out[r, c]
        total[c] = np.sqrt(s)
    return total


def inputs_centred(size, rng):
    return rng.random((size, size + 1)), rng.random(size + 1), np.zeros((size, size + 1))


def row_before(a: f64[N, M]) -> f64[M]:
    """The sum takes each row with the one above: a row is made no later than it is read."""
    a *= 2.0
    total = np.zeros(a.shape[1])
    for c in range(a.shape[1]):
        s = 0.0
        for r in range(a.shape[0]):
            s += a[r, c] * a[max(r - 1, 0), c]
        total[c] = s
    return total


def inputs_row_before(size, rng):
    return (rng.random((size, size)) - 0.5,)


def row_after(a: f64[N, M]) -> f64[M]:
    """The row below is not made yet when it is read: the nests stay apart."""
    a *= 2.0
    total = np.zeros(a.shape[1])
    for c in range(a.shape[1]):
        s = 0.0
        for r in range(a.shape[0]):
            s += a[r, c] * a[min(r + 1, a.shape[0] - 1), c]
        total[c] = s
    return total


inputs_row_after = inputs_row_before


def neighbour_column(a: f64[N, N]) -> f64[N]:
    """Another column is read."""
    a += 1.0
    return a[::-1, ::-1].sum(axis=0) + a[:, -1].sum()


def inputs_neighbour_column(size, rng):
    return (rng.random((size + 1, size + 1)),)


def by_rows(a: f32[N, M]) -> f32[N]:
    """Sums along the rows instead."""
    a *= np.float32(3)
    return a.sum(axis=1)


def inputs_by_rows(size, rng):
    return (rng.random((size + 1, size)).astype(np.float32),)


def across(a: f64[N, M]) -> f64[N]:
    """Made and summed by rows that lie across memory."""
    a.T[:] = a.T + 1.0
    return a.sum(axis=1)


inputs_across = inputs_row_before


def largest(a: i64[N, M], w: i64[M]) -> i64[M]:
    """Whole numbers, and another reduction; the accumulator starts from what is summed into."""
    a[:] = a * 3 - w
    for j in range(a.shape[1]):
        for i in range(a.shape[0]):
            w[j] = max(w[j], a[i, j])
    return w + 0


def inputs_largest(size, rng):
    return rng.integers(-50, 50, (size, size + 2)), rng.integers(-9, 9, size + 2)


def starts_from_it(a: f64[N, M]) -> f64[M]:
    """What stands before the sum reads the matrix as it was made."""
    a += 0.25
    total = np.zeros(a.shape[1])
    for c in range(a.shape[1]):
        s = a[0, c]
        for r in range(a.shape[0]):
            s += a[r, c]
        total[c] = s
    return total


def inputs_starts_from_it(size, rng):
    return (rng.random((size + 1, size)),)


def down(a: f64[N, M], b: f64[M, N], x: f64[N]) -> f64[M]:
    """Two arrays updated in place by one thread a column, from the third row on; what is carried stays in order."""
    carried = np.zeros(a.shape[1])
    #pragma parallel for
    for j in range(a.shape[1]):
        last = 0.25
        for k in range(2, a.shape[0]):
            last = last * 0.5 + a[k, j]
            a[k, j] = last * x[k] - b[j, k]
            b[j, k] = a[k, j] + b[j, k] * 2.0
        carried[j] = last
    return carried


def inputs_down(size, rng):
    rows = size + 3
    return rng.random((rows, size)) - 0.5, rng.random((size, rows)), rng.random(rows)
