"""Loops over masks of one array, each point in one mask, in several or in none. test_schedules.py runs them with
the points grouped at every size; here only large calls are."""
from __future__ import annotations

import numpy as np

SIZES = (0, 1, 2, 3, 33, 129, 257)


def rings(x: f64[N], w: f64[N], low: f64, high: f64, bins: i64) -> tuple[f64[bins], i64[bins], f64[bins]]:
    """Sums, counts and means of rings of one width; plain NumPy."""
    sums, counts, means = np.zeros(bins), np.zeros(bins, dtype=np.int64), np.zeros(bins)
    for b in range(bins):
        inside = (x >= low + (high - low) * b / bins) & (x < low + (high - low) * (b + 1) / bins)
        sums[b] = w[inside].sum()
        counts[b] = np.count_nonzero(inside)
        means[b] = w[inside].mean()
    return sums, counts, means


def special(values, size, rng):
    """The values with some of them made what comparisons and sums treat in their own way."""
    for odd in (np.nan, np.inf, -np.inf, -0.0, 0.0, 0.0, -0.0):
        values[rng.integers(0, max(size, 1), size // 30 + 1)[:size]] = odd
    return values


def inputs_rings(size, rng):
    return special(rng.random(size), size, rng), rng.random(size), 0.1, 0.8, 1 + size // 4


def many_points(x: f64[N], w: f64[N], low: f64, high: f64, bins: i64) -> tuple[f64[bins], i64[bins]]:
    """So many that they are grouped without being told to."""
    sums, counts = np.zeros(bins), np.zeros(bins, dtype=np.int64)
    for b in range(bins):
        inside = (x >= low + (high - low) * b / bins) & (x < low + (high - low) * (b + 1) / bins)
        sums[b] = w[inside].sum()
        counts[b] = np.count_nonzero(inside)
    return sums, counts


sizes_many_points = (33, 129)


def inputs_many_points(size, rng):
    n, bins = {33: (4097, 1030), 129: (20011, 2300)}[size]
    return special(rng.random(n), n, rng), rng.random(n), 0.0, 1.0, bins


def carried(x: f64[N], w: f64[N], carry: f32[N], z: c128[N], small: i8[N], n: i64[N], edges: f64[E]) -> tuple[
        f64[E - 1], f32[E - 1], c128[E - 1], i64[E - 1], i64[E - 1]]:
    """Edges of all kinds of distances; elements of several types go with the points, and some do not."""
    sums, most = np.zeros(edges.shape[0] - 1), np.zeros(edges.shape[0] - 1, dtype=np.float32)
    waves = np.zeros(edges.shape[0] - 1, dtype=np.complex128)
    totals, others = np.zeros(edges.shape[0] - 1, dtype=np.int64), np.zeros(edges.shape[0] - 1, dtype=np.int64)
    for b in range(edges.shape[0] - 1):
        total, largest, wave, whole, other = 0.0, np.float32(-9.0), 0j, 0, 0
        for i in range(x.shape[0]):
            if edges[b] < x[i] <= edges[b + 1] and n[i] > -98:
                total += w[i] * x[i]
                largest = max(largest, carry[i])
                wave += z[i]
                whole += small[i]
                other += n[i]
        sums[b], most[b], waves[b], totals[b], others[b] = total, largest, wave, whole, other
    return sums, most, waves, totals, others


sizes_carried = (0, 1, 3, 33, 129)


def inputs_carried(size, rng):
    n, bins = {33: (8193, 1024), 129: (9001, 2047), 257: (16385, 600)}.get(size, (size, 1 + size // 2))
    edges = {
        33: np.logspace(-9, 0, bins + 1),
        129: np.concatenate((np.linspace(0, 1e-3, bins // 2), np.linspace(0.5, 1, bins - bins // 2), [1e300])),
        257: np.concatenate(([-np.inf], np.sort(rng.integers(0, 99, bins - 1) / 99), [np.inf])),
    }.get(size, np.linspace(0.0, 1.0, bins + 1))
    x = special(rng.random(n), n, rng)
    x[:n // 3] = 10.0 ** -rng.integers(0, 12, n // 3)
    x[n // 2:n // 2 + n // 9] = edges[bins // 2]
    return (x, rng.random(n), rng.random(n, dtype=np.float32), rng.random(n) + 1j * rng.random(n),
            rng.integers(-99, 99, n, dtype=np.int8), rng.integers(-99, 99, n), edges)


def annotated(x: f32[N], w: f32[N], edges: f32[E], sums: f32[E - 1], largest: f32[E - 1], least: f32[E - 1]):
    """Branches; accumulators that start from memory, also from -0.0; edges from an array, in any order and with NaN."""
    #pragma parallel for
    for b in range(edges.shape[0] - 1):
        #pragma simd
        for i in range(x.shape[0]):
            value = x[i]
            if edges[b] < value and edges[b + 1] >= value:
                sums[b] += w[i]
                largest[b] = max(largest[b], w[i])
                least[b] = min(least[b], w[i])


def edges_of(size, rng, bins):
    edges = np.sort(rng.random(bins + 1))
    edges[1 + bins // 2:2 + bins // 2] = edges[:1]  # two of them equal
    edges.sort()
    kind = size % 4
    if kind == 2:
        edges[bins // 2], edges[0] = edges[0], edges[bins // 2]  # out of order
    if kind == 3 and size > 3:
        edges[bins // 3] = np.nan
    return edges


def inputs_annotated(size, rng):
    bins = 1 + size // 3
    x = special(rng.random(size), size, rng).astype(np.float32)
    edges = edges_of(size, rng, bins).astype(np.float32)
    start = np.where(rng.random(bins) < 0.5, np.float32(-0.0), np.float32(1.5))
    w = np.where(rng.random(size) < 0.5, np.float32(-0.0), rng.standard_normal(size).astype(np.float32))
    return x, w, edges, start, start.copy(), start.copy()


sizes_signs = SIZES[1:]  # adding up nothing gives 0.0


def signs(x: f64[N], edges: f64[E], w: f64[N], sums: f64[E - 1]) -> f64[E - 1]:
    """The sign of a sum of zeros, from -0.0 on."""
    for b in range(edges.shape[0] - 1):
        for i in range(x.shape[0]):
            sums[b] += w[i] if edges[b] <= x[i] < edges[b + 1] else 0.0
    return 1.0 / sums


def inputs_signs(size, rng):
    bins = 1 + size // 2
    sums = np.where(rng.random(bins) < 0.7, -0.0, 0.0)
    return rng.random(size), np.sort(rng.random(bins + 1)), np.full(size, 0.0), sums


def in_rows(x: f64[M, N], w: f64[N], edges: f64[E], sums: f64[M, E - 1], go: i64):
    """Few rows, and as many as are not grouped; rows from the last one; twice."""
    if go >= 0:
        for r in range(x.shape[0] - 1, -1, -1):
            for b in range(edges.shape[0] - 1):
                for i in range(x.shape[1]):
                    if edges[b] <= x[r, i] < edges[b + 1]:
                        sums[r, b] += w[i]
    for again in range(go):
        for r in range(x.shape[0]):
            for b in range(edges.shape[0] - 1):
                most = sums[r, b]
                for i in range(1, x.shape[1]):
                    if edges[b] <= x[r, i] < edges[b + 1]:
                        most = max(most, w[i] + again)
                sums[r, b] = most


def inputs_in_rows(size, rng):
    rows, edges = (1, 8, 9, 3)[size % 4], edges_of(size, rng, 3 + size // 8)
    if size == 129:  # more rows than are taken one by one, and so long that their sums are cut
        size, rows = 513, 9
    return (np.array([special(rng.random(size), size, rng) for _ in range(rows)]).reshape(rows, size), rng.random(size), edges,
            rng.random((rows, len(edges) - 1)), 2)


def overlapping(x: f64[N], w: f64[N], centres: f64[B], width: f64) -> f64[B]:
    """Masks that have points in common: all points are tested."""
    sums = np.zeros(centres.shape[0])
    for b in range(centres.shape[0]):
        sums[b] = np.sum(w[(centres[b] - width <= x) & (x <= centres[b] + width)])
    return sums


def inputs_overlapping(size, rng):
    bins = 1 + size // 5
    return rng.random(size), rng.random(size), np.arange(bins) / bins, 0.49 / bins if size % 2 else 0.7 / bins


def labels(label: i64[N], w: f64[N], keys: i64[B]) -> tuple[f64[B], f64[B], i64[B]]:
    """By equality with keys in order, or not."""
    sums, largest, counts = np.zeros(keys.shape[0]), np.zeros(keys.shape[0]), np.zeros(keys.shape[0], dtype=np.int64)
    for b in range(keys.shape[0]):
        total, most, count = 0.0, -np.inf, 0
        for i in range(label.shape[0]):
            if label[i] == keys[b]:
                total += w[i]
                most = max(most, w[i])
                count += 1
        sums[b] = total
        largest[b] = most
        counts[b] = count
    return sums, largest, counts


def inputs_labels(size, rng):
    keys = np.cumsum(rng.integers(1, 3, 2 + size // 6)) - 5
    keys[-1] += 2**62
    label = rng.integers(-6, keys[-2] + 2, size)
    label[:1] = keys[-1]
    return label, rng.random(size), keys[::-1].copy() if size == 33 else keys


def clusters(label: i32[N], points: f64[N, D], k: i64) -> f64[k, D]:
    """Updates of arrays; groups of numbers, more of them than points and none."""
    sums = np.zeros((k, points.shape[1]))
    for c in range(k):
        for i in range(label.shape[0]):
            if label[i] == c:
                for d in range(points.shape[1]):
                    sums[c, d] += points[i, d]
    return sums


def inputs_clusters(size, rng):
    k = {0: 3, 1: 0, 2: 1}.get(size, size // 8)
    return rng.integers(-1, max(k, 1), size, dtype=np.int32), rng.random((size, 3)), k


def distances(px: f64[N], py: f64[N], w: f64[N], rings: i64, first: i64) -> f64[rings]:
    """Computed points; a third condition; ranges that do not begin with 0."""
    sums = np.zeros(rings)
    for b in range(1, rings):
        for i in range(first, px.shape[0]):
            radius = np.sqrt(px[i] * px[i] + py[i] * py[i])
            if w[i] > 0.25 and radius >= b / rings and not radius >= 4.0:
                if radius < (b + 1) / rings:
                    sums[b] += w[i]
    return sums


def inputs_distances(size, rng):
    return rng.random(size), rng.random(size), rng.random(size), 2 + size // 9, min(size, 2)


def kept_rows(x: f64[M, N], w: f64[M, N], row: i64, bins: i64) -> f64[bins]:
    """Points of a row; integer edges beside float points."""
    sums = np.zeros(bins)
    for b in range(bins):
        sums[b] = np.sum(np.where(np.logical_and(x[row] > b - 2, x[row] <= b - 1), w[row], 0.0))
    return sums


def inputs_kept_rows(size, rng):
    return size // 10 * rng.random((2, size)) - 2, rng.random((2, size)), -1, 1 + size // 9


def falling(x: f64[N], w: f64[N], bins: i64) -> f64[bins]:
    """Bins that lie one below the other; and the radii of all are negative, so that they hold nothing."""
    sums = np.zeros(bins)
    largest = -1.0
    for b in range(bins):
        sums[b] = np.sum(np.where(np.logical_and(x > -b - 1, x <= -b), w, 0.0))
        sums[b] += np.count_nonzero((largest * b / bins <= x) & (x < largest * (b + 1) / bins))
    return sums


def inputs_falling(size, rng):
    return -9 * rng.random(size), rng.random(size), 1 + size // 9


def repeated(steps: i64, x: f64[N], w: f64[N], bins: i64) -> f64[bins]:
    """In a time loop that moves the points, and sums up what it finds."""
    sums = np.zeros(bins)
    for t in range(steps):
        for b in range(bins):
            inside = (b / bins <= x) & (x < (b + 1) / bins)
            sums[b] += np.sum(w[inside])
        x[:] = 0.75 * x + 0.1
    return sums


def inputs_repeated(size, rng):
    return {33: 9, 257: 2}.get(size, 4), rng.random(size), rng.random(size), 1 + size // 7


def products(x: i16[N], w: i32[N], n: i64) -> tuple[i64[n], i32[n], bool[n], bool[n]]:
    """Other folds, over narrow integers."""
    product, least = np.ones(n, dtype=np.int64), np.zeros(n, dtype=np.int32)
    every, some = np.zeros(n, dtype=np.bool_), np.zeros(n, dtype=np.bool_)
    for b in range(n):
        smallest, are_all, is_any = np.int32(2147483647), True, False
        for i in range(x.shape[0]):
            inside = 3 * b <= x[i] < 3 * b + 3
            product[b] *= w[i] if inside else 1
            smallest = min(smallest, w[i] if inside else np.int32(2147483647))
            are_all = are_all and (not inside or w[i] > 2)
            is_any = is_any or (inside and w[i] > 8)
        least[b] = smallest
        every[b] = are_all
        some[b] = is_any
    return product, least, every, some


def inputs_products(size, rng):
    return rng.integers(-3, size + 3, size, dtype=np.int16), rng.integers(1, 10, size, dtype=np.int32), 1 + size // 3


def outside(x: f64[N], w: f64[N], bins: i64) -> tuple[f64[bins], f64[bins], f64[bins]]:
    """What counts outside of the mask as well, or is no neutral element there, is not grouped."""
    others, last, halves = np.zeros(bins), np.zeros(bins), np.zeros(bins)
    for b in range(bins):
        total, latest, half = 0.0, 0.0, 1.0
        for i in range(x.shape[0]):
            inside = b / bins <= x[i] < (b + 1) / bins
            total += w[i] if not inside else 0.0
            latest = x[i]
            half = max(half * w[i], 1.0) if inside else half * 1.0
        others[b] = total
        last[b] = latest
        halves[b] = half
    return others, last, halves


def inputs_outside(size, rng):
    return rng.random(size), 2 * rng.random(size), 1 + size // 5


def tiles(x: f64[N], w: f64[N], edges: f64[E]) -> tuple[f64[E - 1], i64[E - 1], f64[E - 1], f64[E - 1]]:
    """Points of several tiles, on both sides of a tile's end; groups of none, few and many of them."""
    bins = edges.shape[0] - 1
    sums, counts, most, means = np.zeros(bins), np.zeros(bins, dtype=np.int64), np.zeros(bins), np.zeros(bins)
    for b in range(bins):
        inside = (edges[b] <= x) & (x < edges[b + 1])
        sums[b] = np.sum(np.where(inside, w, 0.0))
        counts[b] = np.count_nonzero(inside)
        most[b] = np.max(np.where(inside, w, -np.inf))
        means[b] = w[inside].mean()
    return sums, counts, most, means


sizes_tiles = (1, 2, 17, 33, 257, 1000)


def inputs_tiles(size, rng):
    # At 17 an edge is NaN, so that all points are tested; at 33 all points but one are in one group.
    n, bins = {17: (4095, 1030), 33: (8192, 1030), 257: (4097, 1030), 1000: (12289, 350)}.get(size, (size, 1 + size))
    edges = np.sort(rng.random(bins + 1))
    edges[bins // 2] = np.nan if size == 17 else edges[bins // 2]
    edges[-1] = np.inf if size == 257 else edges[-1]
    x = special(rng.random(n), n, rng)
    if size == 33:
        x[1:] = edges[1]
    if size == 1000:
        x[rng.integers(0, n, n // 2)] = edges[3]
    w = rng.integers(-512, 512, n) / 64  # their sums are the same in any order
    for at, odd in ((n // 2, np.nan), (n // 3, np.inf), (n // 3 + 1, -np.inf)):
        w[at:at + 1] = odd
    return x, w, edges


def weighted(x: f32[N], a: f32[N], b: i8[N], c: c64[N], scale: f32[1], flags: bool[N], first: i64, edges: f32[E]) -> tuple[
        f32[E - 1], i64[E - 1], c64[E - 1], i32[E - 1], f64[E - 1], bool[E - 1], bool[E - 1], i8[E - 1]]:
    """Expressions of elements, and numbers, of all types; a range that does not begin with 0."""
    bins = edges.shape[0] - 1
    sums, wholes, waves = np.zeros(bins, dtype=np.float32), np.zeros(bins, dtype=np.int64), np.zeros(bins, dtype=np.complex64)
    odd, ones = np.zeros(bins, dtype=np.int32), np.zeros(bins)
    every, some, least = np.zeros(bins, dtype=np.bool_), np.zeros(bins, dtype=np.bool_), np.zeros(bins, dtype=np.int8)
    for g in range(bins):
        total, whole, wave, three, one = np.float32(0), 0, np.complex64(0), np.int32(0), 0.0
        are_all, is_any, smallest = True, False, np.int8(127)
        for i in range(first, x.shape[0]):
            if edges[g] < x[i] <= edges[g + 1]:
                total += a[i] * scale[0] - x[i]
                whole += b[i]
                whole -= 7
                wave += c[i]
                three += np.int32(3)
                one += 1.0
                are_all = are_all and flags[i]
                is_any = is_any or b[i] > 90
                smallest = min(smallest, b[i])
        sums[g], wholes[g], waves[g], odd[g], ones[g] = total, whole, wave, three, one
        every[g], some[g], least[g] = are_all, is_any, smallest
    return sums, wholes, waves, odd, ones, every, some, least


sizes_weighted = (1, 2, 3, 33, 129, 257)


def inputs_weighted(size, rng):
    n, bins = {257: (5003, 2050)}.get(size, (size, 1 + size // 4))
    edges = np.sort(rng.integers(0, 64, bins + 1) / 64).astype(np.float32)
    x = (rng.integers(0, 64, n) / 64).astype(np.float32)
    wave = rng.integers(-9, 9, n) + 1j * rng.integers(-9, 9, n)
    return (x, (rng.integers(-64, 64, n) / 8).astype(np.float32), rng.integers(-99, 99, n, dtype=np.int8),
            wave.astype(np.complex64), np.array([0.5], dtype=np.float32), rng.random(n) < 0.9, min(size, 3) - 1, edges)
