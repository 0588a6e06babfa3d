"""Intervals [i, j] made of their parts: by length, those of one length side by side."""
from __future__ import annotations

import numpy as np

SIZES = (1, 2, 3, 33, 70)


def make_inputs(size, rng):
    return (rng.integers(0, 3, size),)


def palindromic_subsequence(s: i64[N]):
    """The diagonal is set in the loop."""
    n = len(s)
    best = np.zeros((n, n), dtype=np.int64)
    for i in range(n - 1, -1, -1):
        best[i, i] = 1
        for j in range(i + 1, n):
            if s[i] == s[j]:
                best[i, j] = best[i + 1, j - 1] + 2
            else:
                best[i, j] = max(best[i + 1, j], best[i, j - 1])
    return best[0, n - 1], best


def palindromes(s: i64[N]):
    """Kept: the longest; how many there are."""
    n = len(s)
    longest = 0
    count = 0
    whole = np.zeros((n, n), dtype=np.bool_)
    for i in range(n - 1, -1, -1):
        for j in range(i, n):
            if s[i] == s[j] and (j - i < 3 or whole[i + 1, j - 1]):
                whole[i, j] = True
                longest = max(longest, j - i + 1)
                count += 1
    return longest, count


def product_order(p: f64[M]):
    """In which order matrices of these sizes are multiplied."""
    n = len(p) - 1
    m = np.zeros((n, n))
    for i in range(n - 2, -1, -1):
        for j in range(i + 1, n):
            best = np.inf
            for k in range(i, j):
                best = min(best, m[i, k] + m[k + 1, j] + p[i] * p[k + 1] * p[j + 1])
            m[i, j] = best
    return m


def inputs_product_order(size, rng):
    return (rng.integers(1, 9, size + 1).astype(np.float64),)


def base_pairs(s: i64[N], t: i32[N, N], least: i64):
    """In place, of a row that counts up; pairs stand apart."""
    n = len(s)
    for j in range(1, n):
        for i in range(j - 1, -1, -1):
            t[i, j] = max(t[i, j], t[i + 1, j], t[i, j - 1])
            if j - i > least and s[i] + s[j] == 2:
                t[i, j] = max(t[i, j], t[i + 1, j - 1] + 1)
            for k in range(i + 1, j):
                t[i, j] = max(t[i, j], t[i, k] + t[k + 1, j])


def inputs_base_pairs(size, rng):
    return rng.integers(0, 3, size), np.zeros((size, size), dtype=np.int32), 2


def balloons(v: i64[N]):
    """Open intervals: parts share their ends."""
    n = len(v)
    won = np.zeros((n, n), dtype=np.int64)
    for i in range(n - 1, -1, -1):
        for j in range(i + 2, n):
            for k in range(i + 1, j):
                won[i, j] = max(won[i, j], won[i, k] + v[i] * v[k] * v[j] + won[k, j])
    return won[0, n - 1]


def not_of_lengths(a: f64[N, N]):
    """Reads what the text has made before, of an interval that is longer."""
    n = a.shape[0]
    for i in range(n - 1, -1, -1):
        for j in range(i + 1, n):
            a[i, j] = a[i, j - 1] + 0.5 * a[i + 1, n - 1] + 0.25 * a[i, j]


def inputs_not_of_lengths(size, rng):
    return (rng.random((size, size)),)
