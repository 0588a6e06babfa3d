"""Steps that update elements of their neighbours: springs of a chain, elements of a rod, the ends of what lies between two."""
from __future__ import annotations

import numpy as np

SIZES = (1, 2, 3, 7, 33, 257)


def chain(x: f64[N, 3], v: f64[N, 3], k: float, steps: int):
    energy = 0.0
    for _ in range(steps):
        f = np.zeros_like(x)
        for i in range(len(x) - 1):
            d = x[i + 1] - x[i]
            r = np.sqrt(np.sum(d ** 2))
            pull = k * (r - 1.0) * d / r
            f[i] += pull
            f[i + 1] -= pull
            energy += 0.5 * k * (r - 1.0) ** 2
        v += 0.01 * f
        x += 0.01 * v
    return energy


def rod(h: f64[N], e: f64[N], load: f64[N]):
    n = len(h) + 1
    k = np.zeros((n, n))
    b = np.zeros(n)
    for i in range(len(h)):
        s = e[i] / h[i]
        k[i, i] += s
        k[i, i + 1] -= s
        k[i + 1, i] -= s
        k[i + 1, i + 1] += s
        b[i] += load[i] * h[i] / 2
        b[i + 1] += load[i] * h[i] / 2
    return k, b


def shares(a: f64[N], out: f64[N], low: f64[N], count: i64[N]):
    """Three to an element, in the order of the steps; extremes; integers; what is left where the steps read what they update."""
    for i in range(1, len(a) - 1):
        out[i - 1] -= a[i] * 1e8
        out[i] += a[i]
        out[i + 1] += a[i] * 1e-8
    for i in range(len(a) - 1):
        low[i] = min(low[i], a[i + 1])
        low[i + 1] = min(low[i + 1], a[i])
        count[i + 1] += i
        count[i] += 1
    for i in range(len(a) - 1):
        out[i] += low[i]
        out[i + 1] -= out[i]
    last = 0.0
    for i in range(len(a) - 1):
        last = a[i] * 2
        a[i] += 1
        a[i + 1] += last
    return last


def inputs_chain(size, rng):
    return rng.random((size, 3)) + np.arange(size)[:, None], rng.random((size, 3)), 2.0, 3


def inputs_rod(size, rng):
    return rng.random(size) + 0.5, rng.random(size) + 0.5, rng.random(size)


def inputs_shares(size, rng):
    return rng.random(size), rng.random(size), rng.random(size), rng.integers(0, 9, size)
