"""Sizes that the types leave open, or name differently: extents of 1 stretch at the call, as in NumPy. A size of these
programs is a place in a list of pairs of shapes."""
from __future__ import annotations

import numpy as np

PAIRS = (
    ((4, 3), (4, 3)), ((4, 3), (4, 1)), ((4, 3), (1, 3)), ((4, 1), (4, 3)), ((1, 3), (4, 3)), ((1, 3), (4, 1)),
    ((4, 1), (1, 3)), ((1, 1), (5, 7)), ((5, 7), (1, 1)), ((0, 3), (1, 3)), ((1, 3), (0, 3)), ((1, 0), (4, 1)),
    ((4, 1), (1, 0)), ((0, 1), (1, 0)), ((1, 1), (1, 1)), ((4, 3), (4, 2)), ((4, 3), (3, 3)), ((0, 3), (2, 3)),
    ((130, 1), (1, 65)), ((33, 70), (33, 1)),
)
SIZES = (0, 1, 2, 5, 6, 7, 9, 12, 15, 18, 19)
VECTORS = ((3, 3), (3, 1), (1, 3), (1, 1), (0, 1), (1, 0), (0, 0), (3, 2), (0, 3), (200, 1), (1, 200))
OF_VECTORS = tuple(range(len(VECTORS)))


def make_inputs(size, rng):
    return tuple(map(rng.random, PAIRS[size]))


def inputs_of_vectors(size, rng):
    return tuple(map(rng.random, VECTORS[size]))


def operators(a: f64[:, :], b: f64[:, :]):
    return a + b, a - b * a, np.maximum(a, b) / (1.0 + b), -b


def stored_part(a: f64[:, :], b: f64[:, :]):
    a[1:, ::2] = 2.0 * b[1:, ::2]


def updated(a: f64[:, :], b: f64[:, :]):
    a += b
    a *= 2.0 - b


def folded(a: f64[:, :], b: f64[:, :]):
    return (a * b).sum(), (a + b).sum(axis=0), np.mean(a - b, axis=1, keepdims=True)


def temporaries(a: f64[:, :], b: f64[:, :]):
    t = a * b
    u = t - a
    t[:1, :1] = 7.0
    return u + t, t.T


def steps(a: f64[:], b: f64[:], n: i64):
    for t in range(n):
        a[1:-1] = 0.5 * a[1:-1] + b[1:-1]
        a[:] = a * 0.5 + b


def until(a: f64[:], b: f64[:]):
    c = np.zeros_like(a)
    c[1:-1] = 2.0 * b[1:-1]
    k = 0.0
    while k < 3.0:
        c[1:-1] = b[1:-1] + a[1:-1]
        k += 1.0 + c[1]
    return c


sizes_until = (0, 1, 2, 3, 4)


def inputs_until(size, rng):
    return tuple(map(rng.random, ((7, 3), (7, 7), (3, 3), (7, 4), (3, 7))[size]))


sizes_steps = (0, 1, 3, 7, 8, 9)


def inputs_steps(size, rng):
    return *inputs_of_vectors(size, rng), 3


def of_data(a: f64[:], b: f64[:], k: i64[:]):
    n = k[0]
    c = np.zeros(b.shape[0])
    c[:] = a[:n] + b
    return c


sizes_of_data = OF_VECTORS


def inputs_of_data(size, rng):
    a, b = VECTORS[size]
    return rng.random(a), rng.random(b), np.array([1 if size % 2 else a])
