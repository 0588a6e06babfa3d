"""Calls between functions of the file, default values, results of every kind."""
from __future__ import annotations

import numpy as np

SCALE = 3
WEIGHTS = 0.25


def square_plus(x, y):
    return x * x + y


def clamp(x, low, high):
    return min(max(x, low), high)


def both(x):
    return x + 1.0, x - 1.0


def scale_in_place(row, factor):
    row *= factor


def calls_on_scalars(a: f64[N]) -> f64[N]:
    out = np.empty(len(a))
    for i in range(len(a)):
        out[i] = clamp(square_plus(a[i], 0.5), 0.6, 1.2)
    return out


def calls_on_arrays(a: f64[N], b: f64[N]) -> f64[N]:
    return square_plus(a, square_plus(b, 1.0))


def inputs_calls_on_arrays(size, rng):
    return rng.random(size), rng.random(size)


def calls_that_return_tuples(a: f64[N]) -> f64[N]:
    up, down = both(a)
    return up * down


def calls_that_update(m: f64[M, N]):
    for i in range(m.shape[0]):
        scale_in_place(m[i], i + 1.0)


def inputs_calls_that_update(size, rng):
    return (rng.random((size, 3)),)


def constants_of_the_file(a: f64[N]) -> f64[N]:
    return SCALE * a + WEIGHTS


def default_parameter(a: f64[N], block=16) -> f64:
    total = 0.0
    for start in range(0, len(a), block):
        total += np.sum(a[start:start + block])
    return total


def returns_scalars(a: f64[N], n: i64, flag: bool):
    return n + 1, 2.5, flag, not flag, len(a), n / 2


def inputs_returns_scalars(size, rng):
    return rng.random(size), size, size % 2 == 0


def returns_arrays_and_scalars(a: f64[N]) -> tuple[f64[N], i64, f64[N]]:
    doubled = 2.0 * a
    return doubled, len(a), doubled + a


def returns_its_argument(a: f64[N]) -> f64[N]:
    a += 1.0
    return a


def returns_nothing(a: f64[N]):
    a[:] = 0.0


def unnamed_sizes(a: f64[:, :], x: f64[:]) -> f64[:]:
    out = np.zeros(a.shape[0])
    for i in range(a.shape[0]):
        for j in range(x.shape[0]):
            out[i] += a[i, j] * x[j]
    return out


def inputs_unnamed_sizes(size, rng):
    return rng.random((size, size + 1)), rng.random(size + 1)


sizes_unnamed_sizes = (0, 1, 3, 33)


def minima_of_many(x: f64, y: f64, z: f64) -> f64:
    return min(x, y, z) + 10.0 * max(x, y, z) + abs(x - y)


def inputs_minima_of_many(size, rng):
    return tuple(float(v) for v in rng.random(3))


sizes_minima_of_many = (1, 2, 3)


def make_inputs(size, rng):
    return (rng.random(size),)


inputs_tuples_taken_apart = lambda size, rng: (rng.random(size), rng.random(size))


def combined(x, y, z):
    return x * y, x + z


def tuples_taken_apart(a: f64[N], b: f64[N]):
    pair = (b, 2.0)
    both = combined(a, *pair)
    return *both, np.sum(a)
