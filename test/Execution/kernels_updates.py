"""Time loops that update a square by a column and a row of its own each step, around the size of a block of steps."""
from __future__ import annotations

import numpy as np

SIZES = (0, 1, 2, 7, 31, 32, 33, 63, 65, 97, 129)


def shortest(path: i32[N, N]):
    for k in range(path.shape[0]):
        path[:] = np.minimum(path[:], np.add.outer(path[:, k], path[k, :]))


def inputs_shortest(size, rng):
    """With negative cycles, where the order of the steps shows."""
    return (rng.integers(-2, 50, (size, size)).astype(np.int32),)


def shortest_open(path: i64[:, :]):
    for k in range(path.shape[0]):
        path[:] = np.minimum(path, path[:, k, None] + path[k])


def in_order_late(a: f64[N, N], w: f64[N]):
    """Loops that change the column and the row on the way: their elements are read as they have become, names and branches."""
    for k in range(a.shape[0]):
        for i in range(a.shape[0]):
            for j in range(a.shape[0]):
                t = a[i, k] * a[k, j]
                if t > 0.125 or j > i:
                    a[i, j] = 0.5 * a[i, j] + 0.25 * t - w[k] * 0.01 * (j - k)


def in_order_early(a: f32[N, N]):
    """The row's own factor is read before it changes."""
    for k in range(a.shape[0]):
        for i in range(a.shape[0]):
            s = 0.5 * a[i, k]
            for j in range(a.shape[0]):
                a[i, j] = np.float32(0.5) * a[i, j] + s * a[k, j]


def inputs_in_order_late(size, rng):
    size = size if size in (1, 33, 97) else 0
    return rng.random((size, size)), rng.random(size)


def inputs_in_order_early(size, rng):
    return (inputs_in_order_late(size, rng)[0].astype(np.float32),)


def inputs_shortest_open(size, rng):
    """Wider than high at some calls."""
    return (rng.integers(0, 50, (size, size + (size in (2, 33)))),)


def reachable(edge: bool[N, N]) -> bool[N, N]:
    reach = edge.copy()
    for k in range(edge.shape[0]):
        reach |= np.logical_and(reach[:, k, None], reach[k, :])
    return reach


def inputs_reachable(size, rng):
    return (rng.random((size, size)) < 1.5 / max(size, 1),)


def outer_products(a: f64[N, N], w: f64[N, N], n: f64):
    """Not symmetric in row and column; other arrays, both indices and the step itself count."""
    for k in range(a.shape[0]):
        a[:] = a * (0.9 + 0.001 * k) + w * np.outer(a[:, k], a[k, :]) / n


def inputs_outer_products(size, rng):
    return rng.random((size, size)) - 0.5, rng.random((size, size)), 5.0


def inside(a: f32[N, N]):
    """All but a frame."""
    for k in range(2, a.shape[0] - 1):
        a[2:-1, 2:-1] = 0.7 * a[2:-1, 2:-1] - 0.2 * np.outer(a[2:-1, k], a[k, 2:-1])


def inputs_inside(size, rng):
    return (rng.random((size + 3, size + 3)).astype(np.float32),)


def by_rows(a: f64[N, N]):
    for k in range(a.shape[0]):
        a[:] = np.maximum(a, 0.75 * a[k, :]) - 0.01


def by_columns(a: c128[N, N]):
    for k in range(a.shape[0]):
        a[:] = 0.5 * a - 0.25j * a[:, k, None]


def inputs_by_columns(size, rng):
    return (rng.random((size, size)) + 1j * rng.random((size, size)),)


def complex_both(a: c128[N, N]):
    """Elements of 16 bytes, by a column and a row: smaller tiles on chip."""
    for k in range(a.shape[0]):
        a[:] = (0.5 + 0.1j) * a - 0.25j * np.outer(a[:, k], a[k, :])


def inputs_complex_both(size, rng):
    return (rng.random((size, size)) + 1j * rng.random((size, size)),)


def by_loops(a: f64[N, N], n: i64):
    """In loops, the inner one over rows."""
    row, column = np.empty(n), np.empty(n)
    for k in range(n):
        for i in range(n):
            row[i] = a[k, i]
            column[i] = a[i, k]
        for j in range(n):
            for i in range(n):
                a[i, j] = a[i, j] - 0.5 * row[j] * column[i] + 0.001 * i * j


def inputs_by_loops(size, rng):
    return rng.random((size, size)), size


def next_column(a: f64[N, N]):
    """Not the step's own column."""
    for k in range(a.shape[0] - 1):
        a[:] = 0.5 * a + 0.25 * a[:, k + 1, None] * a[k]


def lower_right(a: f64[N, N]):
    """Not the whole square."""
    for k in range(a.shape[0] - 1):
        a[k + 1:, k + 1:] -= 0.5 * np.outer(a[k + 1:, k], a[k, k + 1:])


def counted(k: i64[N], v: u32[N], n: int):
    """What the data choose is updated by all, with conditions, in inner loops and by several operators."""
    h = np.zeros(n, np.int64)
    low = np.full(n, 1000, np.uint32)
    high = np.zeros(n, np.int64)
    bits = np.zeros(n, np.int32)
    for i in range(len(k)):
        if v[i] % 3 != 0:
            h[k[i]] += k[i] - 5
        low[k[i]] = min(low[k[i]], v[i])
        for j in range(2):
            high[(k[i] + j) % n] = max(k[i] * 2, high[(k[i] + j) % n])
            bits[k[i] - j] |= 1 << (k[i] % 7)
    return h, low, high, bits


def inputs_counted(size, rng):
    return rng.integers(0, 5, 37 * size), rng.integers(0, 900, 37 * size).astype(np.uint32), 5


def make_inputs(size, rng):
    return (rng.random((size, size)),)


def reached(edge: bool[N, N]):
    """A row at a time, where there is something to do."""
    n = len(edge)
    for k in range(n):
        for i in range(n):
            if edge[i, k]:
                for j in range(n):
                    if edge[k, j]:
                        edge[i, j] = True


def inputs_reached(size, rng):
    return (rng.random((size, size)) < 1.5 / max(size, 1),)


def skipping(d: f64[N, N]):
    n = len(d)
    for k in range(n):
        for i in range(n):
            if d[i, k] == np.inf:
                continue
            for j in range(n):
                through = d[i, k] + d[k, j]
                if through < d[i, j]:
                    d[i, j] = through


def inputs_skipping(size, rng):
    d = rng.random((size, size))
    d[d > 0.3] = np.inf
    return (d,)


def guarded(a: f64[N, N], w: f64[N]):
    """What the branch sets before its loop is of the column."""
    n = len(a)
    for k in range(n):
        for i in range(n):
            if w[i] > 0:
                f = a[i, k] * w[i] * 0.5
                for j in range(n):
                    a[i, j] = a[i, j] * 0.5 + f * a[k, j] * 0.1


def inputs_guarded(size, rng):
    return rng.random((size, size)), rng.normal(size=size)
