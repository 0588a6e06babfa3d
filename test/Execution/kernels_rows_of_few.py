"""Rows of two to four elements that a loop collects into: a number each. Powers by constants, which are products there."""
from __future__ import annotations

import numpy as np

SIZES = (0, 1, 2, 3, 33, 130)


def forces(p: f64[N, 3], m: f64[N]):
    acc = np.zeros_like(p)
    for i in range(len(p)):
        for j in range(len(p)):
            if i != j:
                d = p[j] - p[i]
                r = np.sqrt(d @ d + 0.01)
                acc[i] += m[j] * d / r ** 3
    return acc


def inputs_forces(size, rng):
    return rng.random((size, 3)), rng.random(size)


def pairs(p: f32[N, 2], charge: f32[N]):
    """Either one of a pair is pushed."""
    force = np.zeros_like(p)
    for i in range(len(p)):
        for j in range(i + 1, len(p)):
            d = p[j] - p[i]
            push = charge[i] * charge[j] * (d[0] * d[0] + d[1] * d[1] + np.float32(0.01)) ** -1.5
            for c in range(2):
                force[i, c] -= push * d[c]
                force[j, c] += push * d[c]
    return force


def inputs_pairs(size, rng):
    return rng.random((size, 2), dtype=np.float32), rng.random(size, dtype=np.float32)


def moments(x: f64[N]):
    """Loops of few iterations: powers of one number, the largest and the smallest of columns, a product."""
    sums, ends = np.zeros(4), np.array([[np.inf, np.inf], [-np.inf, -np.inf]])
    product = np.ones(2)
    for i in range(len(x)):
        for k in range(4):
            sums[k] += x[i] ** k
        for k in range(2):
            ends[0, k] = min(ends[0, k], x[i] * (k + 1))
            ends[1, k] = max(ends[1, k], x[i] - k)
        product *= x[i] + 0.5
    return sums, ends, product


def inputs_moments(size, rng):
    return (rng.random(size),)


def neighbours(x: f64[N]):
    """An element that is read beside the one that collects: in order."""
    s = np.zeros(3)
    for i in range(len(x)):
        for k in range(1, 3):
            s[k] += x[i] + 0.5 * s[k - 1]
        s[0] += x[i]
    return s


def inputs_neighbours(size, rng):
    return (rng.random(size),)


def powers(x: f64[N], y: f32[N]):
    return (x ** 3, x ** 4, x ** -1, x ** -2, x ** -3, x ** 1.5, x ** -0.5, x ** -1.5, (x * x) ** 0.5,
            y ** np.float32(3), y ** np.float32(-1.5))


def inputs_powers(size, rng):
    return rng.random(size) * 10.0 ** rng.integers(-30, 30, size), rng.random(size, dtype=np.float32) + np.float32(0.1)
