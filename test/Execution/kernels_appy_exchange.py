"""Names that exchange their arrays from one iteration to the next: pointers change places, nothing is copied."""
from __future__ import annotations

import numpy as np
import appy


@appy.jit
def two_steps(a: f64[N], b: f64[N], steps: i64):
    n = a.shape[0]
    for t in range(steps):
        #pragma parallel for simd
        for i in range(1, n - 1):
            b[i] = (a[i - 1] + a[i] + a[i + 1]) / 3.0
        a, b = b, a


def returned(a: f64[N], steps: i64) -> f64[N]:
    b = np.zeros_like(a)
    for t in range(steps):
        b[1:-1] = 0.5 * (a[2:] + a[:-2])
        a, b = b, a
    return a


def both_returned(a: f64[N], b: f64[N], steps: i64):
    for t in range(steps):
        b[:] = a * 2.0 + t
        a, b = b, a
    a[:] = a + 1.0
    return a, b


def by_a_third_name(a: f64[N], steps: i64) -> f64[N]:
    b = np.ones_like(a)
    for t in range(steps):
        b[:] = b + a
        old = a
        a = b
        b = old
    return a - b


def wave(u: f64[M, N], v: f64[M, N], w: f64[M, N], steps: i64):
    """Three levels in turn."""
    for t in range(steps):
        w[1:-1, 1:-1] = 2.0 * v[1:-1, 1:-1] - u[1:-1, 1:-1] + 0.1 * (v[2:, 1:-1] + v[:-2, 1:-1])
        u, v, w = v, w, u
    return np.sum(v)


def while_loop(a: f64[N], b: f64[N], limit: i64):
    k = 0
    while k < limit:
        b[:] = a * 0.5 + k
        a, b = b, a
        k += 1
    a[:] += 10.0
    return k


def nested(a: f64[N], b: f64[N], steps: i64):
    for s in range(2):
        for t in range(steps):
            b[:] = a[::-1] + t
            a, b = b, a
        a[:] = a * 0.5
    return a


def shifted(a: f64[N], b: f64[N], steps: i64):
    """The odd step, behind pairs of steps in tiles, has a copy of the right side of its own."""
    for t in range(steps):
        b[2:-1] = b[1:-2] + 0.5 * a[2:-1]
        a, b = b, a
    return a


def inputs_shifted(size, rng):
    return rng.random(size + 300), rng.random(size + 300), 60 + size % 7


def inputs_wave(size, rng):
    return rng.random((size, size + 2)), rng.random((size, size + 2)), rng.random((size, size + 2)), size % 7


def inputs_returned(size, rng):
    return rng.random(size), size % 5


inputs_by_a_third_name = inputs_returned
SIZES = (0, 1, 2, 3, 4, 5, 33, 129, 257)


def make_inputs(size, rng):
    return rng.random(size), rng.random(size), size % 6
