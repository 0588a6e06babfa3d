"""The same elements under other axes: reshape and its kind, views as NumPy has them, copies where NumPy copies."""
from __future__ import annotations

import numpy as np

TARGETS = ("cpu",)
SIZES = (0, 1, 2, 7, 33)


def joined(a: f64[M, N]) -> f64[K]:
    return a.reshape(-1) * 2.0


def joined_and_split(a: f64[M, N], n: i64, m: i64):
    b = (a + 1.0).reshape(n, m)
    return b, np.reshape(a, (m, n)) - 1.0, a.reshape((1, n, 1, m))[0, :, 0] * 3.0


def store_into_joined(a: f64[M, N]):
    flat = a.reshape(a.shape[0] * a.shape[1])
    flat[1:] = flat[:-1] + 1.0
    flat[::2] *= 2.0


def store_into_split(v: f64[K], n: i64, m: i64):
    b = v.reshape(m, n)
    b[:] = b + b[:, ::-1]
    for i in range(m):
        for j in range(n):
            b[i, j] += i - j


def store_by_index(a: f64[M, N], n: i64, m: i64):
    flat = a.ravel()
    for k in range(n * m):
        flat[k] = k * 0.5
    back = flat.reshape(m, n)
    for i in range(m):
        back[i, 0:n] -= flat[i]


def joined_of_three(t: f64[M, N, 3]):
    middle = t.reshape(t.shape[0], -1)
    middle[:, 0:3] += 1.0
    last = t.reshape(-1, 3)
    last[:, 1] = last[:, 0] * 10.0
    return middle.sum(axis=1), last.sum(axis=0), t.reshape(-1).sum()


def joined_both_ways(t: f64[M, N, N]):
    front, back = t.reshape(-1, t.shape[2]), t.reshape(t.shape[0], -1)
    for i in range(t.shape[0]):
        for k in range(back.shape[1]):
            back[i, k] = front[i, 0] + k


def in_fours(v: f64[K]):
    q = v.reshape(-1, 4)
    q[:, 0] = q[:, 3]
    q.reshape(-1, 2)[:, 1] = 7.0
    return q.sum(axis=1), v.reshape(2, -1) + 0.0


def copies(a: f64[M, N]):
    t = a.T.ravel()
    f = a.flatten()
    f[:] = 0.0
    s = a[:, ::2].flatten()
    c = a.T.copy().reshape(-1)
    c *= 2.0
    return t + 1.0, f, s, c


def part_of_rows(a: f64[M, N]):
    rows = a[1:3].reshape(-1)
    rows += 5.0
    a[0].reshape(-1, 1)[:, 0] = 4.0
    a[:, 2].reshape(1, -1)[:] = 9.0
    a[:, None, 1].reshape(-1)[1:] = 8.0


def strided_split(v: f64[K]):
    every = v[::2].reshape(-1, 2)
    every[:, 1] = -1.0
    back = v[::-1].reshape(-1, 4)
    back[:, 0] += 2.0


def flat_access(a: f64[M, N], k: i64):
    if a.size > 0:
        a.flat[k % a.size] = 3.0
        a.flat[-1] += 1.0
    a.flat[::2] = 5.0
    a.T.flat[1:3] = 6.0
    return a.flat[1:] + 1.0, a.T.flat[:] * 2.0


def axes(t: f64[M, N, 3]):
    return (np.swapaxes(t, 0, 2) + 1.0, t.swapaxes(-1, 1) + 1.0, np.moveaxis(t, 0, -1) + 1.0,
            np.moveaxis(t, (0, 1), (-1, 0)) + 1.0, np.rollaxis(t, 2) + 1.0, np.rollaxis(t, 0, 3) + 1.0,
            np.transpose(t, (1, 2, 0)) + 1.0, t.transpose(2, 0, 1) + 1.0, np.matrix_transpose(t) + 1.0)


def store_by_axes(t: f64[M, N, 3]):
    np.moveaxis(t, 2, 0)[1] = 4.0
    t.swapaxes(0, 1)[:, 0:1] -= 1.0
    np.rollaxis(t, 1)[0:1] *= 2.0


def ones(v: f64[N], a: f64[M, 1, N]):
    column = np.expand_dims(v, 1)
    column[:, 0] += 1.0
    thin = np.squeeze(a, axis=1)
    thin *= 2.0
    row = np.expand_dims(v, (0, 2))
    return (column * np.ones(3), row + 0.0, a.squeeze(1) - thin + thin, np.atleast_1d(v) + 1.0, np.atleast_2d(v) + 1.0,
            np.atleast_3d(v) + 1.0, np.atleast_3d(thin) + 1.0, np.atleast_1d(2.5) + 1.0)


