"""Broadcasting: scalars, axes of extent one, None and np.newaxis, np.where and the two-argument functions."""
from __future__ import annotations

import numpy as np


def outer_sum(a: f64[M], b: f64[N]) -> f64[M, N]:
    return a[:, None] + b[None, :]


def outer_product(a: f64[M], b: f64[N]) -> f64[M, N]:
    return a[:, np.newaxis] * b


def inputs_outer_sum(size, rng):
    return rng.random(size), rng.random(size + 3)


inputs_outer_product = inputs_outer_sum
sizes_outer_sum = sizes_outer_product = (0, 1, 3, 33)


def row_and_column_updates(m: f64[M, N], row: f64[N], column: f64[M]):
    m -= row
    m *= column[:, None]
    m[:, 1:] += m[:, :1]


def inputs_row_and_column_updates(size, rng):
    return rng.random((size, size + 1)), rng.random(size + 1), rng.random(size)


sizes_row_and_column_updates = (0, 1, 3, 33)


def extent_one(a: f64[M, 1], b: f64[1, N]) -> f64[M, N]:
    return a * b - a


def inputs_extent_one(size, rng):
    return rng.random((size, 1)), rng.random((1, size + 2))


sizes_extent_one = (0, 1, 3, 33)


def scalar_operands(a: f64[N], s: f64, k: i64) -> f64[N]:
    return s * a + k - (2 - a) / 4


def inputs_scalar_operands(size, rng):
    return rng.random(size), 2.5, 3


def choose(a: f64[N], b: f64[N]) -> f64[N]:
    return np.where(a > b, a - b, 0.0)


def choose_with_masks(a: f64[N], b: f64[N]) -> f64[N]:
    inside = np.logical_and(a > 0.2, a < 0.8)
    return np.where(inside & (b > 0.5) | ~inside, np.minimum(a, b), np.maximum(a, b))


def inputs_choose(size, rng):
    return rng.random(size), rng.random(size)


inputs_choose_with_masks = inputs_choose


def assign_scalar_and_row(m: f64[M, N], row: f64[N]):
    m[:, :] = row
    m[0:1, :] = 5.0
    m[:, 0] = 1


def inputs_assign_scalar_and_row(size, rng):
    return rng.random((size, size + 1)), rng.random(size + 1)


sizes_assign_scalar_and_row = (0, 1, 3, 33)


def pairwise_distances(x: f64[N, D]) -> f64[N, N]:
    difference = x[:, None, :] - x[None, :, :]
    return np.sqrt(np.sum(difference * difference, axis=2))


def inputs_pairwise_distances(size, rng):
    return (rng.random((size, 3)),)


sizes_pairwise_distances = (0, 1, 3, 33)


def comparisons(a: f64[N], b: f64[N]):
    return a < b, a <= b, a == b, a != b, a > b, a >= b


def inputs_comparisons(size, rng):
    return rng.integers(0, 3, size).astype(np.float64), rng.integers(0, 3, size).astype(np.float64)


def sizes_agree_where_nothing_runs(a: f64[N]):
    odd = a[2::2]
    for j in range(0):
        a[odd > 3] = 1.0
    return odd * a


def inputs_sizes_agree_where_nothing_runs(size, rng):
    return (rng.random(size),)


sizes_sizes_agree_where_nothing_runs = (0, 1, 3)
