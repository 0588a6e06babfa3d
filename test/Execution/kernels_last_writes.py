"""Stores to elements that the data choose, several of them to one: the last one in the order of the steps stays."""
from __future__ import annotations

import numpy as np

SIZES = (0, 1, 2, 7, 33, 129, 257)


def elements(p: i64[N], x: f64[N], out: f64[N], down: f32[N]):
    fancy = np.zeros(len(x) + 1, dtype=np.int32)
    for i in range(len(p)):
        out[p[i]] = x[i]
    for i in range(len(p) - 1, -1, -1):
        down[p[i]] = x[i] * 2
    fancy[p] = np.arange(len(p))
    return fancy


def rows(p: i64[N], x: f64[N, M], out: f64[K, M], sums: f64[K, M]):
    total = 0.0
    for i in range(len(p)):
        if x[i, 0] > 0.3:
            out[p[i] % len(out)] = x[i]
            total += x[i, 0]
    for i in range(len(p)):
        k = (p[i] * 7) % len(out)
        for j in range(x.shape[1]):
            sums[k, j] = x[i, j] + i
    return total


def pairs(u: i64[N], v: i64[N], w: f64[N], n: int):
    m = np.zeros((n, n))
    for k in range(len(u)):
        m[u[k], v[k]] = w[k]
        m[v[k], u[k]] = -w[k]
    kind = np.full((n, 2), -1)
    for k in range(len(u)):
        if w[k] > 0.5:
            kind[u[k], 0] = k
            kind[u[k], 1] = v[k]
        else:
            kind[v[k], 1] = k
    return m, kind


def reversed_bits(x: f64[N], bits: int):
    y = np.zeros(1 << bits)
    for i in range(len(x)):
        rev, v = 0, i
        for _ in range(bits):
            rev = (rev << 1) | (v & 1)
            v >>= 1
        y[rev] = x[i]
    return y


def in_order(p: i64[N], x: f64[N], out: f64[N], n: i64[N]):
    """What reads what it stores, or what decides of that, stays as it is."""
    for i in range(len(p)):
        if out[p[i]] < 0.5:
            out[p[i]] = x[i]
    for i in range(len(p)):
        n[i] = p[i] // 2
        if n[i] % 3 > 0:
            x[n[i]] = i
    last = 0
    for i in range(len(p)):
        last = p[i]
        n[last] = i
    return last


def inputs_elements(size, rng):
    return rng.integers(-size, max(size, 1), size), rng.random(size), rng.random(size), rng.random(size).astype(np.float32)


def inputs_rows(size, rng):
    return rng.integers(0, 1000, size), rng.random((size, 5)), rng.random((size // 3 + 1, 5)), rng.random((size // 3 + 1, 5))


def inputs_pairs(size, rng):
    n = size // 4 + 1
    return rng.integers(0, n, size), rng.integers(0, n, size), rng.random(size), n


def inputs_reversed_bits(size, rng):
    return rng.random(size), max(size - 1, 1).bit_length()


def inputs_in_order(size, rng):
    return rng.integers(0, max(size, 1), size), rng.random(size), rng.random(size), rng.integers(0, 9, size)
