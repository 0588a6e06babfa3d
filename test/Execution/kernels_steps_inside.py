"""Steps in which no element needs another one's: recurrences down the columns, maps that are applied many times."""
from __future__ import annotations

import numpy as np

SIZES = (0, 1, 2, 3, 31, 33, 130)


def tridiagonal(a: f64[N, M], b: f64[N, M], c: f64[N, M], d: f64[N, M], x: f64[N, M]):
    """Both sweeps of Thomas's algorithm, all columns side by side; loads come in batches, of which the last is short."""
    n = a.shape[0]
    for i in range(1, n):
        m = b[i] - a[i] * c[i - 1]
        c[i] = c[i] / m
        d[i] = (d[i] - a[i] * d[i - 1]) / m
    for i in range(n - 2, -1, -1):
        x[i] = d[i] - c[i] * x[i + 1]


def inputs_tridiagonal(size, rng):
    a, b, c, d, x = rng.random((5, size + 2, max(size - 1, 0)))
    return a, b + 3, c, d, x


def two_before(x: f64[N, M], y: f64[N, M]):
    """x is read from two steps, y from one, before and after the step's own is stored."""
    for i in range(2, x.shape[0]):
        for j in range(x.shape[1]):
            x[i, j] = 0.5 * x[i - 1, j] + y[i - 1, j] - x[i - 2, j]
            y[i, j] = x[i - 1, j] - 0.25 * y[i, j] + 0.5 * y[i - 1, j]


def inputs_two_before(size, rng):
    return rng.random((size + 1, size)), rng.random((size + 1, size))


def every_other(x: i32[N, M]):
    """Steps of two read what a step two before has stored, and an element that no step stores."""
    for i in range(2, x.shape[0], 2):
        x[i] = x[i] + 3 * x[i - 2] - x[i - 1]


def inputs_every_other(size, rng):
    return (rng.integers(-9, 9, (size, size + 3)).astype(np.int32),)


def escapes(z: f64[:, :], c: f64[:, :], steps: int) -> tuple[i64[:, :], f64[:, :]]:
    """No step at all leaves what is there."""
    counts = np.zeros(z.shape, dtype=np.int64)
    for _ in range(steps):
        z = np.where(np.abs(z) < 2.0, z * z + c, z)
        counts += np.abs(z) < 2.0
    return counts, z


def inputs_escapes(size, rng):
    return rng.normal(size=(size, size + 1)), rng.normal(size=(size, size + 1)), size % 7


def made_anew(x: f64[N], steps: int) -> f64[N]:
    """What the array had before is not read."""
    out = np.empty(x.shape[0])
    for t in range(steps):
        out[:] = x * t
    return out


def inputs_made_anew(size, rng):
    return rng.random(size), size + 1


def where_it_is_long_enough(z: f64[N], w: f64[M], m: int, steps: int):
    """z may have fewer elements than there are threads: it is touched where the condition holds alone."""
    for t in range(steps):
        for j in range(w.size):
            if j < m:
                z[j] = z[j] * w[j] + t


def inputs_where_it_is_long_enough(size, rng):
    short = size // 2
    return rng.random(short), rng.random(size), short, 5


def smoothed_rows(x: f64[N, M], a: float, out: f64[N, M]):
    """The same along the rows."""
    for j in range(x.shape[1]):
        if j == 0:
            out[:, j] = x[:, j]
        else:
            out[:, j] = a * x[:, j] + (1 - a) * out[:, j - 1]


def inputs_smoothed_rows(size, rng):
    return rng.random((size, size + 1)), 0.25, np.zeros((size, size + 1))


def with_neighbours(x: f64[N, M], steps: int):
    """Not these: an element needs the one beside it."""
    for t in range(steps):
        for j in range(x.shape[1] - 1):
            x[:, j] += 0.5 * x[:, j + 1]


def inputs_with_neighbours(size, rng):
    return rng.random((size, size)), 3
