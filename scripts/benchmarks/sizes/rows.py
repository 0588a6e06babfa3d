"""Folds along rows, columns and pairs of rows, for arrays of any shape."""
from __future__ import annotations

import numpy as np


def row_sum(a: f64[M, N]) -> f64[M]:
    return a.sum(axis=1)


def row_argmax(a: f64[M, N]) -> i64[M]:
    return np.argmax(a, axis=1)


def row_variance(a: f64[M, N]) -> f64[M]:
    return a.var(axis=1)


def softmax(a: f64[M, N]) -> f64[M, N]:
    e = np.exp(a - a.max(axis=1, keepdims=True))
    return e / e.sum(axis=1, keepdims=True)


def times_vector(a: f64[M, N], x: f64[N]) -> f64[M]:
    return a @ x


def vector_times(a: f64[M, N], y: f64[M]) -> f64[N]:
    return a.T @ y


def column_sum(a: f64[M, N]) -> f64[N]:
    return a.sum(axis=0)


def standard_columns(a: f64[M, N]) -> f64[M, N]:
    return (a - a.mean(axis=0)) / a.std(axis=0)


def distances(x: f64[M, D], y: f64[N, D]) -> f64[M, N]:
    return np.sqrt(((x[:, None, :] - y[None, :, :]) ** 2).sum(axis=2))


def nearest(x: f64[M, D], y: f64[N, D]) -> i64[M]:
    return np.argmin(((x[:, None, :] - y[None, :, :]) ** 2).sum(axis=2), axis=1)


def smoothed(x: f64[N], w: f64[K]) -> f64[N]:
    y = np.zeros(len(x))
    for i in range(len(x) - len(w)):
        for k in range(len(w)):
            y[i] += x[i + k] * w[k]
    return y


def counted(keys: i64[N], counts: i64[K]):
    for key in keys:
        counts[key] += 1


def inputs(name, shape, rng):
    if name == "counted":
        return rng.integers(0, shape[1], shape[0]), np.zeros(shape[1], np.int64)
    if name in ("distances", "nearest"):
        return rng.random((shape[0], shape[2])), rng.random((shape[1], shape[2]))
    if name == "smoothed":
        return rng.random(shape[0]), rng.random(shape[1])
    a = rng.random(shape)
    return {"times_vector": (a, rng.random(shape[1])), "vector_times": (a, rng.random(shape[0]))}.get(name, (a,))


FLAT = ((10**7, 10), (10**6, 100), (10**4, 10**4), (100, 10**6), (3, 3 * 10**7))
CASES = {"row_sum": FLAT, "row_argmax": FLAT, "row_variance": FLAT, "softmax": FLAT + ((1, 10**8),), "times_vector": FLAT,
         "vector_times": FLAT[:3], "column_sum": FLAT[:3], "standard_columns": FLAT[:3],
         "distances": ((4000, 4000, 64), (10**4, 5000, 3)), "nearest": ((10**6, 32, 8),), "smoothed": ((10**7, 16),),
         "counted": ((10**7, 256), (10**7, 10))}
