"""Nests by diagonals whose rows are those of the iteration before: copied, renamed, in place, made anew; and what they fold."""
from __future__ import annotations

import numpy as np

SIZES = (0, 1, 2, 33, 70)


def make_inputs(size, rng):
    return rng.integers(0, 3, size), rng.integers(0, 3, size + size // 2)


def edits(a: i64[M], b: i64[N]):
    n, m = len(a), len(b)
    prev = np.arange(m + 1)
    for i in range(1, n + 1):
        cur = np.empty(m + 1, dtype=np.int64)
        cur[0] = i
        for j in range(1, m + 1):
            cur[j] = min(prev[j] + 1, cur[j - 1] + 1, prev[j - 1] + (a[i - 1] != b[j - 1]))
        prev = cur
    return prev[m]


def copied(a: i64[M], b: i64[N]):
    """The last element of a row is never stored."""
    n, m = len(a), len(b)
    prev = np.arange(m + 2)
    cur = np.full(m + 2, -7)
    for i in range(1, n + 1):
        cur[0] = i
        for j in range(1, m + 1):
            cost = 0 if a[i - 1] == b[j - 1] else 1
            cur[j] = min(prev[j] + 1, cur[j - 1] + 1, prev[j - 1] + cost)
        prev[:] = cur
    return prev, cur


def renamed(a: i64[M], b: i64[N]):
    n, m = len(a), len(b)
    prev = np.arange(m + 1)
    cur = np.zeros(m + 1, dtype=np.int64)
    for i in range(1, n + 1):
        cur[0] = i
        for j in range(1, m + 1):
            cur[j] = min(prev[j] + 1, cur[j - 1] + 1, prev[j - 1] + abs(a[i - 1] - b[j - 1]))
        prev, cur = cur, prev
    return prev[m]


def partly_renamed(a: i64[M], b: i64[N]):
    """Elements that no step stores change names as well."""
    n, m = len(a), len(b)
    prev = np.arange(m + 1)
    cur = np.full(m + 1, 100)
    for i in range(n):
        for j in range(1, m + 1):
            cur[j] = min(prev[j], cur[j - 1], prev[j - 1]) + abs(a[i] - b[j - 1])
        prev, cur = cur, prev
    return prev, cur


def subsequence(a: i64[M], b: i64[N]):
    """One row; what it was is in a scalar."""
    d = np.zeros(len(b) + 1, dtype=np.int64)
    for i in range(len(a)):
        diag = 0
        for j in range(len(b)):
            t = d[j + 1]
            if a[i] == b[j]:
                d[j + 1] = diag + 1
            elif d[j] > d[j + 1]:
                d[j + 1] = d[j]
            diag = t
    return d


def with_border(a: i64[M], b: i64[N]):
    d = np.arange(len(b) + 1)
    for i in range(len(a)):
        diag = d[0]
        d[0] = i + 1
        for j in range(len(b)):
            up = d[j + 1]
            d[j + 1] = min(diag + (a[i] != b[j]), up + 1, d[j] + 1)
            diag = up
    return d


def to_both_sides(x: f64[N], steps: int):
    """Reads what the row before had on the right, and a border of the step's."""
    for t in range(steps):
        x[0] = t
        for i in range(1, len(x) - 1):
            x[i] = 0.5 * (x[i - 1] + x[i + 1]) + 0.125 * x[i]


def inputs_to_both_sides(size, rng):
    return rng.random(size + 2), size


def local(a: i64[M], b: i64[N], gap: int):
    n, m = len(a), len(b)
    prev = np.zeros(m + 1, dtype=np.int64)
    best = 0
    for i in range(1, n + 1):
        cur = np.zeros(m + 1, dtype=np.int64)
        for j in range(1, m + 1):
            s = 2 if a[i - 1] == b[j - 1] else -1
            h = max(0, prev[j - 1] + s, prev[j] - gap, cur[j - 1] - gap)
            cur[j] = h
            if h > best:
                best = h
        prev = cur
    return best


def inputs_local(size, rng):
    return (*make_inputs(size, rng), 1)


def affine(a: i64[M], b: i64[N], opens: int):
    """Three rows; ends of rows are results."""
    n, m = len(a), len(b)
    h = np.zeros(m + 1, dtype=np.int64)
    gaps = np.full(m + 1, -1000)
    ends = np.zeros(n, dtype=np.int64)
    for i in range(n):
        above = h.copy()
        left = -1000
        for j in range(1, m + 1):
            gaps[j] = max(gaps[j] - 1, above[j] - opens)
            left = max(left - 1, h[j - 1] - opens)
            h[j] = max(0, above[j - 1] + (2 if a[i] == b[j - 1] else -1), gaps[j], left)
        ends[i] = h[m]
    return h, gaps, ends


inputs_affine = inputs_local


def warped(a: f64[M], b: f64[N]):
    n, m = len(a), len(b)
    prev = np.full(m + 1, np.inf)
    prev[0] = 0.0
    for i in range(n):
        cur = np.full(m + 1, np.inf)
        for j in range(m):
            cur[j + 1] = abs(a[i] - b[j]) + min(prev[j], prev[j + 1], cur[j])
        prev = cur
    return prev[m]


def inputs_warped(size, rng):
    return rng.random(size), rng.random(size + 3)


def cheapest(g: f64[M, N]):
    """The border is part of the loop."""
    n, m = g.shape
    d = g.copy()
    for j in range(1, m):
        d[0, j] += d[0, j - 1]
    for i in range(1, n):
        d[i, 0] += d[i - 1, 0]
        for j in range(1, m):
            d[i, j] += min(d[i - 1, j], d[i, j - 1])
        d[i, m - 1] += 0.5
    return d


def inputs_cheapest(size, rng):
    return (rng.random((size + 1, size + 5)),)


def best_with_place(a: i64[M], b: i64[N], gap: int):
    n, m = len(a), len(b)
    h = np.zeros((n + 1, m + 1), dtype=np.int64)
    best = 0
    bi, bj = 0, 0
    for i in range(1, n + 1):
        for j in range(1, m + 1):
            s = 2 if a[i - 1] == b[j - 1] else -1
            h[i, j] = max(0, h[i - 1, j - 1] + s, h[i - 1, j] - gap, h[i, j - 1] - gap)
            if h[i, j] > best:
                best = h[i, j]
                bi, bj = i, j
    return best, bi, bj, h


inputs_best_with_place = inputs_local


def smallest_of_all(a: i64[M], b: i64[N]):
    h = np.zeros((len(a) + 1, len(b) + 1), dtype=np.int64)
    worst, total = 0, 0
    for i in range(1, len(a) + 1):
        for j in range(1, len(b) + 1):
            h[i, j] = min(h[i - 1, j], h[i, j - 1]) + (a[i - 1] - b[j - 1])
            worst = min(worst, h[i, j])
            total += h[i, j] - h[i - 1, j - 1]
    return worst, total


def stored_again(A: f64[M, N]):
    """What is folded is stored once more by the next row."""
    most = 0.0
    for i in range(1, A.shape[0]):
        for j in range(1, A.shape[1]):
            A[i, j] += 0.5 * max(A[i - 1, j], A[i, j - 1])
            A[i - 1, j] = 0.25 * A[i, j]
            most = max(most, A[i, j])
    return most


inputs_stored_again = inputs_cheapest


def read_behind(a: i64[M], b: i64[N]):
    """Rows are read when they have changed names; and one is filled when its border is set."""
    n, m = len(a), len(b)
    prev = np.arange(m + 1)
    cur = np.zeros(m + 1, dtype=np.int64)
    row = np.zeros(m + 1, dtype=np.int64)
    ends = np.zeros(n, dtype=np.int64)
    for i in range(1, n + 1):
        cur[0] = i
        row[0] = 5
        row[:] = -i
        at_end = row[m]
        for j in range(1, m + 1):
            cur[j] = min(prev[j] + 1, cur[j - 1] + 1, prev[j - 1] + abs(a[i - 1] - b[j - 1]))
            row[j] = max(row[j - 1] + at_end, cur[j])
        prev, cur = cur, prev
        ends[i - 1] = prev[m] + row[0]
    return ends, row


def elsewhere(a: i64[M], b: i64[N]):
    """What is folded is the same element by another subscript, before it is stored."""
    h = np.zeros((len(a) + 2, len(b) + 2), dtype=np.int64)
    most = 0
    for i in range(1, len(a) + 1):
        for j in range(1, len(b) + 1):
            k = j + b[j - 1] - b[j - 1]
            most = max(most, h[i, k] + 1)
            h[i, j] = max(h[i - 1, j], h[i, j - 1]) + a[i - 1]
    return most


def by_branches(a: i64[M], b: i64[N]):
    """What is folded is set by branches, of which the second one stores as well."""
    h = np.zeros((len(a) + 1, len(b) + 1), dtype=np.int64)
    most, least = 0, 0
    for i in range(1, len(a) + 1):
        for j in range(1, len(b) + 1):
            if a[i - 1] == b[j - 1]:
                s = 2
            else:
                s = -1
            h[i, j] = max(0, h[i - 1, j - 1] + s, h[i, j - 1] - 1, h[i - 1, j] - 1)
            most = max(most, h[i, j] + s)
    for i in range(1, len(a) + 1):
        for j in range(1, len(b) + 1):
            if a[i - 1] == b[j - 1]:
                s = 3
                h[i, j] = max(h[i - 1, j], h[i, j - 1]) + s
            else:
                s = -4
                h[i, j] = min(h[i - 1, j], h[i, j - 1])
            least = min(least, h[i, j] + s)
    return most, least, h


def by_lists(a: i64[M], b: i64[N]):
    """Rows that are lists, which grow in a step and take the place of the one before; a list read behind the loop."""
    before = list(range(len(b) + 1))
    for i, x in enumerate(a, 1):
        row = [i]
        for j, y in enumerate(b, 1):
            row.append(min(before[j] + 1, row[j - 1] + 1, before[j - 1] + abs(x - y)))
        before = row
    ways = [1] * (len(b) + 1)
    for x in a:
        more = [1]
        for j in range(len(b)):
            more.append((more[-1] + ways[j + 1] * x + b[j]) % 1009)
        ways = more
    return before[-1], np.array(before), sum(ways)
