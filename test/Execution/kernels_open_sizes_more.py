"""Sizes that the types leave open, or name differently: extents of 1 stretch at the call, as in NumPy. A size of these
programs is a place in a list of pairs of shapes. Of front-end semantics: one target shows them."""
from __future__ import annotations

import numpy as np

PAIRS = (
    ((4, 3), (4, 3)), ((4, 3), (4, 1)), ((4, 3), (1, 3)), ((4, 1), (4, 3)), ((1, 3), (4, 3)), ((1, 3), (4, 1)),
    ((4, 1), (1, 3)), ((1, 1), (5, 7)), ((5, 7), (1, 1)), ((0, 3), (1, 3)), ((1, 3), (0, 3)), ((1, 0), (4, 1)),
    ((4, 1), (1, 0)), ((0, 1), (1, 0)), ((1, 1), (1, 1)), ((4, 3), (4, 2)), ((4, 3), (3, 3)), ((0, 3), (2, 3)),
    ((130, 1), (1, 65)), ((33, 70), (33, 1)),
)
SIZES = tuple(range(len(PAIRS)))
TARGETS = ("cpu",)
VECTORS = ((3, 3), (3, 1), (1, 3), (1, 1), (0, 1), (1, 0), (0, 0), (3, 2), (0, 3), (200, 1), (1, 200))
OF_VECTORS = tuple(range(len(VECTORS)))


def make_inputs(size, rng):
    return tuple(map(rng.random, PAIRS[size]))


def inputs_of_vectors(size, rng):
    return tuple(map(rng.random, VECTORS[size]))


def choices(a: f64[:, :], b: f64[:, :]):
    less = a < b
    return np.where(less, a, b * 2.0), less, np.logical_or(less, a == b)


def by_names(a: f64[M], b: f64[N]):
    return a * b + a


sizes_by_names = OF_VECTORS
inputs_by_names = inputs_of_vectors


def by_constant(a: f64[3], b: f64[:]):
    return a * b


sizes_by_constant = (0, 1, 7)


def inputs_by_constant(size, rng):
    return rng.random(3), rng.random(VECTORS[size][1])


def three(a: f64[:, :], b: f64[:, :], c: f64[:]):
    total = a + b
    return total * c - b, c + a


def inputs_three(size, rng):
    a, b = PAIRS[size]
    return rng.random(a), rng.random(b), rng.random(max(a[1], b[1]) if size % 3 else 1)


def stored(a: f64[:, :], b: f64[:, :]):
    a[:, :] = b


def stored_row(a: f64[:, :], b: f64[:]):
    a[:] = b


def inputs_stored_row(size, rng):
    a, b = PAIRS[size]
    return rng.random(a), rng.random(b[1])


def updated_by_itself(a: f64[:, :], b: f64[:, :]):
    a[:, :] = a * b + a[::-1, :]


def updated_by_name(a: i32[:], b: i32[:]):
    a -= b
    a[:] = a + b


sizes_updated_by_name = OF_VECTORS


def inputs_updated_by_name(size, rng):
    return tuple(rng.integers(-99, 99, n).astype(np.int32) for n in VECTORS[size])


def largest(a: f64[:, :], b: f64[:, :]):
    return (a * b).max(), np.argmin(a + b, axis=1)


def mixed(x, y):
    if x.shape[0] > y.shape[0]:
        return x - y
    return y - x


def by_helper(a: f64[:, :], b: f64[:, :]):
    return mixed(a, b) + mixed(b, a)


def by_rows(a: f64[:, :], b: f64[:, :], out: f64[:, :]):
    for i in range(out.shape[0]):
        out[i, :] = a[i % a.shape[0], :] * b[i % b.shape[0], :]


def inputs_by_rows(size, rng):
    a, b = PAIRS[size]
    shape = (max(a[0], b[0]) if a[0] and b[0] else 0, max(a[1], b[1]))
    return rng.random(a), rng.random(b), rng.random(shape)


sizes_by_rows = tuple(k for k in SIZES if 0 not in sum(PAIRS[k], ()))  # where no row is made, sizes may differ


def repeated(a: f64[:], b: f64[:], n: i64):
    """Where no step is made, sizes need not agree."""
    for t in range(n):
        a += b
    return a.sum()


sizes_repeated = OF_VECTORS


def inputs_repeated(size, rng):
    return *inputs_of_vectors(size, rng), size % 3


def normalised(a: f32[:, :], mean: f32[:, :], deviation: f32[:, :]):
    return (a - mean) / (deviation + 1.0)


def inputs_normalised(size, rng):
    a, b = PAIRS[size]
    return tuple(rng.random(shape).astype(np.float32) for shape in (a, b, (b[0], 1)))


def in_no_iteration(a: f64[N]):
    for j in range(a.shape[0]):
        a[...] += a[:-1] * a
    return 3


def inputs_in_no_iteration(size, rng):
    return (rng.random(size),)


sizes_in_no_iteration = (0, 1, 2, 3)


# The caller repeats the elements: a second program for such calls would be long.
def layers(x: f64[:, :], w: f64[:, :], b: f64[:], scale: f64[:, :], v: f64[:, :], c: f64[:]):
    hidden = np.maximum(x @ w + b, 0.0)
    hidden = np.tanh(hidden * scale) + hidden.sum(axis=0)
    out = hidden @ v + c
    e = np.exp(out - np.max(out, axis=1, keepdims=True))
    return e / e.sum(axis=1, keepdims=True), hidden


def inputs_layers(size, rng):
    n, m, k, p = ((3, 5, 2, 4), (1, 1, 2, 1), (2, 1, 3, 1), (4, 6, 5, 7), (130, 3, 33, 65))[size % 5]
    scale = ((n, k), (1, k), (n, 1), (1, 1))[size // 2 % 4]
    shapes = (n, m), (m, k), k if size % 3 else 1, scale, (k, p), p if size % 4 else 1
    return tuple(rng.normal(size=shape) for shape in shapes)


def rows_updated(a: f64[:, :], b: f64[:, :], weight: f64[:], out: f64[:, :]):
    wide = np.sin(a) * weight + out
    out += np.cumsum(wide, axis=0)
    out /= 1.0 + np.abs(wide).max(axis=1, keepdims=True)
    out -= wide * b * weight


def inputs_rows_updated(size, rng):
    a, b = PAIRS[size]
    shape = np.broadcast_shapes(a, b) if size not in (15, 16, 17) else a
    return rng.random(a), rng.random(b), rng.random(shape[1] if size % 2 else 1), rng.random(shape)
