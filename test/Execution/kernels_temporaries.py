"""Temporaries that are computed again where they are read, and those that must not be."""
from __future__ import annotations

import numpy as np


def limited(a: f64[N]):
    b = np.zeros_like(a)
    slope = (a[1:] - a[:-1]) * (a[1:] + 1.0)
    b[1:-1] = np.where(slope[1:] * slope[:-1] > 0.0, slope[1:], 0.0)
    return b


def curvature(a: f64[N]):
    slope = (a[1:] - a[:-1]) * 0.5
    bend = (slope[1:] - slope[:-1]) * 0.5
    return bend[1:] * bend[1:] + bend[:-1]


def flux(a: f64[M, N]):
    """Diffusion with limited fluxes: each temporary is read at two places along one axis."""
    b = np.zeros_like(a)
    laplace = 4.0 * a[1:-1, 1:-1] - (a[2:, 1:-1] + a[:-2, 1:-1] + a[1:-1, 2:] + a[1:-1, :-2])
    down = laplace[1:, :] - laplace[:-1, :]
    down = np.where(down * (a[2:-1, 1:-1] - a[1:-2, 1:-1]) > 0.0, 0.0, down)
    right = laplace[:, 1:] - laplace[:, :-1]
    right = np.where(right * (a[1:-1, 2:-1] - a[1:-1, 1:-2]) > 0.0, 0.0, right)
    b[2:-2, 2:-2] = (down[1:, 1:-1] - down[:-1, 1:-1]) + (right[1:-1, 1:] - right[1:-1, :-1])
    return b


def read_backwards(a: i32[N]):
    t = a * a + 3 * a - 1
    return t[::-1] - t


def input_changed(a: f64[N]):
    slope = (a[1:] - a[:-1]) * (a[1:] + 1.0)
    a[:] = 0.0
    a[1:-1] = slope[1:] * slope[:-1]


def in_place(a: f64[N]):
    slope = (a[1:] - a[:-1]) * (a[1:] + 1.0)
    a[1:-1] = slope[1:] * slope[:-1]


def scalar_changed(a: f64[N], k: f64):
    t = (a + k) * (a - k) * a
    k = 2.0 * k
    return t[1:] * k - t[:-1]


def guarded(a: f64[N]):
    b = np.zeros_like(a)
    slope = (a + 1.0) * a * a
    for i in range(a.shape[0]):
        b[i] = slope[i + 1] if i + 1 < a.shape[0] else slope[0]
    return b


def in_a_time_loop(a: f64[N], steps: i64):
    for t in range(steps):
        half = (a[1:] + a[:-1]) * 0.5 - 0.1 * (a[1:] - a[:-1])
        a[1:-1] = a[1:-1] - 0.2 * (half[1:] - half[:-1])
    return a


def inputs_in_a_time_loop(size, rng):
    return rng.random(size), 5


def inputs_flux(size, rng):
    return (rng.random((size, size + 3)),)


def inputs_read_backwards(size, rng):
    return (rng.integers(-50, 50, size).astype(np.int32),)


def inputs_scalar_changed(size, rng):
    return rng.random(size), 1.5


def make_inputs(size, rng):
    return (rng.random(size),)


def against_first_row(a: f64[M, N]):
    a[:, :] = a - a[0, :]


def shortest_paths(a: i32[N, N]):
    for k in range(a.shape[0]):
        a[:, :] = np.minimum(a, a[:, k, None] + a[k, :])


def shifted_and_first_row(a: f64[M, N]):
    a[1:, :] = a[:-1, :] - a[0, :]


def last_column_and_corner(a: f64[M, N]):
    a[:, ::-1] = a[:, ::-1] * 0.5 + a[:, -1:] + a[0, 0]


def inputs_against_first_row(size, rng):
    return (rng.random((max(size, 1), 5)),)


sizes_shortest_paths = (0, 1, 2, 7, 33, 129)  # several tiles a block


def inputs_shortest_paths(size, rng):
    return (rng.integers(-3, 100, (size, size)).astype(np.int32),)


inputs_shifted_and_first_row = inputs_last_column_and_corner = inputs_against_first_row


def chained_triangle(a: f64[N, M]) -> f64[M, M]:
    c = np.zeros((a.shape[1], a.shape[1]))
    for i in range(a.shape[1]):
        c[i, i:] = c[i:, i] = a[:, i] @ a[:, i:] / 2.0
    return c


