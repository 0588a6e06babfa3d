"""Recurrences that also keep where the best of each step came from, which no step asks for; and such that ask."""
from __future__ import annotations

import numpy as np

SIZES = (0, 1, 2, 7, 64, 129, 300)


def make_inputs(size, rng):
    return (rng.normal(size=size),)


def segments(x: f64[N]):
    n = len(x)
    cost = np.zeros(n + 1)
    cut = np.zeros(n + 1, dtype=np.int64)
    for j in range(1, n + 1):
        best = np.inf
        at = 0
        for i in range(j):
            c = cost[i] + abs(x[j - 1] - x[i]) + 0.25 * (j - i)
            if c < best:
                best = c
                at = i
        cost[j] = best
        cut[j] = at
    return cost, cut


def growing(a: f64[N]):
    """An own element that each step lets grow from what it was."""
    n = len(a)
    best = np.ones(n, dtype=np.int64)
    before = np.full(n, -1)
    for i in range(1, n):
        for j in range(i):
            if a[j] < a[i] and best[j] + 1 > best[i]:
                best[i] = best[j] + 1
                before[i] = j
    return best, before


def inputs_pieces(size, rng):
    return (rng.integers(0, 9, size) * 1.0,)


def pieces(p: f64[N]):
    """Equal ones: the first is kept. The place is stored at once."""
    n = len(p)
    r = np.zeros(n + 1)
    first = np.zeros(n + 1, dtype=np.int64)
    for j in range(1, n + 1):
        q = -np.inf
        for i in range(1, j + 1):
            if p[i - 1] + r[j - i] > q:
                q = p[i - 1] + r[j - i]
                first[j] = i
        r[j] = q
    return r, first


def asked(a: f64[N]):
    """Whence one came changes what is asked for."""
    n = len(a)
    best = np.ones(n)
    before = np.zeros(n, dtype=np.int64)
    for i in range(1, n):
        for j in range(i):
            if best[j] + a[j] > best[i] and before[j] < 5:
                best[i] = best[j] + a[j]
                before[i] = before[j] + 1
    return best, before


def forward(a: f64[N]):
    """What the place is found by becomes another thing later."""
    n = len(a)
    best = np.zeros(n)
    at = np.zeros(n, dtype=np.int64)
    for i in range(n):
        for j in range(n):
            if best[j] + a[j] > best[i] + a[i]:
                at[i] = j
        best[i] = best[i - 1] * 0.5 + a[i]
    return best, at


def last_one(a: f64[N]):
    """The place is asked for behind the loop."""
    n = len(a)
    best = np.ones(n)
    came = np.zeros(n, dtype=np.int64)
    at = 0
    for i in range(1, n):
        for j in range(i):
            if best[j] + a[j] > best[i]:
                best[i] = best[j] + a[j]
                at = j
                came[i] = j
    return best, came, at
