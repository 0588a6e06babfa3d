"""Sizes that the types leave open: equal at some calls, where another version runs; different or wrong at others."""
from __future__ import annotations

import numpy as np

SIZES = (0, 1, 2, 3, 7, 31, 33, 65, 129)
DIFFERENT = (2, 7, 33)


def other(size):
    """The size of the second array: larger at some calls."""
    return size + 2 if size in DIFFERENT else size


def relax(steps: i64, a: f64[:], b: f64[:]):
    for t in range(1, steps):
        b[1:-1] = 0.33333 * (a[:-2] + a[1:-1] + a[2:])
        a[1:-1] = 0.33333 * (b[:-2] + b[1:-1] + b[2:])


sizes_relax = (*SIZES, 1000)  # several tiles a block


def inputs_relax(size, rng):
    """Arrays of one and of two elements go together: their insides are empty."""
    sizes = {1: (1, 2), 2: (2, 0), 33: (33, 34)}
    return (20, *map(rng.random, sizes.get(size, (size, size))))


def steps_of_parts(a: f64[:, :], w: f64[:, :]):
    """Where no step is made, the sizes of the parts need not agree."""
    for k in range(a.shape[0] - 1):
        a[:-1, :-1] = np.minimum(a[:-1, :-1], w[:-1, :-1] + a[:-1, k, None])


def inputs_steps_of_parts(size, rng):
    n = size + 3 if size == 1 else size
    return rng.random((size, size)), rng.random((n, n))


sizes_steps_of_parts = (0, 1, 2, 3, 7, 33)


def steps_of_cells(steps: i64, a: i32[:, :], w: i32[:, :]):
    """Tiles read an array whose length of rows nothing else mentions."""
    for t in range(steps):
        a[:, :] = np.maximum(a, 100 + w) - t


def inputs_steps_of_cells(size, rng):
    a, w = (rng.integers(-9, 9, (size, size + 1)).astype(np.int32) for _ in range(2))
    return 2 * size, a, w


sizes_steps_of_cells = (0, 1, 2, 33, 65)


def relax_plane(steps: i64, a: f64[:, :], b: f64[:, :]):
    for t in range(1, steps):
        b[1:-1, 1:-1] = 0.2 * (a[1:-1, 1:-1] + a[1:-1, :-2] + a[1:-1, 2:] + a[2:, 1:-1] + a[:-2, 1:-1])
        a[1:-1, 1:-1] = 0.2 * (b[1:-1, 1:-1] + b[1:-1, :-2] + b[1:-1, 2:] + b[2:, 1:-1] + b[:-2, 1:-1])


sizes_relax_plane = (0, 1, 2, 3, 7, 31, 33, 65)


def inputs_relax_plane(size, rng):
    shape = size, size + 3
    return 7, rng.random(shape), rng.random((size, size + 4) if size == 33 else shape)


def triangle(alpha: f64, c: f64[:, :], a: f64[:, :]):
    """`c` may be larger than what is updated."""
    for i in range(a.shape[0]):
        for k in range(a.shape[1]):
            c[i, :i + 1] += alpha * a[i, k] * a[:i + 1, k]


def inputs_triangle(size, rng):
    return 1.5, rng.random((other(size), other(size))), rng.random((size, size + 1))


def above_diagonal(a: f64[:, :], b: f64[:, :]):
    """`a` may have more columns than rows of `b`."""
    for i in range(b.shape[0]):
        for j in range(b.shape[1]):
            b[i, j] += np.dot(a[i + 1:, i], b[i + 1:, j])


def inputs_above_diagonal(size, rng):
    return rng.random((size, other(size))), rng.random((size, 5))


def named_by_scalar(n: i64, data: f64[:, :]) -> f64[:, :]:
    """The scalar may be less than the size that it usually is; if it is more, NumPy raises an exception."""
    out = np.zeros((n, n))
    for i in range(n):
        out[i, i:n] = data[:, i] @ data[:, i:n]
    return out


def inputs_named_by_scalar(size, rng):
    columns = {3: 2, 31: 33}.get(size, size)
    return size, rng.random((size + 1, columns))


def both_rows(a: f64[:, :], b: f64[:, :], x: f64[:], y: f64[:]) -> f64[:]:
    """One loop for both rows, where they are of one length."""
    return a @ x + b @ y


def inputs_both_rows(size, rng):
    more, single = other(size), {33: "a", 65: "b"}.get(size)  # whose one row is added to all of the other's
    a, b = rng.random((1 if single == "a" else size, size)), rng.random((1 if single == "b" else size, more))
    return a, b, rng.random(size), rng.random(more)


def through_a_row(d: f64[:, :]):
    """The sizes of one array."""
    for k in range(d.shape[0]):
        d[:] = np.minimum(d[:], np.add.outer(d[:, k], d[k, :]))


def inputs_through_a_row(size, rng):
    return (rng.random((size, other(size))),)


def changed_scalar(n: i64, a: f64[:], b: f64[:], out: f64[:]):
    """What is assigned to is no size any more."""
    n = n // 2
    out[:n] = a[:n] + b[:n]


def inputs_changed_scalar(size, rng):
    return size, rng.random(size), rng.random(other(size)), rng.random(size)


def frame(inner: f64[:], outer: f64[:]):
    """Never of one size: there is no version for that."""
    inner[:] = 0.5 * (outer[2:] - outer[:-2])


def inputs_frame(size, rng):
    return rng.random(size), rng.random(size + 2)
