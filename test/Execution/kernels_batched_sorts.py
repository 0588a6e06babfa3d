"""Rows that a loop sorts one by one, and arrays whose size each row tells."""
from __future__ import annotations

import numpy as np

SIZES = (0, 1, 2, 9, 67)


def most_common(train: f64[N, D], labels: i64[N], points: f64[M, D], k: i64, out: i64[M]):
    """The label that most of the k nearest have; -1 where there are none."""
    for i in range(points.shape[0]):
        apart = ((train - points[i]) ** 2).sum(axis=1)
        near = labels[np.argsort(apart, kind="stable")[:k]]
        out[i] = np.bincount(near).argmax() if len(near) > 0 else -1


def votes(order: i64[M, N], labels: i64[N], k: i64, out: i64[M], seen: i64[M]):
    for i in range(order.shape[0]):
        counts = np.bincount(labels[order[i, :k]])
        out[i] = counts.sum() + len(counts)
        for c in range(len(counts)):
            if counts[c] > 0:
                seen[i] += c + 1


def statistics(x: f64[M, N], out: f64[M, 5]):
    for i in range(x.shape[0]):
        mean = x[i].sum() / max(x.shape[1], 1)
        ordered = np.sort(x[i])
        out[i, 0] = mean
        for j in range(x.shape[1] - 1):
            out[i, 1] = max(out[i, 1], ordered[j + 1] - ordered[j])
        order = np.argsort(-np.abs(x[i] - mean), kind="stable")
        if x.shape[1] > 2:
            out[i, 2] = ordered[1] - x[i, order[0]]
            out[i, 3] = order[2] + np.median(x[i])
        out[i, 4] = ((x[i] - mean) ** 2).sum()


def ranks(a: f64[N], b: f64[M, N]):
    """Each place of an order is another one: what is stored there is stored by all threads."""
    first = np.empty(a.shape[0], dtype=np.int64)
    first[np.argsort(a, kind="stable")] = np.arange(a.shape[0])
    rows = np.zeros(b.shape, dtype=np.int64)
    for i in range(b.shape[0]):
        rows[i, np.argsort(b[i], kind="stable")] = np.arange(b.shape[1])
    values, numbers = np.unique(a, return_inverse=True)
    return first, rows, values, numbers


def exchanged(a: f64[N], out: i64[N], steps: i64):
    """An order that changes places with another array is none any more."""
    order = np.argsort(a, kind="stable")
    other = np.zeros(a.shape[0], dtype=np.int64)
    for t in range(steps):
        for i in range(a.shape[0]):
            out[order[i]] = i
        for i in range(a.shape[0]):
            other[i] = (i * 3 + t) % 5 % a.shape[0]
        order, other = other, order


def one_by_one(x: f64[M, N], total: f64[M]):
    """Each row's order depends on the one before."""
    last = 0.0
    for i in range(x.shape[0]):
        row = np.sort(x[i] * (1.0 + last))
        last = row[len(row) // 2] if len(row) > 0 else 0.0
        total[i] = last
    return last


def inputs_most_common(size, rng):
    n, m = max(size, 1), size // 2 + 1
    return rng.integers(0, 5, (n, 3)).astype(float), rng.integers(0, 4, n), rng.random((m, 3)) * 5, min(size, 7), np.zeros(m, np.int64)


def inputs_votes(size, rng):
    n, m = max(size, 1), size
    return np.argsort(rng.random((m, n)), axis=1), rng.integers(0, 3 + size, n), max(size // 3, 1), np.zeros(m, np.int64), np.zeros(m, np.int64)


def inputs_statistics(size, rng):
    shape = (2, 16387) if size == 9 else (size + 1, size)  # few rows that are long, one by one
    return rng.integers(-5, 6, shape) * 0.5, np.zeros((shape[0], 5))


def inputs_ranks(size, rng):
    return rng.integers(0, 9, size) * 0.5, rng.integers(0, 9, (2 if size == 67 else 130 - size, size)) * 0.5


def inputs_exchanged(size, rng):
    return rng.random(size), np.zeros(size, np.int64), 3


def inputs_one_by_one(size, rng):
    return rng.random((size + 1, size)), np.zeros(size + 1)
