"""Segments of one array, an iteration each: rows of CSR matrices, with ends in order and not."""
from __future__ import annotations

import numpy as np

SIZES = (0, 1, 2, 31, 64, 257, 1000)


def ends(size, rng, count=None):
    """Of segments of `size` elements in all, some of them empty."""
    cuts = np.sort(rng.integers(0, size + 1, size // 5 + 1 if count is None else count))
    return np.concatenate([[0], cuts, [size]])


def normalised(starts: i64[M], data: f64[N]):
    for i in range(len(starts) - 1):
        s = 0.0
        for e in range(starts[i], starts[i + 1]):
            s += data[e]
        for e in range(starts[i], starts[i + 1]):
            data[e] /= s
    return data


def inputs_normalised(size, rng):
    return ends(size, rng), rng.random(size) + 1


def softmax_of_edges(starts: i64[M], score: f64[N]):
    out = np.zeros_like(score)
    for i in range(len(starts) - 1):
        a = starts[i]
        b = starts[i + 1]
        if a >= b:
            continue
        m = score[a:b].max()
        e = np.exp(score[a:b] - m)
        out[a:b] = e / e.sum()
    return out


def inputs_softmax_of_edges(size, rng):
    return ends(size, rng), rng.random(size)


def sampled_products(starts: i64[M], indices: i64[N], a: f64[R, K], b: f64[C, K]):
    out = np.zeros(len(indices))
    for i in range(len(starts) - 1):
        for e in range(starts[i], starts[i + 1]):
            out[e] = np.dot(a[i], b[indices[e]])
    return out


def inputs_sampled_products(size, rng):
    starts = ends(size, rng)
    k = size % 7
    return starts, rng.integers(-9, 9, size), rng.random((len(starts), k)), rng.random((9, k))


def sums_and_rows(starts: i64[M], x: f64[N, 3], rounds: int):
    """Each round the same segments: asked for once. Rows, elements before, a scan."""
    row = np.full(len(x), -1)
    out = np.zeros_like(x)
    total = np.zeros(len(starts) - 1)
    for _ in range(rounds):
        for i in range(len(starts) - 1):
            c = 0.0
            for e in range(starts[i], starts[i + 1]):
                c += x[e, 1]
                out[e, :] = x[e] * c + out[e, ::-1]
                row[e] = i
            for e in range(starts[i] + 1, starts[i + 1]):
                out[e, 0] -= out[e - 1, 0] * 0.5
            total[i] += c
    return row, out, total


def inputs_sums_and_rows(size, rng):
    return ends(size, rng), rng.random((size, 3)), 3


def of_lengths(first: i64[M], count: i32[M], x: f64[N]):
    """With gaps between them."""
    out = np.zeros_like(x)
    for i in range(len(first)):
        for k in range(count[i]):
            out[first[i] + k] = x[first[i] + k] * 2 + i
    return out


def inputs_of_lengths(size, rng):
    all_ends = ends(size, rng)
    length = np.diff(all_ends)
    return all_ends[:-1], (length * rng.integers(0, 2, len(length))).astype(np.int32), rng.random(size)


def overlapping(first: i64[M], last: i64[M], x: f64[N]):
    """Segments that share elements, or come in another order, run in turn."""
    for i in range(len(first)):
        for e in range(first[i], last[i]):
            x[e] = x[e] * 0.5 + i
    return x


def inputs_overlapping(size, rng):
    first = rng.integers(0, size + 1, 9)
    return first, np.minimum(first + rng.integers(0, 9, 9), size), rng.random(size)


def from_the_end(starts: i64[M], x: f64[N], out: f64[N]):
    """Ends that count from the end, and go past it."""
    for i in range(len(starts) - 1):
        out[starts[i]:starts[i + 1]] += x[starts[i]:starts[i + 1]] * (i + 1)
        for e in range(starts[i + 1] - 9, starts[i + 1] - 8):
            if -len(x) <= e < len(x):
                out[e] += 1


def inputs_from_the_end(size, rng):
    return rng.integers(-size, size + 5, 6), rng.random(size), rng.random(size)


def past_the_end(starts: i64[M], x: f64[N]):
    for i in range(len(starts) - 1):
        x[starts[i]:starts[i + 1]] = x[starts[i]:starts[i + 1]][::-1] + i
    return x


def inputs_past_the_end(size, rng):
    return ends(size + 9, rng), rng.random(size)


def scanned(starts: i64[M], x: f64[N]):
    """By an array of each segment's length, which has room in one thread alone."""
    out = np.zeros_like(x)
    for i in range(len(starts) - 1):
        a, b = starts[i], starts[i + 1]
        if a < b:
            t = np.cumsum(x[a:b])
            out[a:b] = t / t[-1]
    return out


def inputs_scanned(size, rng):
    return ends(size, rng), rng.random(size) + 1
