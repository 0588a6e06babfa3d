"""Arrays that are set first, often to zero, and of which later statements store all, nearly all, or what depends on the call."""
from __future__ import annotations

import numpy as np

SIZES = (0, 1, 2, 3, 16, 33, 101)


def square(size, rng):
    return (rng.standard_normal((size, size)),)


def halves(a: f64[N, N]):
    c = np.zeros_like(a)
    for i in range(a.shape[0]):
        c[i, i:] = a[i, i:] * 2.0
        c[i, :i] = a[i, :i] * 3.0
    return c


def triangle_only(a: f64[N, N]):
    c = np.full_like(a, 7.0)
    for i in range(a.shape[0]):
        c[i, i + 1:] = a[i, i + 1:] * 2.0
        c[i, :i] = a[i, :i] * 3.0
    return c


def borders(a: f64[N]):
    c = np.zeros(a.shape)
    if a.shape[0] > 0:
        c[0] = 1.0
        c[1:] = a[1:] - a[:-1]
    return c


def inputs_borders(size, rng):
    return (rng.standard_normal(size),)


def all_but_the_last(a: f64[N]):
    c = np.ones(a.shape)
    c[:-1] = a[1:] - a[:-1]
    return c


inputs_all_but_the_last = inputs_borders


def two_strides(a: f64[N]):
    c = np.zeros(a.shape)
    c[::2] = a[::2] + 1.0
    c[1::2] = a[1::2] - 1.0
    return c


inputs_two_strides = inputs_borders


def stride_left_over(a: f64[N]):
    c = np.zeros(a.shape)
    c[::3] = a[::3] + 1.0
    c[1::3] = a[1::3] - 1.0
    return c


inputs_stride_left_over = inputs_borders


def read_before(a: f64[N]):
    c = np.full(a.shape, 3.0)
    d = a + c[::-1]
    c[:] = a * 2.0
    return c, d


inputs_read_before = inputs_borders


def read_by_the_next(a: f64[N]):
    c = np.full(a.shape, 3.0)
    for i in range(1, a.shape[0]):
        c[i] = c[i - 1] * 0.5 + a[i]
    return c


inputs_read_by_the_next = inputs_borders


def half_read_then(a: f64[N]):
    """What is read has been stored anew by then, but for one element in `e`."""
    h = a.shape[0] // 2
    c = np.full(a.shape, 3.0)
    e = np.full(a.shape, 4.0)
    c[:h] = a[:h]
    e[:h] = a[:h]
    c[h:] = c[:a.shape[0] - h][::-1] if a.shape[0] == 2 * h else a[h:]
    d = np.sum(c[:h]) + np.sum(e[:h + 1])
    e[h:] = a[h:]
    return c, e, d


inputs_half_read_then = inputs_borders


def columns(a: f64[N, N], s: f64[N]):
    """Each iteration reads what it has stored itself; `t` is not stored in all again, and not read there."""
    q = np.zeros_like(a)
    t = np.full_like(a, 2.0)
    for j in range(a.shape[1]):
        q[:, j] = a[:, j] * s[j]
        t[1:, j] = q[1:, j] + q[:-1, j]
        s[j] = np.sum(q[:, j]) + np.sum(t[1:, j])
    return q


def inputs_columns(size, rng):
    return rng.standard_normal((size, size)), rng.standard_normal(size)


def steps_that_carry(a: f64[N], n: i64):
    """The first step reads what was set, a later one what the one before has stored; n may be 0."""
    t, u, r = np.ones_like(a), np.full_like(a, 3.0), np.full_like(a, 5.0)
    for k in range(n):
        a += t
        t[:] = a * 0.5
        u[1:] = t[1:] * 2.0
        a -= u * 0.25
        r[:] = u + k
    return r


def inputs_steps_that_carry(size, rng):
    return rng.standard_normal(size), size % 4


def depends(a: f64[N], k: i64):
    c = np.zeros(a.shape)
    if k > 2:
        c[:] = a
    d = np.zeros(a.shape)
    for i in range(k, a.shape[0]):
        d[i] = a[i]
    return c, d


def inputs_depends(size, rng):
    return rng.standard_normal(size), size % 5


def through_indices(a: f64[N], at: i64[N]):
    c = np.zeros(a.shape)
    for i in range(a.shape[0]):
        c[at[i]] = a[i]
    return c


def inputs_through_indices(size, rng):
    return rng.standard_normal(size), rng.integers(0, max(size, 1), size)


