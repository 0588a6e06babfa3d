"""Folds over several axes of which the last one is short; of few rows, of rows of different lengths; counts of a picture; a running window."""
from __future__ import annotations

import math

import numpy as np

SIZES = (1, 2, 3, 5, 8, 17, 36)


def channels(x: f32[N, 3, M, M], y: f64[K, M, 5]):
    """Each channel's mean and variance; of a picture, of a part of one; of what is computed first."""
    mean = x.mean(axis=(0, 2, 3))
    var = x.var(axis=(0, 2, 3))
    whole = x.sum(axis=(2, 3))
    part = x[:, :, 1:, :].max(axis=(2, 3), initial=-1.0)
    positive = np.maximum(x, 0.5)
    norm = positive.mean(axis=(1, 2, 3))
    rows = (y * y).sum(axis=(1, 2))
    middle = y[:, :, 1:4].sum(axis=(1, 2))
    return mean, var, whole, part, norm, rows, middle


def inputs_channels(size, rng):
    return rng.random((3, 3, size, size), dtype=np.float32), rng.random((4, size, 5))


def centred(x: f64[N, M, K]):
    """What lanes have stored is read by others."""
    y = np.empty_like(x)
    s = np.empty(x.shape[0])
    for i in range(x.shape[0]):
        for j in range(x.shape[1]):
            for k in range(x.shape[2]):
                y[i, j, k] = x[i, j, k] * (j + 1) - k
        total = 0.0
        for j in range(x.shape[1]):
            for k in range(x.shape[2]):
                total += y[i, j, k]
        s[i] = total
    return y, s


def inputs_centred(size, rng):
    return (rng.random((7, size, 6)),)


def lagged(x: f64[N], lags: i64):
    m = x.mean()
    r = np.zeros(lags)
    for k in range(lags):
        for t in range(len(x) - k):
            r[k] += (x[t] - m) * (x[t + k] - m)
    return r


def inputs_lagged(size, rng):
    return (rng.random(40000 if size == 36 else size * size), 7)


def equalized(img: u8[M, N]):
    hist = np.zeros(256, dtype=np.int64)
    for i in range(img.shape[0]):
        for j in range(img.shape[1]):
            hist[img[i, j]] += 1
    cdf = hist.cumsum()
    lo = cdf[cdf > 0].min()
    lut = np.round((cdf - lo) / (img.size - lo + 1) * 255).clip(0, 255).astype(np.uint8)
    weights = np.zeros(256, dtype=np.int64)
    for i in range(img.shape[0]):
        for j in range(0, img.shape[1], 2):
            if img[i, j] > 9:
                weights[img[i, j]] += i + j
    return lut[img], weights


def inputs_equalized(size, rng):
    return (rng.integers(0, 256, (size + 1, 3 * size)).astype(np.uint8),)


def rolling(x: f64[N], w: i64):
    n = len(x) - w + 1
    out = np.empty(n)
    s = x[:w].sum()
    q = (x[:w] ** 2).sum()
    out[0] = math.sqrt(max(q / w - (s / w) ** 2, 0.0))
    for i in range(1, n):
        s += x[i + w - 1] - x[i - 1]
        q += x[i + w - 1] ** 2 - x[i - 1] ** 2
        out[i] = math.sqrt(max(q / w - (s / w) ** 2, 0.0)) + s
    return out


def inputs_rolling(size, rng):
    return rng.random(40 * size), min(size, 5) + 1


def few_kept(x: f64[N]):
    """A fold of a few hundred, for one block."""
    t = np.zeros(256)
    for i in range(256):
        t[i] = x[i % len(x)] * i
    return t.sum(), t.max(), t[t > 1.0].min(initial=9.0)


def inputs_few_kept(size, rng):
    return (rng.random(size),)


def classes(x: f64[N, D], y: i64[N], k: i64):
    """Of each class means and deviations, which few classes fold in columns; a sum of what is made for all of them."""
    mean, var, part = np.zeros((k, x.shape[1])), np.zeros((k, x.shape[1])), np.zeros(k)
    for c in range(k):
        own = x[y == c]
        mean[c] = own.mean(axis=0)
        var[c] = own.var(axis=0) + 1e-9
        part[c] = len(own) / len(x)
    return mean, var, part


def inputs_classes(size, rng):
    y = rng.integers(0, 3, max(size, 3))
    y[:3] = 0, 1, 2
    return rng.random((max(size, 3), 5)), y, 130 if size == 36 else 3
