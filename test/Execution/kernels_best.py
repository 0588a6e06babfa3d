"""Loops that keep the best so far, and what goes with it: ties, NaN, several at once, in loops, by place."""
from __future__ import annotations

import math

import numpy as np

SIZES = (0, 1, 2, 7, 33, 300)


def make_inputs(size, rng):
    a = np.round(rng.normal(size=(size, 4100 if size == 2 else 5)), 1)  # with ties; rows of several chunks
    if size > 6:
        a[size // 2, 3] = np.nan
    return a, rng.normal(size=size).round(1)


def row_of_most(a: f64[N, M], b: f64[N]):
    """Arrays that go with it, one of which the best fills in part; an array that every iteration has for itself."""
    best, at = -1.0, -1
    x, y = np.zeros(a.shape[1]), np.full(len(a), 7.0)
    for i in range(a.shape[0]):
        row = a[i] - a[i].mean()
        size = np.abs(row).max() if b[i] > -1 else row[0]
        if size > best:
            best = size
            x[:] = row
            y[:] = 0.0
            y[i] = size / 2
            at = i
    return best, at, x, y


def both_ends(a: f64[N, M], b: f64[N]):
    """Two at once, by < and >, the other way round, of integers and floats, with what all iterations store."""
    low, high = np.inf, -np.inf
    first, last, least = -1, -1, 1000
    k = np.zeros(len(b), np.int64)
    for i in range(len(b)):
        k[i] = np.int64(b[i] * 10)
        n = len(b) - i
        if b[i] < low:
            low = b[i]
            first = i
        if high < b[i]:
            high = b[i]
            last = n
        if i * 7 % 11 < least:
            least = i * 7 % 11
    return low, high, first, last, least, k


def closest(a: f64[N, M], b: f64[N]):
    """Of pairs; what the improvement reads of an outer loop."""
    best, p, q = np.inf, -1, -1
    for i in range(len(b)):
        for j in range(i + 1, len(b)):
            d = abs(b[i] - b[j]) + abs(a[i, 0] - a[j, 0])
            if d < best:
                best, p, q = d, i, j
    return best, p, q


def by_place(a: f64[N, M], b: f64[N]):
    """Compared with the one found so far; the last of several is not the first."""
    at = 0
    for i in range(1, len(b)):
        if b[i] > b[at]:
            at = i
    to = len(b) - 1
    for i in range(len(b)):
        if abs(b[to]) > abs(b[i]):
            to = i
    return at, to


def eliminated(a: f64[N, M], b: f64[N]):
    """A pivot in each step of a serial loop."""
    m = a.copy()
    rows = min(len(a), 40)
    for k in range(min(rows, a.shape[1])):
        p = k
        for r in range(k + 1, rows):
            if abs(m[r, k]) > abs(m[p, k]):
                p = r
        if p != k:
            for c in range(a.shape[1]):
                t = m[k, c]
                m[k, c] = m[p, c]
                m[p, c] = t
        for r in range(k + 1, rows):
            f = m[r, k] / (m[k, k] + 0.5)
            for c in range(k, a.shape[1]):
                m[r, c] -= f * m[k, c]
    return m


def farthest_first(a: f64[N, M], b: f64[N]):
    """Points far from those chosen before."""
    far = np.full(len(b), 1e9)
    chosen = np.zeros(min(len(b), 6), np.int64)
    for s in range(1, len(chosen)):
        for i in range(len(b)):
            far[i] = min(far[i], (b[i] - b[chosen[s - 1]]) ** 2)
        best = -1.0
        for i in range(len(b)):
            if far[i] > best:
                best = far[i]
                chosen[s] = i
    return chosen


def not_so(a: f64[N, M], b: f64[N]):
    """What an earlier one has set stays, is read, or counts; the last of equals; the one before."""
    best, second, count, last = -10.0, -10.0, 0, -1
    marks = np.zeros(len(b))
    for i in range(len(b)):
        if b[i] > best:
            second = best
            best = b[i]
            marks[i] = 1.0
        if b[i] >= second:
            last = i
    top = -10.0
    for i in range(len(b)):
        if b[i] > top:
            top = b[i]
            count += 1
    lowest = 10.0
    for i in range(len(b)):
        if b[i] * 0.5 < lowest:
            lowest = b[i]
    return best, second, count, last, marks, top, lowest


def narrow(a: i32[N], b: f32[N]):
    best, at = b[0] if len(b) else np.float32(0), 0
    for i in range(1, len(b)):
        if b[i] > best:
            best = b[i]
            at = i
    most, other = -100, -1
    for i in range(len(a)):
        if a[i] % 7 > most:
            most = int(a[i] % 7)
            other = i
    return best, at, most, other


def inputs_narrow(size, rng):
    return rng.integers(-50, 50, size).astype(np.int32), rng.random(size).astype(np.float32)


def tree(w: f64[N, N]):
    """Prim's: the nearest of those that are left, none at first."""
    n = len(w)
    inside = np.zeros(n, dtype=bool)
    key = np.full(n, np.inf)
    order = np.zeros(n, dtype=np.int64)
    if n > 0:
        key[0] = 0.0
    total = 0.0
    for step in range(n):
        u = -1
        for v in range(n):
            if not inside[v] and (u == -1 or key[v] < key[u]):
                u = v
        inside[u] = True
        order[step] = u
        total += key[u]
        for v in range(n):
            if not inside[v] and w[u, v] < key[v]:
                key[v] = w[u, v]
    return total, order


def left(key: f64[N], done: bool[N], k: i64[N]):
    at, least = -1, np.inf
    for v in range(len(key)):
        if key[v] < least and not done[v]:
            least = key[v]
            at = v
    most = -1
    for v in range(len(key)):
        if done[v]:
            continue
        if most < 0 or key[most] < key[v]:
            most = v
    none = -1
    for v in range(len(k)):
        if k[v] > 1000 and (none == -1 or k[v] > k[none]):
            none = v
    return at, least, most, none


def inputs_tree(size, rng):
    n = min(size, 40)
    return (rng.random((n, n)),)


def inputs_left(size, rng):
    key = rng.integers(0, 50, size) / 8.0
    key[size // 3:size // 3 + size % 2] = np.nan
    return key, rng.random(size) < 0.5, rng.integers(0, 20, size)


def two_sites(x: i64[N], c: bool[N], f: i64[4]):
    """What only one of the two branches sets stays as it was where the other one finds the best."""
    low = 5
    at = -1
    last = 5
    for i in range(1, x.shape[0] - 1):
        if x[i] < low and not c[i - 1]:
            low = x[i]
            at = i
            last = x[i + 1]
        if x[i] < low:
            low = x[i]
            at = i
    f[0] = last
    f[1] = low
    f[2] = at


def inputs_two_sites(size, rng):
    return rng.integers(-9, 10, size + 50), rng.random(size + 50) < 0.5, np.zeros(4, dtype=np.int64)


def stump(x: f64[N, M], y: i64[N]):
    """A search in a search, whose keys are folds; keys that are nan are never the best."""
    best, feature, level = 2.0, -1, 0.0
    for f in range(x.shape[1]):
        for t in x[:, f]:
            error = np.sum(np.where(x[:, f] <= t, -1, 1) != y) / len(y) + 0 * t
            if error < best:
                best = error
                feature = f
                level = t
    return best, feature, level


def inputs_stump(size, rng):
    x = np.round(rng.random((size, 7)), 2)
    x[rng.random(x.shape) < 0.1] = np.nan
    return x, rng.integers(0, 2, size) * 2 - 1


def determinant(a: f64[N, N]):
    """A search from the step's own row on, in steps that may be the last."""
    m = a.copy()
    n = len(m)
    det = 1.0
    for i in range(n):
        p = i
        for r in range(i + 1, n):
            if abs(m[r, i]) > abs(m[p, i]):
                p = r
        if m[p, i] == 0:
            return 0.0
        if p != i:
            for j in range(n):
                t = m[i, j]
                m[i, j] = m[p, j]
                m[p, j] = t
            det = -det
        det *= m[i, i]
        for r in range(i + 1, n):
            f = m[r, i] / m[i, i]
            for j in range(i, n):
                m[r, j] -= f * m[i, j]
    return det


def inputs_determinant(size, rng):
    n = min(size, 41)
    return (rng.integers(-2, 3, (n, n)) * (rng.random((n, 1)) < 0.97).astype(float),)


def swarm(x: f64[N, M], r: f64[4, N], seen: f64[N]):
    """The best row of all steps under a name that a branch gives, beside each row's own best; names that other branches give."""
    n, m = x.shape
    own = np.full(n, np.inf)
    rows = x.copy()
    best, where, worst = np.inf, np.zeros(m), np.ones(m)
    most = -np.inf
    for t in range(len(r)):
        for i in range(n):
            f = np.sum(np.abs(x[i] - r[t, i]))
            if f < own[i]:
                own[i] = f
                rows[i] = x[i] + t
            if f < best:
                best = f
                where = x[i].copy()
            if f > most:
                worst = where + x[i]
                most = f
            seen[i] += f
        x = x * 0.5 + 0.25 * (where - rows)
    low = where
    for i in range(n):
        if r[0, i] < 0.3:
            low = x[i] * 2
        elif r[0, i] < 0.6:
            low = low + x[i]
        else:
            low = low * 0.5
    return best, where, worst, most, rows, low


def inputs_swarm(size, rng):
    return np.round(rng.normal(size=(size, 3)), 1), rng.random((4, size)), np.zeros(size)
