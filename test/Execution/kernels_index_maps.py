"""What reshape, index arrays, scans and ufunc.at become, on every target: joined axes in one index, loops in order."""
from __future__ import annotations

import numpy as np

SIZES = (0, 1, 3, 33, 129)


def joined(a: f64[M, N], v: f64[K]):
    flat = a.ravel()
    flat[1:] = flat[:-1] * 2.0
    for k in range(flat.shape[0]):
        flat[k] += k
    return flat * 0.5, a.T.reshape(-1) + 1.0, v.reshape(a.shape) + a, (a + v.reshape(a.shape)).sum(axis=0)


def split(v: f64[K], n: i64, m: i64):
    b = v.reshape(n, m)
    b += b[:, ::-1]
    for i in range(n):
        for j in range(m):
            b[i, j] -= i * 0.5
    return b.reshape(m, n).sum(axis=1)


def found(a: f64[M, N], i: i64[K], j: i64[K]):
    x = a[i, j] + np.take(a, i, axis=0)[:, 0]
    a[i, j] = x * 2.0
    a[np.ix_(i, j)] += 1.0
    return x


def scanned(a: f64[M, N], k: i64[K]):
    return np.cumsum(a, axis=0), np.maximum.accumulate(a, axis=1), a.cumsum(), np.add.reduceat(a, k, axis=1)


def counted(h: i64[K], w: f64[K], i: i64[N], x: f64[N]):
    np.add.at(h, i, 1)
    np.add.at(w, i, x)


def inputs_joined(size, rng):
    return rng.random((size, size + 2)), rng.random(size * (size + 2))


def inputs_split(size, rng):
    return rng.random(size * (size + 2)), size, size + 2


def inputs_found(size, rng):
    n = size + 2
    return rng.random((n, n)), rng.integers(-n, n, size), rng.integers(-n, n, size)


def inputs_scanned(size, rng):
    return rng.random((size, size + 2)), rng.integers(0, size + 2, size)


def inputs_counted(size, rng):
    return rng.integers(0, 9, 5), rng.random(5), rng.integers(-5, 5, size), rng.random(size)
