"""Loops from run to run: ties, equal neighbours, what is sorted, rising stretches; NaN; what only looks like it."""
from __future__ import annotations

import numpy as np

SIZES = (0, 1, 2, 7, 129, 700)


def ranks(x: f64[N]):
    """Of ties the mean."""
    order = np.argsort(x, kind="stable")
    r = np.empty(len(x))
    i = 0
    n = len(x)
    while i < n:
        j = i
        while j + 1 < n and x[order[j + 1]] == x[order[i]]:
            j += 1
        m = (i + j) / 2 + 1
        for k in range(i, j + 1):
            r[order[k]] = m
        i = j + 1
    return r, i


def inputs_ranks(size, rng):
    x = rng.integers(0, 1 + size // 3, size) * 1.0
    x[size // 2:size // 2 + 2] = np.nan
    return (x,)


def lengths(x: i64[N], first: i64[N], count: i64[N]):
    """The run's end counted from its begin, in arrays that the caller has."""
    at = 0
    best, where = 0, -1
    i = 2
    while i < len(x):
        run = 1
        while i + run < len(x) and x[i] == x[i + run]:
            run += 1
        first[at] = x[i]
        count[at] = run
        at += 1
        if run > best:
            best = run
            where = i
        i += run
    return at, best, where


def inputs_lengths(size, rng):
    return np.sort(rng.integers(0, 1 + size // 5, size)), np.zeros(size, dtype=np.int64), np.zeros(size, dtype=np.int64)


def listed(x: i64[N]):
    values, counts = [0], [0]
    i = 0
    while i < len(x):
        j = i + 1
        while j < len(x) and x[j] == x[i]:
            j += 1
        values.append(x[i])
        counts.append(j - i)
        i = j
    return np.array(values), np.array(counts)


def inputs_listed(size, rng):
    return (rng.integers(0, 3, size),)


def rising(x: f64[N], out: f64[N]):
    """Neighbours that rise; what the stretch does with its elements."""
    i = 0
    while i < len(x):
        j = i
        low = x[i]
        while j + 1 < len(x) and x[j] <= x[j + 1]:
            j += 1
        for k in range(i, j + 1):
            out[k] = (x[k] - low) / (1 + x[j] - low)
        i = j + 1
    return out.sum()


def inputs_rising(size, rng):
    x = np.round(rng.standard_normal(size), 1)
    x[size // 3:size // 3 + 1] = np.nan
    return x, np.zeros(size)


def otherwise(x: f64[N], y: f64[N]):
    """What a run changes decides where the next one begins; not equal to the first; a gap between runs."""
    a, i = 0.0, 0
    while i < len(x):
        j = i + 1
        while j < len(x) and x[j] == x[i]:
            j += 1
        if j < len(x):
            x[j] = np.floor(x[j] * 0.5)
        a += j - i
        i = j
    b, i = 0.0, 0
    while i < len(y):
        j = i + 1
        while j < len(y) and y[j] < y[i] + 1.0:
            j += 1
        b = b * 0.5 + y[j - 1]
        i = j
    c, i = 0, 0
    while i < len(y):
        j = i + 1
        while j < len(y) and y[j] == y[i]:
            j += 1
        c += 1
        i = j + 1
    return a, b, c, j


def inputs_otherwise(size, rng):
    return rng.integers(0, 3, size + 1) * 1.0, np.sort(rng.integers(0, 1 + size // 4, size + 1)) * 0.5


def chosen(x: f64[N], at: i64[M], out: i64[M]):
    """Places that count from the end."""
    m, i = 0, 0
    while i < len(at):
        j = i + 1
        while j < len(at) and x[at[j]] == x[at[i]]:
            j += 1
        out[m] = j - i
        m += 1
        i = j
    i, shifted = 0, 0
    while i < len(x):
        j = i + 1
        while j < len(x) and x[j - 1] == x[i - 1]:
            j += 1
        shifted = 3 * shifted % 1009 + j
        i = j
    return m, shifted


def inputs_chosen(size, rng):
    at = rng.integers(-size, size, size) if size else np.zeros(0, dtype=np.int64)
    return rng.integers(0, 2, size) * 1.0, at, np.zeros(size, dtype=np.int64)


def counted(x: i64[N], on: bool[N], sizes: i64[N]):
    """Lists of runs made at their ends; how long something held, in an array, with what is left at the end."""
    values, counts = [], []
    c = 1
    for i in range(1, len(x)):
        if x[i] == x[i - 1]:
            c += 1
        else:
            values.append(x[i - 1])
            counts.append(c)
            c = 1
    values.append(x[-1])
    counts.append(c)
    held, at, total = 3, 0, 0
    for i in range(len(on)):
        if not on[i]:
            sizes[at] = held
            total += held * i
            at += 1
            held = 0
        else:
            held += 1
    return np.array(values), np.array(counts), held, at, total


def groups(key: i64[N], x: f64[N], out: f64[N]):
    """What each position of a run does on the way."""
    m, i = 0, 0
    while i < len(key):
        j = i
        s, most = 0.0, -np.inf
        while j < len(key) and key[j] == key[i]:
            s += x[j]
            j += 1
            most = max(most, x[j - 1])
        out[m] = s / (j - i) + most
        m += 1
        i = j
    return m


def inputs_groups(size, rng):
    return np.sort(rng.integers(0, 1 + size // 9, size)), rng.integers(-99, 99, size) / 8, np.zeros(size)


def inputs_counted(size, rng):
    return rng.integers(0, 3, size + 1), rng.random(size + 1) < 0.7, np.zeros(size + 1, dtype=np.int64)


def windows(t: f64[N], y: f64[N], w: float):
    """Both ends move on through times that ascend, or do not; times that are equal, and no numbers."""
    out = np.zeros(len(t))
    first = np.zeros(len(t), dtype=np.int64)
    lo = hi = 0
    for i in range(len(t)):
        while t[lo] < t[i] - w:
            lo += 1
        while hi < len(t) and t[hi] <= t[i] + w:
            hi += 1
        s = 0.0
        for k in range(lo, hi):
            s += y[k]
        out[i] = s
        first[i] = lo
    back = 0
    spans = np.zeros(len(t), dtype=np.int64)
    for i in range(1, len(t)):
        while back < i and t[i] - t[back] > w:
            back += 1
        spans[i] = i - back
    return out, first, lo, hi, spans, back


def inputs_windows(size, rng):
    t = np.sort(rng.integers(0, 1 + 2 * size, size)) / 4
    if size > 5 and size % 2:
        t[[1, size // 2]] = t[[size // 2, 1]] if size % 3 else [np.nan, t[1]]
    return t, rng.integers(-9, 9, size) * 1.0, 1.5


def merged(a: i64[N], b: i64[M], c: f64[M]):
    """How many of the one are less than each of the other; a place that another statement moves, and one that is read before."""
    j = less = 0
    nearest = np.zeros(len(a))
    for i in range(len(a)):
        x = a[i] * 2
        while j < len(b) and b[j] < x:
            j += 1
        less += j
        nearest[i] = c[j] if j < len(b) else -1.0
    k = skipped = 0
    for v in a:
        while k < len(b) and b[k] < v:
            k += 1
        if k < len(b) and b[k] == v:
            k += 1
            skipped += 1
    m = seen = 0
    for v in a:
        seen += m
        while m < len(b) and b[m] <= v:
            m += 1
    between = np.zeros(len(a))
    e = 0
    for i in range(len(a)):
        while e < len(b) - 2 and b[e + 1] < a[i]:
            e += 1
        if e + 1 < len(b):
            between[i] = (a[i] - b[e]) * c[e + 1]
    return less, j, nearest, skipped, k, seen, m, between


def inputs_merged(size, rng):
    a, b = np.sort(rng.integers(0, 1 + size, size)), np.sort(rng.integers(0, 2 * size + 1, 2 * size))
    return (a if size % 2 else rng.permutation(a)), b, rng.random(2 * size)
