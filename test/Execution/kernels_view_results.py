"""Results that are views: of an argument, of each other. The harness compares what shares memory."""
from __future__ import annotations

import numpy as np

SIZES = (0, 1, 2, 7)
COMPARES_SHARING = True


def inputs_of_matrix(size, rng):
    return (rng.random((size, size + 2)),)


make_inputs = inputs_of_matrix


def part(a: f64[:, :]):
    return a[1:]


def columns(a: f64[:, :]):
    return a[:, ::2], a[:, 1], a[::-1, -2:], a[:, ::-3]


def transposed(a: f64[M, N]):
    return a.T


def part_of_transposed(a: f64[M, N]):
    return a.T[1:, ::-1], a[:, None, 1:], a[None].T


def parts(z: c128[:, :], k: i64[:]):
    z.real[0] += 1.0
    z.imag[:, 1:] = z.real[:, :-1]
    z.real *= 2.0
    k.flat = 3
    return z.real, z.T.imag[1:], np.real(z[::-1]), k.view(np.float64), k[1:].view(np.uint64), np.broadcast_to(k, (2, len(k)))


def inputs_parts(size, rng):
    return rng.random((size + 1, size + 2)) + 1j, rng.integers(0, 9, size + 1)


def row_of_data(a: f64[:, :], k: i64[:]):
    row = a[k[0]]
    row[0] = 5.0
    return row


def inputs_row_of_data(size, rng):
    return rng.random((size + 1, 4)), np.array([size])


def part_of_scalars(a: f64[:], lo: i64, hi: i32):
    a[lo:hi] += 1.0
    return a[lo:hi], lo


def inputs_part_of_scalars(size, rng):
    return rng.random(9), size - 4, np.int32(5 - size)


def part_of_part(a: f64[:, :]):
    inner = a[1:-1, 1:-1]
    return inner[::2].T, inner


def argument_itself(a: f64[:, :]):
    a[:] = 2.0
    return a, a[:, :1], a


def of_local(a: f64[:, :]):
    b = a * 2.0
    return b[1:]


def two_of_local(a: f64[:, :]):
    b = a * 2.0
    return b[1:], b[:, :1]


def local_and_part(a: f64[:, :]):
    b = a * 2.0
    return b.T, b, b


def copies(a: f64[:, :]):
    b = a.copy()
    return b, a[1:].copy(), a + 0.0


def by_helper(a: f64[:, :]):
    return inside(a)


def inside(a):
    return a[1:-1, 1:-1]


def inputs_of_steps(size, rng):
    return rng.random((150 if size == 2 else 5, 7)), size % 4  # several tiles a block


def exchanged(a: f64[M, N], steps: i64) -> f64[M, N]:
    b = np.zeros_like(a)
    for t in range(steps):
        b[1:-1] = 0.5 * (a[2:] + a[:-2])
        a, b = b, a
    return a


inputs_exchanged = inputs_of_steps


def parts_of_exchanged(a: f64[:, :], b: f64[:, :], steps: i64):
    t = 0
    while t < steps:
        b[:] = a * 2.0 + t
        a, b = b, a
        t += 1
    return a[1:], b.T, a


def inputs_parts_of_exchanged(size, rng):
    return rng.random((5, 7)), rng.random((5, 7)), size % 4


def rotated(a: f64[:, :], steps: i64):
    b, c = a + 1.0, a + 2.0
    for t in range(steps):
        a[:, 0] = b[:, 0] - c[:, 0]
        if t != 2:
            a, b, c = b, c, a
    return c[:, ::-1], b


inputs_rotated = inputs_of_steps


def exchanged_locals(a: f64[:, :], steps: i64):
    b, c = a + 1.0, a + 2.0
    for t in range(steps):
        c[:] = b * 0.5
        b, c = c, b
    return b, b[1:], c


inputs_exchanged_locals = inputs_of_steps


def flattened(a: f64[:, :]):
    return a.reshape(-1), a.ravel(), a[1:].reshape(-1), a[..., None]


def of_rows(v: f64[:], n: i64):
    w = v.reshape(-1, n)
    w[:, :1] += 1.0
    return w, w.T, v.reshape(2, n, -1)[1], w[:, 0], v[::n], v[None, ::-n]


def inputs_of_rows(size, rng):
    return rng.random(size * 6), 3


def volumes(a: f64[:, :, :]):
    c, h, w = a.shape
    return a.reshape(c, -1), a.reshape(-1, 4), a.transpose(1, 2, 0).reshape(-1, c), a.reshape(c, h * w).T


def inputs_volumes(size, rng):
    return (rng.random((size, 3, 4)),)


def diagonals(a: f64[:, :]):
    return np.diag(a), np.diagonal(a, 1), np.diag(a, -1)


def through_einsum(a: f64[:, :]):
    d = np.einsum("ii->i", a)
    d += 1.0
    return d


def inputs_through_einsum(size, rng):
    return (rng.random((size, size)),)


def of_local_flattened(a: f64[:, :]):
    b = a * 2.0
    c = a + 1.0
    return b, b.reshape(-1), c.ravel(), np.diag(b), c.T
