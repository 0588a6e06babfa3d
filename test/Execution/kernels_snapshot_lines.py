"""Nests that read a row and a column which they change on the way: as in order, with negative cycles and nan."""
from __future__ import annotations

import numpy as np

SIZES = (0, 1, 2, 5, 37)


def paths(d: f64[N, N], e: f64[N, N], way: i64[N, N], g: i32[N, N]):
    """Scalar loops; rows; a branch, and the way there; columns outside, with a scalar of the row. Every second step of
    those that would run in blocks of steps."""
    n = d.shape[0]
    for k in range(0, n, 2):
        for i in range(n):
            for j in range(n):
                d[i, j] = min(d[i, j], d[i, k] + d[k, j])
    for k in range(0, n, 2):
        for i in range(n):
            e[i, :] = np.minimum(e[i, :], e[i, k] + e[k, :])
    for k in range(n):
        for i in range(n):
            for j in range(n):
                if g[i, k] + g[k, j] < g[i, j]:
                    g[i, j] = g[i, k] + g[k, j]
                    way[i, j] = way[i, k]
    for k in range(n):
        for j in range(n):
            c = way[k, j]
            for i in range(n):
                way[i, j] = (3 * way[i, j] - 2 * c + way[i, k]) % 1000


def inputs_paths(size, rng):
    d = rng.integers(-3, 9, (2, size, size)) + rng.random((2, size, size))
    d[:, rng.random((size, size)) < 0.02] = np.nan
    return d[0].copy(), d[1].copy(), rng.integers(0, 99, (size, size)), rng.integers(-1, 50, (size, size)).astype(np.int32)


def parts(a: f64[M, N], b: f64[P, Q, R], w: f64[N], c: i64[S, S]):
    """Any function, of parts of arrays, by a row or a column alone; rows that start behind the pivot are parallel as they are."""
    for k in range(1, min(a.shape[0], a.shape[1]) - 1):
        for i in range(1, a.shape[0]):
            s = 0.5 * a[i, k]
            for j in range(a.shape[1] - 1):
                t = s + w[j] - a[i, k]
                a[i, j] = 0.25 * a[i, j] * a[k, j] - t
    for k in range(min(b.shape[1], b.shape[2])):
        for i in range(b.shape[1]):
            for j in range(b.shape[2]):
                if j != i:
                    b[-1, i, j] += 0.125 * b[-1, k, j]
    for k in range(c.shape[0]):
        for i in range(k + 1, c.shape[0]):
            for j in range(k, c.shape[0]):
                c[i, j] -= c[i, k] * c[k, j] % 7


def inputs_parts(size, rng):
    return rng.random((size, size + 2)), rng.random((3, size + 1, size)), rng.random(size + 2), rng.integers(0, 9, (size, size))
