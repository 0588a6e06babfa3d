"""Few rows that are long: the host has many workers share each row, from 16,384 elements on. And few rows, however long, beside many."""
from __future__ import annotations

import numpy as np

SIZES = (0, 1, 2, 127, 128, 129)
WIDTH = {0: 0, 1: 1, 2: 517, 127: 16383, 128: 16384, 129: 20011}
ROWS = {0: 2, 1: 3, 2: 1, 127: 2, 128: 1, 129: 3}


def sums(a: f64[M, N]) -> (f64[M], i64[M], f64[M]):
    """One fold a row; two, of which the second reads what the first found; whole numbers."""
    return a.sum(axis=1), (a * 10).astype(np.int64).sum(axis=1), np.sqrt((a * a).sum(axis=1)) / (1 + a.shape[1])


def spread(a: f32[M, N]) -> f32[M]:
    t = np.empty(a.shape[0], dtype=np.float32)
    for i in range(a.shape[0]):
        low = a[i, 0]
        high = low
        for j in range(a.shape[1]):
            low = min(low, a[i, j])
            high = max(high, a[i, j])
        t[i] = high - low
    return t


def inputs_spread(size, rng):
    return (rng.standard_normal((ROWS[size], max(WIDTH[size], 1))).astype(np.float32),)


def places(a: i64[M, N]) -> (i64[M], i64[M]):
    """Equal elements: the first of them counts."""
    return np.argmax(a, axis=1), np.argmin(a, axis=1)


def inputs_places(size, rng):
    return (rng.integers(0, 50, (ROWS[size], max(WIDTH[size], 1))),)


def softmax(a: f64[M, N]) -> f64[M, N]:
    e = np.exp(a - a.max(axis=1, keepdims=True))
    return e / e.sum(axis=1, keepdims=True)


def inputs_softmax(size, rng):
    return (20 * rng.random((ROWS[size], max(WIDTH[size], 1))),)


def standard(a: f64[K, M, N], out: f64[K, M, N], shift: f64[M]) -> f64[K, M]:
    """Rows of a batch; scalars of a row that others need later; stores beside the folds."""
    largest = np.empty((a.shape[0], a.shape[1]))
    for b in range(a.shape[0]):
        for i in range(a.shape[1]):
            mean = 0.0
            for j in range(a.shape[2]):
                mean += a[b, i, j] - shift[i]
            mean = mean / max(a.shape[2], 1)
            square = shift[i]
            most = -np.inf
            for j in range(a.shape[2]):
                out[b, i, j] = a[b, i, j] - mean
                square += out[b, i, j] * out[b, i, j]
                most = max(most, out[b, i, j])
            scale = np.sqrt(square + 1)
            largest[b, i] = most / scale
            for j in range(a.shape[2]):
                out[b, i, j] = out[b, i, j] / scale + b
    return largest


def inputs_standard(size, rng):
    shape = (2, ROWS[size], WIDTH[size])
    return rng.standard_normal(shape), np.zeros(shape), rng.random(ROWS[size])


def scaled_rows(a: f64[M, N], x: f64[M], y: f64[N]) -> f64[M, N]:
    """No fold: a block's threads have one row, or as many as there are."""
    b = np.empty_like(a)
    for i in range(a.shape[0]):
        for j in range(a.shape[1]):
            b[i, j] = a[i, j] * x[i] + y[j]
    return b


def inputs_scaled_rows(size, rng):
    shape = (size // 2 + 1, 2 * size + 1) if size < 127 else (size - 120, 257)
    return rng.random(shape), rng.random(shape[0]), rng.random(shape[1])


def smoothed(x: f64[N], w: f64[K]) -> f64[N]:
    """A worker for each element, or, of 65,536 and more, a thread."""
    y = np.zeros(len(x))
    for i in range(len(x) - len(w)):
        for k in range(len(w)):
            y[i] += x[i + k] * w[k]
    return y


def inputs_smoothed(size, rng):
    return rng.random({127: 65540, 128: 65541, 129: 70001}.get(size, size * 40)), rng.random(5)


def counted(keys: i64[N], counts: i64[K], largest: i32[K], values: i32[N]):
    """Few counters: each block has its own first, from 16,384 keys on."""
    for i in range(len(keys)):
        counts[keys[i]] += 1
    for i in range(len(keys)):
        largest[keys[i]] = max(largest[keys[i]], values[i])


def inputs_counted(size, rng):
    count, kinds = WIDTH[size], {128: 2048, 129: 2049}.get(size, 7)
    return (rng.integers(0, kinds, count), rng.integers(0, 9, kinds), np.zeros(kinds, np.int32),
            rng.integers(-9, 1000, count).astype(np.int32))


def followed(start: i32[N1], links: i64[E], x: f64[P], gain: f64) -> (f64[N], i64):
    """Rows of which the data tell that few are long; one is as long as a warp goes through by itself, and one longer."""
    n = len(start) - 1
    out = np.empty(n)
    largest = np.empty(n, dtype=np.int64)
    for i in range(n):
        total = gain * i
        for k in range(start[i], start[i + 1]):
            total += x[links[k]] - i
        out[i] = total
    for i in range(n):
        most = -1
        for k in range(start[i], start[i + 1]):
            most = max(most, links[k])
        largest[i] = most
    return out, largest.sum()


def inputs_followed(size, rng):
    n = 2 * size + 1
    counts = rng.integers(0, 9, n)
    for place, count in zip((0, n // 2, n - 1), (1024, 1025, 5001)):
        counts[place] = count if size > 2 else counts[place]
    start = np.concatenate(([0], np.cumsum(counts))).astype(np.int32)
    return start, rng.integers(0, 50, start[-1]), rng.random(50), 0.5


def make_inputs(size, rng):
    return (rng.random((ROWS[size], WIDTH[size])),)


def columns(x: f64[N], y: f64[N]):
    """Products of matrices of few columns, each of them a fold over all rows."""
    J = np.zeros((len(x), 3))
    J[:, 0] = np.exp(-x)
    J[:, 1] = x
    J[:, 2] = 1.0
    return J.T @ J, J.T @ y, J[:, :2].T @ J[::-1]


def inputs_columns(size, rng):
    return rng.standard_normal(WIDTH[size]), rng.standard_normal(WIDTH[size])
