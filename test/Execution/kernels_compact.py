"""Arrays whose size only the data tells: places of what is true, selections as arrays, rows by a mask."""
from __future__ import annotations

import numpy as np

SIZES = (0, 1, 3, 33, 129)
TARGETS = ("cpu", "emulated", "cuda")  # as kernels_changing_sizes


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


def inputs_of_keys(size, rng):
    return rng.integers(0, 2 * size + 1, size), rng.random(size)


def counted(k: i64[N], v: f64[N]):
    """Of a size for which nothing tells the caller any room."""
    c = np.bincount(k)
    s = np.bincount(k, weights=v)
    return c, s / np.maximum(c, 1), np.bincount(k, minlength=5), np.cumsum(c)


def repeated(k: i64[N], v: f64[N]):
    rows = v[:, None] * np.arange(3.0)
    return np.repeat(v, k), np.repeat(rows, k, axis=0), np.repeat(v, int(k.sum()))


def of_the_most(k: i64[N], v: f64[N]):
    n = int(k.max(initial=0)) + 1
    sums = np.zeros((n, 3))
    for i in range(len(k)):
        sums[k[i], i % 3] += v[i]
    return sums, np.zeros((n, n), dtype=np.int32), np.arange(k.sum()), np.linspace(0.0, 1.0, n)


def of_a_count(k: i64[N], v: f64[N]):
    n = 0
    for x in v:
        if x > 0.5:
            n += 1
    out = np.empty(n)
    j = 0
    for x in v:
        if x > 0.5:
            out[j] = x
            j += 1
    return out, np.concatenate((v[v > 0.5], v[v <= 0.5])), n


def by_group(k: i64[N], v: f64[N]):
    u, inverse = np.unique(k, return_inverse=True)
    sums = np.zeros(len(u))
    np.add.at(sums, inverse, v)
    return u, sums / np.bincount(inverse, minlength=len(u))


def inputs_counted(size, rng):
    return rng.integers(0, 2 * size + 1, size + 1), rng.random(size + 1)


inputs_repeated = inputs_of_the_most = inputs_of_a_count = inputs_by_group = inputs_of_keys
