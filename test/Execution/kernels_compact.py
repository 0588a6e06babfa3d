"""Arrays whose size only the data tells: places of what is true, selections as arrays, rows by a mask."""
from __future__ import annotations

import numpy as np

SIZES = (0, 1, 3, 33, 129)


def places(a: f64[N], m: f64[M, N]):
    i, j = np.nonzero(m > 0.5)
    k = np.flatnonzero(a > 0.5)
    return i, j, k, np.where(a < 0.2)[0] * 2, np.argwhere(m > 0.7), m[i, j] + 1.0, a[k], k.shape[0], m.nonzero()[1]


def selected(a: f64[N], b: f64[N]):
    return a[a > 0.5], (a * b)[b > 0.3] + 1.0, a[a > 2.0], a[a > 0.4][:3], np.cumsum(a[b > 0.5])


def used(a: f64[N], out: f64[N]):
    big = np.extract(a > 0.5, a)
    k = np.flatnonzero(a <= 0.5)
    out[k] = -a[k]
    out[:big.shape[0]] = a[a > 0.5]
    s = 0.0
    for i in range(big.shape[0]):
        s += big[i] * i
    return s, big


def rows(m: f64[M, N], keep: bool[M]):
    m[keep] += 1.0
    m[~keep] = m[~keep] * 2.0 - 1.0
    return m[keep], m[keep].sum(axis=0), m[keep, 0]


def compressed(m: f64[M, N], keep: bool[M], a: f64[N]):
    return np.compress(keep, m, axis=0), np.extract(m > 0.5, m), a.compress(a > 0.5), np.compress(keep, m.T, 1)


def returned_part(a: f64[N]):
    out = np.zeros(a.shape[0])
    k = 0
    for i in range(a.shape[0]):
        if a[i] > 0.5:
            out[k] = a[i]
            k += 1
    return out[:k], k


def in_a_loop(m: f64[M, N], count: i64[M]):
    for i in range(m.shape[0]):
        k = np.flatnonzero(m[i] > 0.5)
        count[i] = k.shape[0]
        m[i, k] = 0.0


def inputs_places(size, rng):
    return rng.random(size), rng.random((size // 2, size))


def inputs_selected(size, rng):
    return rng.random(size), rng.random(size)


def inputs_used(size, rng):
    return rng.random(size), np.zeros(size)


def inputs_rows(size, rng):
    return rng.random((size, 3)), rng.random(size) < 0.5


def inputs_compressed(size, rng):
    return rng.random((size, 4)), rng.random(size) < 0.5, rng.random(4)


def inputs_returned_part(size, rng):
    return (rng.random(size),)


def inputs_in_a_loop(size, rng):
    return rng.random((size % 40, 7)), np.zeros(size % 40, np.int64)


def of_a_number(q: f64[N]):
    return np.flatnonzero(q.argmax())


def inputs_of_a_number(size, rng):
    return (rng.random(size + 1),)
