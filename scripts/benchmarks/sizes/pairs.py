"""Recurrences over pairs of elements: a whole table, which is the tuned form, two rows, one row, and what they keep the best of. And
a loop whose steps the device decides about."""
from __future__ import annotations

import numpy as np


def table(a: i64[M], b: i64[N]):
    d = np.zeros((len(a) + 1, len(b) + 1), dtype=np.int64)
    for i in range(1, len(a) + 1):
        for j in range(1, len(b) + 1):
            d[i, j] = d[i - 1, j - 1] + 1 if a[i - 1] == b[j - 1] else max(d[i - 1, j], d[i, j - 1])
    return d[-1, -1]


def two_rows(a: i64[M], b: i64[N]):
    prev = np.arange(len(b) + 1)
    for i in range(1, len(a) + 1):
        cur = np.empty(len(b) + 1, dtype=np.int64)
        cur[0] = i
        for j in range(1, len(b) + 1):
            cur[j] = min(prev[j] + 1, cur[j - 1] + 1, prev[j - 1] + (a[i - 1] != b[j - 1]))
        prev = cur
    return prev[len(b)]


def exchanged(a: i64[M], b: i64[N]):
    prev = np.arange(len(b) + 1)
    cur = np.zeros(len(b) + 1, dtype=np.int64)
    for i in range(1, len(a) + 1):
        cur[0] = i
        for j in range(1, len(b) + 1):
            cur[j] = min(prev[j] + 1, cur[j - 1] + 1, prev[j - 1] + abs(a[i - 1] - b[j - 1]))
        prev, cur = cur, prev
    return prev[len(b)]


def one_row(a: i64[M], b: i64[N]):
    d = np.zeros(len(b) + 1, dtype=np.int64)
    for i in range(len(a)):
        diag = 0
        for j in range(len(b)):
            t = d[j + 1]
            d[j + 1] = diag + 1 if a[i] == b[j] else max(d[j + 1], d[j])
            diag = t
    return d[len(b)]


def local_best(a: i64[M], b: i64[N]):
    prev = np.zeros(len(b) + 1, dtype=np.int64)
    best = 0
    for i in range(1, len(a) + 1):
        cur = np.zeros(len(b) + 1, dtype=np.int64)
        for j in range(1, len(b) + 1):
            cur[j] = max(0, prev[j - 1] + (2 if a[i - 1] == b[j - 1] else -1), prev[j] - 1, cur[j - 1] - 1)
            best = max(best, cur[j])
        prev = cur
    return best


def best_place(a: i64[M], b: i64[N]):
    h = np.zeros((len(a) + 1, len(b) + 1), dtype=np.int64)
    best, bi, bj = 0, 0, 0
    for i in range(1, len(a) + 1):
        for j in range(1, len(b) + 1):
            h[i, j] = max(0, h[i - 1, j - 1] + (2 if a[i - 1] == b[j - 1] else -1), h[i - 1, j] - 1, h[i, j - 1] - 1)
            if h[i, j] > best:
                best = h[i, j]
                bi, bj = i, j
    return best, bi, bj


def cheapest_path(a: i64[M], b: i64[N]):
    d = a[:, None] * b[None, :]
    for j in range(1, d.shape[1]):
        d[0, j] += d[0, j - 1]
    for i in range(1, d.shape[0]):
        d[i, 0] += d[i - 1, 0]
        for j in range(1, d.shape[1]):
            d[i, j] += min(d[i - 1, j], d[i, j - 1])
    return d[-1, -1]


def primes(a: i64[M], b: i64[N]):
    """Up to the product of both lengths."""
    is_prime = np.ones(len(a) * len(b) + 1, dtype=np.bool_)
    is_prime[:2] = False
    for i in range(2, int((len(a) * len(b)) ** 0.5) + 1):
        if is_prime[i]:
            is_prime[i * i::i] = False
    return np.count_nonzero(is_prime)


def inputs(name, shape, rng):
    return tuple(rng.integers(0, 4, n) for n in shape)


_SHAPES = ((2000, 2000), (10000, 10000))
CASES = {name: _SHAPES for name in
         ("table", "two_rows", "exchanged", "one_row", "local_best", "best_place", "cheapest_path", "primes")}
