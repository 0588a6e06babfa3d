"""A slice that has a name is a view: writing through it writes the array. An arithmetic result is a new array."""
from __future__ import annotations

import numpy as np


def write_through_a_view(a: f64[N]):
    middle = a[1:-1]
    middle[:] = 0.0
    middle += 3.0


def view_of_a_view(a: f64[N]):
    odd = a[1::2]
    last = odd[-2:]
    last *= 10.0
    return odd[0:1] + 0.0


def copy_is_no_view(a: f64[N]) -> f64[N]:
    b = a.copy()
    b[:] = 1.0
    c = a + 0.0
    c *= 2.0
    return b + c


def view_sees_later_writes(a: f64[N]):
    head = a[:2]
    a[:] = 4.0
    return head + 1.0


def row_views(m: f64[M, N]):
    for i in range(m.shape[0]):
        row = m[i]
        row += i
        row[0] = -1.0


def column_view(m: f64[M, N]):
    column = m[:, 1]
    column[:] = column[::-1]
    return column * 2.0


def transposed(m: f64[M, N]):
    t = m.T
    t[0, :] = 9.0
    return t + 1.0


def transposed_sum(m: f64[M, M]) -> f64[M, M]:
    return m + m.T


def inputs_transposed_sum(size, rng):
    return (rng.random((size, size)),)


def add_transpose_in_place(m: f64[M, M]):
    m += m.T


inputs_add_transpose_in_place = inputs_transposed_sum


def inputs_row_views(size, rng):
    return (rng.random((size, size + 2)),)


inputs_column_view = inputs_transposed = inputs_row_views
sizes_row_views = sizes_column_view = (0, 1, 3, 33)
sizes_transposed = sizes_transposed_sum = sizes_add_transpose_in_place = (0, 1, 3, 33, 65)


def augmented_operators(a: f64[N], b: f64[N]):
    a += b
    a -= 0.5
    a *= b
    a /= 2.0
    a[::2] **= 2
    a //= 0.25
    a %= 3.0


def inputs_augmented_operators(size, rng):
    return rng.random(size) + 1.0, rng.random(size) + 1.0


def augmented_name_of_a_view(a: f64[N]):
    head = a[:5]
    head += head[::-1]


def contiguous_already(a: f64[N]):
    b = np.ascontiguousarray(a)
    b[1:] = b[:-1] + 1.0


def memory_in_order(a: f64[M, N]):
    """reshape() and ravel() of what lies in C's order in NumPy are its memory, of other arrays copies."""
    v = a * 2 + a[:1]
    w = v.reshape(-1)
    w[3] = 5
    u = a.T.copy()
    u.ravel()[2] = 9
    x = np.zeros_like(a)
    x.reshape(-1)[1] = 3
    y = a[np.array([1, 0])]
    y.reshape(-1)[1] = 4
    z = a.T @ a
    z.reshape(-1)[2] = 11
    t = np.cumsum(a, axis=0)
    t.reshape(-1)[1] = 12
    b = np.concatenate((a, a)).reshape(2, -1) * 2
    b.ravel()[3] = 8
    turned = a.T + 1
    read = turned.reshape(-1) * 2
    return v, u, x, y, z, t, b, read


def inputs_memory_in_order(size, rng):
    return (rng.random((size, size + 1)),)


sizes_memory_in_order = (2, 3, 7)


def views_without_dimensions(a: f64[N, N]):
    first = a[0, 0, ...]
    last = a[..., -1, -1]
    a[0, 0] = 5.0
    first[...] *= 3
    if last > 1:
        a[-1, -1] = 7.0
    first += 1
    total = first + last
    seen = total
    total += 1
    for k in range(a.shape[0]):
        one = a[k, 0, ...]
        one += 2
        one[...] = one * last
    return first + 1, total, seen, np.sin(last), first * a[..., 0]


def inputs_views_without_dimensions(size, rng):
    return (rng.random((size + 1, size + 1)) * 3,)


def make_inputs(size, rng):
    return (rng.random(size),)
