"""Rows and columns whose number and length a call decides: short ones, long ones, few and many."""
from __future__ import annotations

import numpy as np

SIZES = (1, 2, 7, 31, 32, 33, 128, 129, 513)


def of_rows(a: f64[M, N], x: f64[N]) -> (f64[M], f64[M], i64[M]):
    """Folds of several kinds, whose order shows in no digit that counts."""
    return a @ x, np.max(a, axis=1) - np.min(a, axis=1), np.sum(a > 0.5, axis=1)


def rows_of(size, few):
    """Of some lengths many rows, whose lanes take several elements each."""
    return 1040 if size in (7, 33, 128) else few


def inputs_of_rows(size, rng):
    return rng.random((rows_of(size, 1000 // size + 1), size)), rng.random(size)


def softmax_of_rows(a: f32[M, N]) -> f32[M, N]:
    e = np.exp(a - np.max(a, axis=1, keepdims=True))
    return e / np.sum(e, axis=1, keepdims=True)


def inputs_softmax_of_rows(size, rng):
    return (rng.random((rows_of(size, 300 // size + 2), size)).astype(np.float32),)


def softmax_of_columns(a: f64[M, N]) -> f64[M, N]:
    """The second way down the columns waits for the first."""
    e = np.exp(a - np.max(a, axis=0, keepdims=True))
    return e / np.sum(e, axis=0, keepdims=True)


def inputs_softmax_of_columns(size, rng):
    return (rng.random((2000 // size + 1, size)),)


def of_columns(a: f64[M, N], x: f64[M], y: f64[N]) -> (f64[N], i64[N]):
    for j in range(y.shape[0]):
        for i in range(x.shape[0]):
            y[j] += a[i, j] * x[i]
    return a.T @ x, np.argmax(a, axis=0)


def inputs_of_columns(size, rng):
    return rng.random((3000 // size + 1, size)), rng.random(3000 // size + 1), rng.random(size)


def distances(a: f64[M, N], b: f64[K, N]) -> i64[M]:
    return np.argmin(np.sum((a[:, None, :] - b[None, :, :]) ** 2, axis=2), axis=1)


def inputs_distances(size, rng):
    rows, centres = (130, 18) if size > 100 else (40, size % 9 + 1)
    return rng.random((rows, size % 40 + 1)), rng.random((centres, size % 40 + 1))


def norms(a: f64[M, N]) -> f64[M]:
    """One fold after the other, through one piece of shared memory."""
    return np.sqrt(np.sum(a * a, axis=1))


def inputs_norms(size, rng):
    return (rng.random((600 // size + 3, size)),)


def turned_rows(a: f64[M, N], b: f64[M, N]) -> f64[M]:
    """What one lane writes another one reads."""
    sums = np.zeros(a.shape[0])
    for i in range(a.shape[0]):
        b[i, :] = 2.0 * a[i, :]
        sums[i] = np.sum(b[i, ::-1] * a[i, :])
    return sums


def inputs_turned_rows(size, rng):
    return rng.random((600 // size + 1, size)), rng.random((600 // size + 1, size))


sizes_of_rows = sizes_norms = sizes_turned_rows = sizes_softmax_of_rows = sizes_softmax_of_columns = sizes_of_columns = sizes_distances = SIZES