def stretched(v: f64[N], a: f64[M, N]):
    wide = np.broadcast_to(v, (a.shape[0], v.shape[0]))
    deep = np.broadcast_to(a[:, :1], a.shape)
    v += 1.0
    return wide + a, deep * 2.0, np.broadcast_to(2.0, (2, 3)) + 1.0, np.broadcast_to(v + 1.0, (2, v.shape[0])).sum()


def in_a_loop(a: f64[M, N, 4], out: f64[M, K]):
    for i in range(a.shape[0]):
        out[i, :] = a[i].reshape(-1)
        a[i].reshape(2, -1)[0, :] = 0.0


def scalars_and_lists(x: f64, n: i64):
    return np.reshape(x, (1, 1)) + 1.0, np.reshape([1.0, 2.0, 3.0, x], (2, 2)) * 2.0, np.ravel(((1.0, x), (2.0, x)))


def reductions(a: f64[M, N], t: i32[P, Q]):
    return a.reshape(-1, a.shape[1]).sum(axis=1), np.ravel(t).sum(), (t * 2).reshape(-1).sum(), a.ravel() @ a.ravel()


def of_types(b: bool[M, N], c: c128[P, Q], u: u8[R, S]):
    b.reshape(-1)[1:] = True
    return c.ravel() * 1j, u.reshape(-1)[::-1] + u.reshape(-1), ~b.ravel()


def wrong_sizes(a: f64[M, N], n: i64, m: i64):
    s = 0.0
    if n > 5:
        s += a.reshape(n, -1).sum()
    elif n > 2:
        s += a.reshape(n, m).sum()
    else:
        s += a.reshape(-1, n).sum() + a.reshape((m, -1, n)).sum()
    return s


def matrix(size, rng):
    return rng.random((size, size + 2))


def inputs_joined(size, rng):
    return (matrix(size, rng),)


def inputs_joined_and_split(size, rng):
    return matrix(size, rng), size + 2, size


def inputs_wrong_sizes(size, rng):
    return rng.random((size // 2, 6)), size, size - 3


sizes_wrong_sizes = (0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 12, 13)


def inputs_store_into_split(size, rng):
    return rng.random(size * (size + 2)), size + 2, size


def inputs_joined_of_three(size, rng):
    return (rng.random((size + 1, size + 1, 3)),)


def inputs_joined_both_ways(size, rng):
    return (rng.random((size, 2, 2)),)


def inputs_in_fours(size, rng):
    return (rng.random(4 * size),)


def inputs_strided_split(size, rng):
    return (rng.random(8 * size),)


def inputs_part_of_rows(size, rng):
    return (rng.random((size + 3, size + 3)),)


def inputs_flat_access(size, rng):
    return matrix(size, rng), size * 3


def inputs_axes(size, rng):
    return (rng.random((size, size + 1, 3)),)


def inputs_ones(size, rng):
    return rng.random(size), rng.random((size + 2, 1, size))


def inputs_stretched(size, rng):
    return rng.random(size), rng.random((size + 1, size))


def inputs_in_a_loop(size, rng):
    return rng.random((size, 2, 4)), np.zeros((size, 8))


def inputs_scalars_and_lists(size, rng):
    return rng.random(), size


def inputs_reductions(size, rng):
    return matrix(size + 1, rng), rng.integers(-9, 9, (size, 3), dtype=np.int32)


def inputs_of_types(size, rng):
    return (rng.random((size, 3)) < 0.5, rng.random((size, 2)) + 1j, rng.integers(0, 255, (3, size), dtype=np.uint8))


inputs_store_into_joined = inputs_copies = inputs_joined
inputs_store_by_index = inputs_joined_and_split
inputs_store_by_axes = inputs_axes


def stored_flat(q: f64[N, N], v: f64[:]):
    q.flat[1:1 + v.shape[0]] = v
    q.flat[-1] = 7.0
    q.flat[::2] = 0.25


def inputs_stored_flat(size, rng):
    return rng.random((size, size)), rng.random(max(size - 1, 0))


sizes_stored_flat = (1, 2, 3, 33)


def of_columns(q: f64[N, 6], v: f64[K]):
    w = v.reshape(4, -1, order="F")
    w[1] += 1
    return (np.reshape(q, (3, 2, -1), order="F") + 0, q.ravel(order="F") * 2, q.T.flatten("F"), q[::-1].reshape(-1, order="F") + 0,
            np.ravel(q[:, 1], order="F") * 2, w * 2)


def inputs_of_columns(size, rng):
    return rng.random((size, 6)), rng.random(4 * size)


sizes_of_columns = (1, 2, 7)
