"""Reductions over all or some axes, with keepdims, for all functions and several dtypes."""
from __future__ import annotations

import numpy as np

SIZES = (0, 1, 2, 3, 7, 31, 32, 33, 127, 128, 129, 257)
MATRIX_SIZES = (1, 2, 3, 31, 33, 65, 129)


def sums_and_products(a: f64[N]):
    return np.sum(a), np.prod(a), a.sum()


def extremes(a: f64[N]):
    return np.max(a), np.min(a), a.max(), np.argmax(a), np.argmin(a)


def means(a: f64[N]):
    return np.mean(a), a.mean()


def folded_again(a: f64[M, N], b: f64[N], n: i64):
    """Folds that are there already, until what they are made of changes."""
    c = (a - a.mean(axis=0)) / (1.0 + a.std(axis=0))
    d = a.var(axis=0) + b.max() - b.min() + (b.max() - b.min())
    for i in range(n):
        d[i % d.shape[0]] += b.mean() - a.sum() + d.max()
        if i == 1:
            b[0] += d.max() - b.mean()
    return c, d, b.mean(), d.max() + np.sum(a * a) + np.sum(a * a), a.var()


def inputs_folded_again(size, rng):
    return rng.random((size, size + 1)), rng.random(size + 1), 3


def integer_reductions(k: i32[N]):
    """Sums and products of narrow integers are made in 64 bits."""
    return np.sum(k), np.prod(k), np.mean(k)


def integer_extremes(k: i32[N]):
    return np.max(k), np.min(k), np.argmax(k), np.argmin(k)


def inputs_integer_reductions(size, rng):
    return (rng.integers(-9, 10, size).astype(np.int32),)


inputs_integer_extremes = inputs_integer_reductions


def unsigned_reductions(k: u16[N]):
    return np.sum(k), np.prod(k), np.any(k), np.all(k)


def inputs_unsigned_reductions(size, rng):
    return (rng.integers(0, 4, size).astype(np.uint16),)


def boolean_reductions(k: bool[N]):
    return np.any(k), np.all(k), np.sum(k), k.any(), k.all()


def inputs_boolean_reductions(size, rng):
    return (rng.random(size) < 0.9,)


def single_precision(x: f32[N]):
    return np.sum(x), np.mean(x), np.prod(x)


def inputs_single_precision(size, rng):
    return ((rng.random(size) + 0.5).astype(np.float32),)


def ties_take_the_first(k: i64[N]):
    return np.argmax(k), np.argmin(k)


def inputs_ties_take_the_first(size, rng):
    return (rng.integers(0, 3, size),)


def nan_propagates(a: f64[N]):
    return np.max(a), np.min(a), np.argmax(a), np.argmin(a), np.sum(a)


def inputs_nan_propagates(size, rng):
    a = rng.random(size)
    a[size // 2::7] = np.nan
    return (a,)


def negative_values(a: f64[N]):
    """A masked-off lane that counted as zero would win."""
    return np.max(a[1:]), np.min(-a[1:])


def inputs_negative_values(size, rng):
    return (-1.0 - rng.random(size),)


def by_rows(m: f64[M, N]):
    return np.sum(m, axis=1), np.max(m, axis=1), np.mean(m, axis=1), np.argmax(m, axis=1)


def by_columns(m: f64[M, N]):
    return np.sum(m, axis=0), np.min(m, axis=0), np.prod(m, axis=0), np.argmin(m, axis=0)


def over_the_last_axis(m: f64[M, N]):
    return np.sum(m, axis=-1), m.max(axis=-1)


def over_everything(m: f64[M, N]):
    return np.sum(m), np.max(m), np.mean(m), np.argmax(m)


def kept_dimensions(m: f64[M, N]):
    return m / np.sum(m, axis=1, keepdims=True), m - np.max(m, axis=0, keepdims=True)


def masks(m: f64[M, N]):
    return np.any(m > 0.99, axis=0), np.all(m > 0.01, axis=1), np.sum(m > 0.5)


def inputs_by_rows(size, rng):
    return (rng.random((size, size + 2)),)


inputs_by_columns = inputs_over_the_last_axis = inputs_over_everything = inputs_kept_dimensions = inputs_by_rows
inputs_masks = inputs_by_rows
sizes_by_rows = sizes_by_columns = sizes_over_the_last_axis = sizes_over_everything = MATRIX_SIZES
sizes_kept_dimensions = sizes_masks = sizes_folded_again = MATRIX_SIZES


def three_axes(t: f64[A, B, C]):
    return np.sum(t, axis=1), np.max(t, axis=(0, 2)), np.sum(t, axis=(1, 2), keepdims=True)


def inputs_three_axes(size, rng):
    return (rng.random((size, 3, size + 1)),)


sizes_three_axes = (1, 2, 3, 33)


def of_an_expression(a: f64[N], b: f64[N]) -> f64:
    return np.sqrt(np.sum((a - b) * (a - b))) + np.max(np.abs(a - b))


def inputs_of_an_expression(size, rng):
    return rng.random(size + 1), rng.random(size + 1)


def of_slices(m: f64[M, N]):
    return np.sum(m[1:, ::2]), np.sum(m[::-1, 1:], axis=0)


inputs_of_slices = inputs_by_rows
sizes_of_slices = MATRIX_SIZES


def in_a_loop(m: f64[M, N]) -> f64[M]:
    out = np.empty(m.shape[0])
    for i in range(m.shape[0]):
        out[i] = np.sum(m[i] * m[i]) / (1.0 + np.max(m[i, :3]))
    return out


inputs_in_a_loop = inputs_by_rows
sizes_in_a_loop = MATRIX_SIZES


def written_as_loops(a: f64[N]):
    total = 0.0
    largest = a[0]
    smallest = a[0]
    count = 0
    for i in range(len(a)):
        total += a[i] * a[i]
        largest = max(largest, a[i])
        if a[i] < smallest:
            smallest = a[i]
        if a[i] > 0.5:
            count += 1
    return total, largest, smallest, count


sizes_written_as_loops = SIZES[1:]


def row_sums_as_loops(m: f64[M, N]) -> f64[M]:
    out = np.zeros(m.shape[0])
    for i in range(m.shape[0]):
        for j in range(m.shape[1]):
            out[i] += m[i, j]
    return out


def column_sums_as_loops(m: f64[M, N]) -> f64[N]:
    out = np.zeros(m.shape[1])
    for i in range(m.shape[0]):
        for j in range(m.shape[1]):
            out[j] += m[i, j]
    return out


inputs_row_sums_as_loops = inputs_column_sums_as_loops = inputs_by_rows
sizes_row_sums_as_loops = sizes_column_sums_as_loops = MATRIX_SIZES


def variance(a: f64[N]) -> f64:
    centred = a - np.mean(a)
    return np.mean(centred * centred)


def make_inputs(size, rng):
    return (rng.random(size) + 0.5,)
