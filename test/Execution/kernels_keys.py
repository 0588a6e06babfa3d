"""Folds into elements that the data choose, of floats: the same in each run, in any number of bins, few or many of them.
test_schedules.py runs them by key at every size; here only large calls are."""
from __future__ import annotations

import numpy as np

SIZES = (0, 1, 3, 61, 257)


def numbers(rng, n):
    """Their sums are the same in any order."""
    return rng.integers(-512, 512, n) / 64


def weighed(k: i64[N], w: f64[N], bins: i64):
    """A plain loop, np.bincount and np.add.at."""
    sums = np.zeros(bins)
    for i in range(len(k)):
        sums[k[i]] += w[i]
    at = np.full(bins, 0.5)
    np.add.at(at, k, w)
    return sums, at


sizes_weighed = (0, 1, 7, 61, 257, 1024, 1031)


def inputs_weighed(size, rng):
    # Several tiles; one bin, few and many; all in one bin of many.
    n, bins = {61: (12289, 1), 257: (9001, 1024), 1024: (8192, 1025), 1031: (13007, 3001)}.get(size, (37 * size, 5))
    k = rng.integers(0, bins, n)
    if size == 1031:
        k[100:12000] = 2999
    return k, numbers(rng, n), bins


def histograms(x: f64[N], w: f64[N], edges: f64[E]):
    """np.histogram and np.histogram2d with weights."""
    even, _ = np.histogram(x, 10, (0.0, 1.0), weights=w)
    between, _ = np.histogram(x, edges, weights=w)
    square, _, _ = np.histogram2d(x, w, bins=7, range=((0.0, 1.0), (-8.0, 8.0)), weights=w)
    counts, ends = np.histogram(x, 9)
    heavy, _ = np.histogram(x, 9, weights=w)
    return even, between, square, counts, ends, heavy


sizes_histograms = (1, 61, 257)