def mirrored(a: f64[M, N]):
    """A triangle by products and its mirror image make the whole."""
    c = np.zeros((a.shape[1], a.shape[1]))
    for i in range(a.shape[1]):
        c[i:, i] = c[i, i:] = a[:, i] @ a[:, i:]
    return c


def inputs_mirrored(size, rng):
    return (rng.standard_normal((size + 5, size)),)


def product_of_loops(a: f64[M, K], b: f64[K, N]):
    c = np.zeros((a.shape[0], b.shape[1]))
    for i in range(a.shape[0]):
        for j in range(b.shape[1]):
            for k in range(a.shape[1]):
                c[i, j] += a[i, k] * b[k, j]
    return c


def inputs_product_of_loops(size, rng):
    return rng.standard_normal((size, size // 2)), rng.standard_normal((size // 2, size + 1))


def product_in_a_corner(a: f64[N, N], b: f64[N, N]):
    """What lies outside of the product stays as it was set."""
    n = a.shape[0]
    c = np.zeros((n + 2, n + 1))
    c[1:n + 1, :n] += a @ b
    d = np.zeros((n, n))
    for i in range(n):
        for j in range(i + 1):
            for k in range(n):
                d[i, j] += a[i, k] * b[j, k]
    return c, d


def inputs_product_in_a_corner(size, rng):
    return rng.standard_normal((size, size)), rng.standard_normal((size, size))


def product_of_integers(a: i32[N, N], b: i32[N, N]):
    c = np.zeros(a.shape, np.int32)
    c += a @ b
    c += b @ a
    d = np.ones(a.shape, np.int32)
    d += a @ b
    return c, d


def inputs_product_of_integers(size, rng):
    return rng.integers(-99, 99, (size, size)).astype(np.int32), rng.integers(-99, 99, (size, size)).astype(np.int32)


def symmetric_from_zero(a: f64[N, N], b: f64[N, N]):
    """Two products that mask-operands joins, into what starts from zero; b is not finite everywhere."""
    c = np.zeros(a.shape)
    for i in range(a.shape[0]):
        for j in range(b.shape[1]):
            c[:i, j] += b[i, j] * a[i, :i]
            c[i, j] += b[:i, j] @ a[i, :i]
    return c


def inputs_symmetric_from_zero(size, rng):
    b = rng.standard_normal((size, size))
    if size % 2:
        b[size // 2, size // 3] = np.inf
    return rng.standard_normal((size, size)), b


def each_step(a: f64[N, N], steps: i64):
    """In a loop of the host: what a step sets is stored again in this step, or not in all."""
    c = np.zeros(a.shape[0])
    d = np.zeros(a.shape[0])
    total = np.zeros(a.shape[0])
    for t in range(steps):
        c[:] = 0.0
        c[:] = a[t % 3 if a.shape[0] > 2 else 0, :] + t
        d[:] = 1.0
        d[t:] = c[t:]
        total += c * d
    return total


def inputs_each_step(size, rng):
    return rng.standard_normal((size, size)), 4 if size else 0


make_inputs = square


def first_from_outside(a: f64[M, N], r: f64):
    """The first element of the row is never set in the loop."""
    c = np.full(a.shape[1], r)
    for i in range(a.shape[0]):
        for j in range(1, a.shape[1]):
            c[j] = c[j - 1] * 0.5 + a[i, j]
        for j in range(a.shape[1]):
            a[i, j] = c[j]


def inputs_first_from_outside(size, rng):
    return rng.standard_normal((size, size // 2 + 1)), 0.25


def both_ways(a: f64[M, N], r: f64, steps: i64):
    """Scratch as long as the longer axis, in rows and in columns."""
    n, m = a.shape
    u = a.copy()
    c = np.zeros(max(n, m))
    for _ in range(steps):
        for i in range(n):
            c[0] = u[i, 0]
            for j in range(1, m):
                c[j] = (u[i, j] + r * c[j - 1]) / (1.0 + r)
            u[i, m - 1] = c[m - 1]
            for j in range(m - 2, -1, -1):
                u[i, j] = c[j] - r * u[i, j + 1]
        for j in range(m):
            c[0] = u[0, j]
            for i in range(1, n):
                c[i] = (u[i, j] + r * c[i - 1]) / (1.0 + r)
            for i in range(n - 1, -1, -1):
                u[i, j] = c[i]
    return u


def inputs_both_ways(size, rng):
    return rng.standard_normal((size + 1, size // 2 + 1)), 0.25, 3
