"""Index arrays: several at a time, among slices and single indices, in functions; the last of equal indices wins."""
from __future__ import annotations

import numpy as np

TARGETS = ("cpu",)
SIZES = (0, 1, 2, 7, 33)


def pairs(a: f64[M, N], i: i64[K], j: i64[K]):
    return a[i, j] * 2.0, a[i], a[:, j] + 1.0, a[i, -1], a[0, j]


def places(t: f64[L, M, N], i: i64[K], j: i64[K]):
    return (t[i, :, j] + 1.0, t[:, i, j] + 1.0, t[i, j] + 1.0, t[0, :, j] + 1.0, t[:, 0, j] + 1.0, t[i, 1:, 0] + 1.0,
            t[None, i, :, j] + 1.0, t[..., i, 0] + 1.0)


def grids(a: f64[M, N], i: i64[K], j: i64[K]):
    return a[i[:, None], j], a[i[:, None], j[None, :]] * 2.0, a[np.ix_(i, j)] + 1.0, a[np.ix_(i, j[::2])].sum()


def stores(a: f64[M, N], i: i64[K], j: i64[K], v: f64[K]):
    a[i, j] = v
    a[i, 0] = v * 2.0
    a[1, j] = 3.0
    a[i] += 1.0
    a[:, j] *= 2.0
    a[i, j] -= v
    a[i[::-1], 0:1] = v[:, None]


def mesh_stores(a: f64[M, N], i: i64[K], j: i64[K]):
    a[np.ix_(i, j)] = 5.0
    a[np.ix_(i, j)] += a[np.ix_(i, i)] * 2.0


def lists(a: f64[M, N], n: i64):
    a[[0, 1]] = a[[1, 0]]
    a[[0, -1], [1, 0]] += 10.0
    return a[:, [1, 0, 1]], a[[0, 1], [1, n]]


def negative(v: f64[N], k: i32[K]):
    w = v[k - 2]
    v[-k - 1] = 4.0
    return w


def taken(a: f64[M, N], i: i64[K], k: i64):
    return (np.take(a, i), np.take(a, i, axis=0), a.take(i, 1), np.take(a, i[None, :], axis=1), a.take(k), np.take(a, k, axis=0),
            np.take(a * 2.0, [0, 1]), a.T.take(i))


def put(a: f64[M, N], i: i64[K], v: f64[K], b: i32[M, N]):
    np.put(a, i, v)
    a.put(i[::2], 2.5)
    a.T.put([0, 1], 7.0)
    np.put(b, i, v * 3.0)


def along(a: f64[M, N], order: i64[M, N], first: i64[M, 1]):
    x = np.take_along_axis(a, order, axis=1)
    np.put_along_axis(a, first, -1.0, 1)
    np.put_along_axis(a, order[:, ::-1], a * 2.0, axis=-1)
    return x, np.take_along_axis(a, first, 1), np.take_along_axis(a, order % 2, 0), np.take_along_axis(a, order[0], None)


def meshes(n: i64, m: i64):
    g = np.mgrid[0:n, 0:m]
    i, j = np.ogrid[1:n, 0:m:2]
    return g, g[0] * m + g[1], i * 10 + j, np.mgrid[2:n], np.mgrid[0:2, 0:n, -1:2].sum(axis=0)


def inputs_pairs(size, rng):
    n = size + 2
    return rng.random((n, n + 1)), rng.integers(-n, n, size), rng.integers(-n, n, size)


def inputs_places(size, rng):
    n = size + 2
    return rng.random((n, n + 1, n + 2)), rng.integers(-n, n, 3), rng.integers(-n, n, 3)


def inputs_stores(size, rng):
    return *inputs_pairs(size, rng), rng.random(size)


def inputs_lists(size, rng):
    return rng.random((size + 2, size + 2)), size


def inputs_negative(size, rng):
    return rng.random(size + 4), rng.integers(0, 3, size, dtype=np.int32)


def inputs_taken(size, rng):
    n = size + 2
    return rng.random((n, n + 1)), rng.integers(-n, n, size), size


def inputs_put(size, rng):
    n = size + 2
    return rng.random((n, n + 1)), rng.integers(-n, n, size), rng.random(size), np.zeros((n, n + 1), np.int32)


def inputs_along(size, rng):
    n = size + 2
    a = rng.random((n, n))
    return a, np.argsort(a, axis=1), rng.integers(-n, n, (n, 1))


def inputs_meshes(size, rng):
    return size, size + 1


inputs_grids = inputs_mesh_stores = inputs_pairs


def updates_that_meet_in_floats(a: u64[N], k: i64[N]):
    """NumPy has no integer type for uint64 and int64."""
    np.add.at(a, k, -k)
    np.add.at(a, [0], 1)


def inputs_updates_that_meet_in_floats(size, rng):
    return rng.integers(2**53, 2**63, size + 1, dtype=np.uint64), rng.permutation(size + 1)


def two_by_one_order(o: i64[N], p: i64[N], a: i64[N], b: f64[N]):
    """What is read by a computed order is no copy of the order."""
    t = o[p]
    x = a[t]
    y = b[t]
    return x, y


def inputs_two_by_one_order(size, rng):
    return rng.permutation(size), rng.permutation(size), rng.permutation(size), rng.random(size)


def taken_past_the_end(a: f64[N], m: f64[N, 3], k: i64[M]):
    if len(a) > 0:
        return np.take(a, k, mode="wrap"), a.take(k, mode="clip"), np.take(m, k, axis=1, mode="clip"), m.take(k, 0, mode="wrap")
    return np.zeros(len(k)), np.zeros(len(k)), np.zeros((0, len(k))), np.zeros((len(k), 3))


def inputs_taken_past_the_end(size, rng):
    return rng.random(size), rng.random((size, 3)), rng.integers(-2 * size - 3, 2 * size + 3, 7)
