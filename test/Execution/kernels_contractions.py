"""Folds over rows of two arrays, as distances are: in tiles where there are rows and columns enough."""
from __future__ import annotations

import numpy as np

SIZES = (0, 1, 31, 33, 257)


def distances(X: f64[M, D], Y: f64[N, D]) -> f64[M, N]:
    return np.sqrt(((X[:, None, :] - Y[None, :, :]) ** 2).sum(axis=2))


def farthest(X: f32[D, M], Y: f32[N, D], start: f32[M, N]):
    """One array by columns; a fold that begins with an element, and is not stored everywhere."""
    for i in range(X.shape[1]):
        for j in range(Y.shape[0]):
            most = start[i, j]
            for k in range(X.shape[0]):
                most = max(most, abs(X[k, i] - Y[j, k]) * (1 + k % 2))
            start[i, j] = most - start[i, j]


def inputs_farthest(size, rng):
    rows, columns, depth = shape_of(size)
    return (rng.standard_normal((depth, rows)).astype(np.float32), rng.standard_normal((columns, depth)).astype(np.float32),
            rng.random((rows, columns)).astype(np.float32))


def agreements(X: i64[M, D], Y: i64[N, D], weights: i64[D]) -> (i64[M, N], i64[M, N]):
    """Two folds in one loop; what depends on the step alone stays where it is; the pair itself counts."""
    same = np.zeros((X.shape[0], Y.shape[0]), dtype=np.int64)
    least = np.zeros((X.shape[0], Y.shape[0]), dtype=np.int64)
    for i in range(X.shape[0]):
        for j in range(Y.shape[0]):
            count = 0
            low = 1000
            for k in range(X.shape[1]):
                count += weights[k] if X[i, k] == Y[j, k] else 0
                low = min(low, abs(X[i, k] - Y[j, k]) + abs(i - j))
            same[i, j] = count
            least[i, j] = low
    return same, least


def inputs_agreements(size, rng):
    rows, columns, depth = shape_of(size)
    return rng.integers(0, 5, (rows, depth)), rng.integers(0, 5, (columns, depth)), rng.integers(1, 9, depth)


def shape_of(size):
    return {0: (0, 3, 2), 1: (1, 1, 0), 31: (64, 31, 4), 33: (70, 33, 17), 257: (257, 300, 19)}[size]


def make_inputs(size, rng):
    rows, columns, depth = shape_of(size)
    return rng.random((rows, depth)), rng.random((columns, depth))