def inputs_histograms(size, rng):
    return rng.random(19 * size), numbers(rng, 19 * size), np.sort(rng.random(size // 7 + 2))


def conditions(r: f64[N], k: i32[N], w: f64[N], most: f64, bins: i64):
    """Several folds, by one key and by others, where conditions hold; elements that are left alone keep their sign."""
    h = np.full(bins, -0.0)
    number = np.zeros(bins, np.int64)
    high = np.full(bins, -np.inf, np.float64)
    low = np.full(bins, 4.0)
    product = np.ones(bins)
    total = 0.0
    for i in range(len(k)):
        total += w[i]
        if r[i] < most:
            b = k[i]
            h[b] += w[i]
            number[b] += 1
            high[b] = np.maximum(high[b], w[i])
            if w[i] > 0:
                low[k[i] - 1] = np.minimum(w[i], low[k[i] - 1])
            else:
                product[(3 * i) % bins] *= 1.0 + (w[i] < -7.9)
    return h, np.signbit(h), number, high, low, product, total


def inputs_conditions(size, rng):
    n, bins = 23 * size, 1 + size
    return rng.random(n), rng.integers(0, bins, n).astype(np.int32), numbers(rng, n), 0.4, bins


def outside(k: i64[N], w: f64[N], most: f64, bins: i64):
    """Steps of which none folds, or few do."""
    h = np.zeros(bins)
    for i in range(len(k)):
        if w[i] > most:
            h[k[i]] += w[i]
    return h


sizes_outside = (7, 257, 1031)


def inputs_outside(size, rng):
    n, bins = 5000 if size > 7 else 300, size * 5
    return rng.integers(0, bins, n), numbers(rng, n), 9.0 if size == 257 else 7.9, bins


def kinds(k: i64[N], x: f32[N], z: c128[N], small: i8[N], h: f32[B], c: c128[B], n: i8[B]):
    """Elements of other types, in arrays of the caller's; a number is taken away."""
    for i in range(len(k)):
        h[k[i]] -= x[i]
        c[k[i]] += z[i] * 2
        n[k[i]] += small[i]


sizes_kinds = (0, 1, 61, 257)


def inputs_kinds(size, rng):
    n, bins = (5001, 1029) if size == 257 else (31 * size, 9)
    return (rng.integers(0, bins, n), numbers(rng, n).astype(np.float32), numbers(rng, n) + 1j * numbers(rng, n),
            rng.integers(-9, 9, n).astype(np.int8), np.zeros(bins, np.float32), np.ones(bins, np.complex128),
            np.zeros(bins, np.int8))


def images(k: i64[M, N], row: i64[M], w: f64[M, N], bins: i64):
    """Nests of loops; rows are added to rows that the data choose; one of two indices is the same for all."""
    h = np.zeros((2, bins))
    rows = np.zeros((3, w.shape[1]))
    pairs = np.zeros((bins, 3))
    for i in range(k.shape[0]):
        for j in range(k.shape[1]):
            h[1, k[i, j]] += w[i, j]
    for i in range(k.shape[0]):
        rows[row[i], :] += w[i, :]
    for i in range(k.shape[0]):
        for j in range(1, k.shape[1]):
            pairs[k[i, j], row[i]] += w[i, j - 1] * 2
    return h, rows, pairs


def inputs_images(size, rng):
    m, n = size // 3 + 1, size
    return rng.integers(0, 4, (m, n)), rng.integers(0, 3, m), numbers(rng, (m, n)), 4


def in_steps(k: i64[N], x: f64[N], steps: i64):
    """In a loop of the host, each step from what the one before has made; a sum that is read meanwhile stays serial."""
    h = np.zeros(8)
    for t in range(steps):
        for i in range(len(k)):
            h[k[i]] += x[i] + t
        h[:] = 0.5 * h
    running = np.zeros(8)
    seen = np.zeros(len(k))
    for i in range(len(k)):
        running[k[i]] += x[i]
        seen[i] = running[k[i]]
    return h, seen


def inputs_in_steps(size, rng):
    return rng.integers(0, 8, 7 * size), numbers(rng, 7 * size), 3


def extremes(k: i64[N], x: f64[N], f: f32[N], m: i64[N], bins: i64):
    """As min() and as a branch, NaN among the numbers and where they start from; no number at all for some."""
    low, high = np.full(bins, np.inf), np.full(bins, -0.25)
    least, most = np.full(bins, np.nan), np.zeros(bins, dtype=np.float32)
    top, count = np.full(bins, -3), np.zeros(bins)
    least[1:] = 2.0
    for i in range(len(k)):
        low[k[i]] = min(low[k[i]], x[i])
        high[k[i]] = max(high[k[i]], x[i])
        if x[i] < least[k[i]]:
            least[k[i]] = x[i]
        if most[k[i]] <= f[i]:
            most[k[i]] = f[i]
        if m[i] > top[k[i]]:
            top[k[i]] = m[i]
        count[k[i]] += 1.0
    return low, high, least, most, top, count


def inputs_extremes(size, rng):
    x = numbers(rng, 5 * size)
    x[size:size + 3] = np.nan
    return rng.integers(0, 6, 5 * size), x, rng.random(5 * size).astype(np.float32), rng.integers(-9, 9, 5 * size), 7


def pairs(p: f64[N, 2], w: f64[N], most: f64, g: f64[N]):
    """Of all pairs, each once and both ways: more than there are elements."""
    h, counts = np.zeros(11), np.zeros(11, dtype=np.int64)
    for i in range(len(p)):
        x = p[i, 0]
        for j in range(i + 1, len(p)):
            d = np.hypot(x - p[j, 0], p[i, 1] - p[j, 1])
            if d < most:
                h[int(d * 7)] += w[i] * w[j]
                counts[int(d * 7)] += 1
    for i in range(1, len(p)):
        for j in range(0, i):
            g[int(8 * abs(w[i] - w[j])) % len(p)] -= w[i] - w[j]
    for i in range(len(p)):
        for j in range(len(w)):
            h[int(p[i, 0] * 5) + int(p[j, 1] * 5)] += w[i] * w[j]
    return h, counts


def inputs_pairs(size, rng):
    return rng.random((size, 2)), numbers(rng, size), 1.2, np.zeros(size)
