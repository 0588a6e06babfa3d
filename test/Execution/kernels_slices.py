"""Slices with all signs of bounds and steps, clamped as Python clamps them; negative and computed indices."""

from __future__ import annotations

import numpy as np


def shifted_difference(a: f64[N]):
    return a[1:] - a[:-1]


def reversed_copy(a: f64[N]) -> f64[N]:
    return a[::-1] + 0.0


def every_third(a: f64[N]):
    return a[1::3] * 2.0


def backwards_by_two(a: f64[N]):
    return a[-1:2:-2] + 1.0


def clamped_bounds(a: f64[N]):
    return a[2:1000] + 1.0, a[-1000:3] + 1.0, a[5:2] + 1.0, a[-2:] + 1.0


def computed_bounds(a: f64[N], low: i64, high: i64):
    return a[low:high] * 3.0


def computed_bounds_and_negative_step(a: f64[N], low: i64, high: i64):
    return a[high:low:-1] * 3.0


def inputs_computed_bounds(size, rng):
    return rng.random(size), int(rng.integers(-size - 2, size + 3)), int(rng.integers(-size - 2, size + 3))


inputs_computed_bounds_and_negative_step = inputs_computed_bounds


def fill_every_second(a: f64[N]):
    a[::2] = 7.0
    a[1::2] = -a[1::2]


def interleave(a: f64[N], b: f64[N]):
    out = np.zeros(2 * a.shape[0])
    out[::2] = a
    out[1::2] = b
    return out


def inputs_interleave(size, rng):
    return rng.random(size), rng.random(size)


def shift_right_in_place(a: f64[N]):
    """The right side is read before the left side is written."""
    a[1:] = a[:-1]


def shift_left_in_place(a: f64[N]):
    a[:-1] = a[1:]


def reverse_in_place(a: f64[N]):
    a[:] = a[::-1]


def add_neighbours_in_place(a: f64[N]):
    a[1:-1] += a[:-2] + a[2:]


def last_elements(a: f64[N]) -> f64:
    return a[-1] * 10.0 + a[-2]


sizes_last_elements = (2, 3, 33)


def element_from_the_back(a: f64[N], k: i64) -> f64:
    return a[k]


def inputs_element_from_the_back(size, rng):
    return rng.random(size), int(rng.integers(-size, size))


sizes_element_from_the_back = (1, 2, 3, 33)


def index_wraps_in_a_loop(a: f64[N]) -> f64[N]:
    n = a.shape[0]
    out = np.empty(n)
    for i in range(n):
        out[i] = a[i - 1] - a[-i]
    return out


def rows_and_columns(m: f64[M, N]):
    return m[0] + m[-1], m[:, 0] + m[:, -1], m[1:, ::2] * 2.0


def inputs_rows_and_columns(size, rng):
    return (rng.random((size, size + 2)),)


sizes_rows_and_columns = (1, 2, 3, 7, 33)


def swap_column_order(m: f64[M, N]):
    m[:, :] = m[:, ::-1]


def copy_block(m: f64[M, N]):
    m[1:3, 1:3] = m[0:2, 0:2]


inputs_swap_column_order = inputs_rows_and_columns
inputs_copy_block = inputs_rows_and_columns
sizes_swap_column_order = (0, 1, 3, 33)
sizes_copy_block = (3, 4, 33)


def three_dimensions(t: f64[A, B, C]):
    return t[:, 1, :] + t[:, -1, ::-1], t[..., 0] * 2.0


def inputs_three_dimensions(size, rng):
    return (rng.random((size, 4, 5)),)


sizes_three_dimensions = (0, 1, 3, 33)


def slices_of_slices(a: f64[N]):
    return a[2:][::2][1:] + 0.0


def make_inputs(size, rng):
    return (rng.random(size),)


def axes_behind_an_ellipsis(a: f64[:, :]):
    new = np.newaxis
    return a[..., np.newaxis] * 2.0, a[np.newaxis, ..., None] + 1.0, a[..., new, :].sum(axis=1)


def bytes_of(a: f64[:, :]):
    return a.itemsize, a.nbytes, a[a > 0.5].itemsize


def indices_of_64_bits(a: f64[:], at: u64[:]):
    """NumPy takes those past the largest signed integer as negative."""
    return a[at]


def inputs_indices_of_64_bits(size, rng):
    at = rng.integers(-size, size, size) if size else np.zeros(0, np.int64)
    return rng.random(size), at.astype(np.uint64)


def inputs_axes_behind_an_ellipsis(size, rng):
    return (rng.random((size, 3)),)


inputs_bytes_of = inputs_axes_behind_an_ellipsis


def sizes_by_the_step(a: f64[N], b: f64[M], n: i64):
    """How large the parts are is known in the step alone, where it is checked."""
    total = 0.0
    for i in range(n):
        a[: n * i] = b[: i * n] * 2
        rows = np.reshape(b[: 2 * n * i], (2 * i, n))
        total += rows[:, 0].sum()
        a.flat[b[: a.shape[0]] > 0.5] = a[b[: a.shape[0]] > 0.5] + 1.0
    return total


def inputs_sizes_by_the_step(size, rng):
    return rng.random(size * size + 1), rng.random(2 * size * size + 1), size


sizes_sizes_by_the_step = (0, 1, 2, 5)


def sieve(n: int):
    is_prime = np.ones(n + 1, dtype=bool)
    is_prime[:2] = False
    for i in range(2, int(n ** 0.5) + 1):
        if is_prime[i]:
            is_prime[i * i::i] = False
    return np.flatnonzero(is_prime)


def inputs_sieve(size, rng):
    return (size * 9,)


def computed_steps(a: f64[N], i: int, j: int, k: int):
    b = a[i:j:k] * 2
    c = a.copy()
    c[::k] += 1.0
    c[j:i:-k] = 7.0
    return b, c, a[::k].copy(), a[i::-k].sum(), a[:j:k].copy()


def inputs_computed_steps(size, rng):
    i, j = rng.integers(-size - 2, size + 3, 2)
    return rng.random(size), int(i), int(j), int(rng.choice([-3, -2, -1, 1, 2, 3, 5]))




def step_of_zero(a: f64[N], k: int):
    a[::k] = 1.0
    return a


def inputs_step_of_zero(size, rng):
    return rng.random(size), size % 2


def steps_in_rows(A: f64[M, N], n: int):
    for i in range(A.shape[0]):
        A[i, i::n] *= 2.0
        A[i, ::i + 1] += 1.0
    return A


def inputs_steps_in_rows(size, rng):
    return rng.random((size, 2 * size + 1)), size % 3 + 1


def slices_with_names(a: f64[N]):
    inner = np.s_[1:-1]
    step = slice(None, None, 2)
    first = slice(3)
    b = a.copy()
    b[inner] += 10.0
    b[first] = -1.0
    return a[inner] + 0.0, a[step] * 2.0, a[first] + 1.0, a[slice(1, None)] + 0.0, b


def slices_of_two_axes(a: f64[N, 3]):
    column = np.s_[:, 1:]
    last = np.index_exp[..., -1]
    b = a.copy()
    b[column] = 0.5
    b[last] = 2.0
    return a[column] + 0.0, a[last] + 0.0, a[np.s_[..., 0]] + 0.0, a[np.s_[:, None, 1]] * 1.0, b


def inputs_slices_of_two_axes(size, rng):
    return (rng.random((size, 3)),)


def slices_are_made_once(a: f64[N], n: i64):
    part = np.s_[n:]
    n = 0
    return a[part].sum() + n


def inputs_slices_are_made_once(size, rng):
    return rng.random(size), size // 2