def chained_overlapping(a: f64[N, M]):
    a[0, 1:] = a[0, :-1] = a[1:, 1:].sum(axis=0)


def chained_thrice(a: f64[N, M]) -> f64[M]:
    d = np.zeros(a.shape[1])
    a[0, :] = a[0, ::-1] = d[:] = a[1:, :].sum(axis=0)
    return d


def chained_narrower(a: f64[N, M]) -> f64[M]:
    c, d = np.zeros(a.shape[1], dtype=np.float32), np.zeros(a.shape[1])
    c[:] = d[:] = a.sum(axis=0)
    return c + d


def chained_through_itself(a: f64[N, M]):
    a[0, :] = a[1, ::-1] = a.sum(axis=0) + a[0, ::-1]


inputs_chained_overlapping = inputs_chained_thrice = inputs_against_first_row


def inputs_chained_triangle(size, rng):
    return (rng.random((min(size, 5), min(size, 65))),)


def inputs_chained_narrower(size, rng):
    return (rng.random((5, size)),)


inputs_chained_through_itself = inputs_chained_narrower


def softmax_of_rows(x: f32[:, :, :, :]) -> f32[:, :, :, :]:
    """Rows behind three dimensions; its functions are quick enough to be computed twice."""
    largest = np.max(x, axis=-1, keepdims=True)
    powers = np.exp(x - largest)
    return powers / np.sum(powers, axis=-1, keepdims=True)


def softmax_of_doubles(x: f64[M, N, K]) -> f64[M, N, K]:
    powers = np.exp(x - np.max(x, axis=-1, keepdims=True))
    total = np.sum(powers, axis=-1, keepdims=True)
    return powers / total


def inputs_softmax_of_rows(size, rng):
    return (rng.random((2, size % 5, 3, max(size, 1)), dtype=np.float32) * 20 - 10,)


def inputs_softmax_of_doubles(size, rng):
    return (rng.random((size % 7, 3, max(size, 1))) * 20 - 10,)


def parallel_under_a_condition(a: f64[M, N], k: int, m: int):
    """Where column k is behind the others: the loop has a parallel and a serial form, each with a temporary of its own."""
    for j in range(m):
        a[:, j] = 0.5 * a[:, j] + 0.25 * a[:, k][::-1]


def inputs_parallel_under_a_condition(size, rng):
    columns = size % 9 + 2
    return rng.random((size + 1, columns)), (columns - 1) * (size % 2), columns // 2


def one_behind_an_unread_sum(a: i64[N], k: i64):
    """A graph of kernels is not kept by a sum that nobody reads."""
    first = a[k].reshape(-1)
    a[k] = k + 2
    k = a.dot(a)
    return first


def inputs_one_behind_an_unread_sum(size, rng):
    return rng.integers(-9, 9, size + 1), np.int64(0)


def at_one_name(x: f64[N], y: f64[N]):
    """The name of the place has another number from there on."""
    squares = np.eye(2)
    total = np.zeros(2)
    i = 0
    while i < 1:
        d = np.zeros(2)
        d[0] = np.sum(x)
        d[1] = np.sum(y)
        s = 0.5 * d
        if len(x) > 0:
            i = 0
            squares[i, 0] += s[i]
            squares[i, 1] += s[i] * s[0]
            i = 1
            squares[i, 0] += s[i]
            squares[i, 1] += s[i] * s[1]
        total = total + s
        i = 2
    return squares, total, np.float64(np.asarray(np.sum(x)))


def inputs_at_one_name(size, rng):
    return rng.random(size), rng.random(size)


def inputs_options_priced(size, rng):
    return rng.random(min(size, 9)) + 0.5, size


def options_priced(price: f64[K], n: int):
    """Each iteration has arrays of its own, one of which is as long as an inner loop tells."""
    out = np.empty(len(price))
    for o in range(len(price)):
        v = np.maximum(price[o] * 1.01 ** (np.arange(n + 1) - n * 0.5) - 1.0, 0.0)
        for i in range(n - 1, -1, -1):
            v[:i + 1] = 0.99 * (0.51 * v[1:i + 2] + 0.49 * v[:i + 1])
        out[o] = v[0]
    return out
