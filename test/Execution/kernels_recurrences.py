"""Rows that sum over all rows before them: triangular solves and their like, around the size of a block."""
from __future__ import annotations

import numpy as np

SIZES = (0, 1, 2, 31, 32, 33, 63, 64, 65, 127, 128, 129, 193, 331)


def triangle(size, rng):
    return np.tril(rng.random((size, size)) - 0.5) / max(size, 1) + np.eye(size)


def solve(L: f64[N, N], x: f64[N], b: f64[N]):
    for i in range(x.shape[0]):
        x[i] = (b[i] - L[i, :i] @ x[:i]) / L[i, i]


def with_zero(size, rng):
    """The quotient 0 is one that is not computed by a prepared division."""
    values = rng.random(size)
    values[:1] = values[-1:] = 0
    return values


def inputs_solve(size, rng):
    return triangle(size, rng), rng.random(size), with_zero(size, rng)


def solve_open(L: f64[:, :], x: f64[:], b: f64[:]):
    for i in range(x.shape[0]):
        x[i] = (b[i] - L[i, :i] @ x[:i]) / L[i, i]


def inputs_solve_open(size, rng):
    """A larger triangle at the smaller calls."""
    more = size if size > 33 else size + 1
    return triangle(more, rng), rng.random(size), with_zero(more, rng)


def solve_special(L: f64[N, N], x: f64[N], b: f64[N]):
    """Divisions that cannot be prepared: of zeros, by large and small numbers, of and by numbers next to no number."""
    for i in range(x.shape[0]):
        x[i] = (b[i] - L[i, :i] @ x[:i]) / L[i, i]


def inputs_solve_special(size, rng):
    L, b = triangle(size, rng) / 8, rng.random(size)
    for row, (value, divisor) in zip(rng.permutation(size), ((0.0, 1.5), (-0.0, 3.0), (1.0, 2.0**600), (5e-324, 0.75), (1e300, -(2.0**520)))):
        L[row, :row], L[row, row], b[row] = 0, divisor, value
    if size > 60:
        L[-1, -1], b[-2:] = 0.0, (np.inf, 1.0)
        L[-1, -2] = 0.0 if size % 2 else 1.0
    return L, rng.random(size), b


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


def several(a: f64[N, N], b: f64[N, N], x: f64[N], y: f64[N], z: f64[N], d: f64[N]):
    """More statements than one, two divisions, one of them of a quotient."""
    for i in range(x.shape[0]):
        s = 0.0
        for k in range(i):
            s += a[i, k] * x[k] + b[i, k] * y[k]
        t = (d[i] - s) / (1.0 + d[i])
        x[i] = t * 0.5
        y[i] = (t + s) / d[i] / (2.0 + d[i])
        z[i] = t / 3.0


def inputs_several(size, rng):
    vectors = [rng.random(size) for _ in range(4)]
    vectors[3][::37] = 2.0**-700
    return triangle(size, rng) / 8, triangle(size, rng) / 8, *vectors


def result_is_index(L: f64[N, N], x: f64[N], d: f64[N], last: i64[8]):
    """Where a row stores depends on what it computes."""
    for i in range(x.shape[0]):
        x[i] = (x[i] - L[i, :i] @ x[:i]) / d[i]
        last[int(np.abs(x[i]) * 4) % 8] = i


def inputs_result_is_index(size, rng):
    x = rng.random(size)
    x[::3] = 0.0
    return np.zeros((size, size)), x, 1 + rng.random(size), np.zeros(8, np.int64)


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
    return triangle(size, rng).T.copy(), with_zero(size, rng)


def backward_of_slices(U: f64[N, N], y: f64[N], x: f64[N]):
    for i in range(x.shape[0] - 1, -1, -1):
        x[i] = (y[i] - U[i, i + 1:] @ x[i + 1:]) / U[i, i]


def inputs_backward_of_slices(size, rng):
    return triangle(size, rng).T.copy(), with_zero(size, rng), rng.random(size)


def backward_by_columns(L: f64[N, N], x: f32[N]):
    """With the transpose of a lower triangle, whose columns are its rows."""
    for i in range(x.shape[0] - 1, -1, -1):
        x[i] = x[i] - L[i + 1:, i] @ x[i + 1:]


def inputs_backward_by_columns(size, rng):
    return triangle(size, rng), rng.random(size).astype(np.float32)


def solve_loops(L: f64[N, N], x: f64[N], y: f64[N], z: f64[N], b: f64[N]):
    """Taken term by term from where each starts: another array, in place, from the last row up; what is read twice, or starts from another row."""
    n = x.shape[0]
    for i in range(n):
        s = b[i]
        for j in range(i):
            s -= L[i, j] * x[j]
        x[i] = s / L[i, i]
    for i in range(n):
        for j in range(i):
            y[i] -= L[i, j] * y[j]
        y[i] /= L[i, i]
    for i in range(n - 1, -1, -1):
        s = y[i]
        for j in range(i + 1, n):
            s -= L[j, i] * y[j]
        y[i] = s / L[i, i]
    for i in range(n):
        s = z[i - 1]
        for j in range(i):
            s -= L[i, j] * z[j]
        z[i] = 0.5 * s + 0.125 * s * b[i]


def inputs_solve_loops(size, rng):
    return triangle(size, rng), rng.random(size), with_zero(size, rng), rng.random(size), with_zero(size, rng)
