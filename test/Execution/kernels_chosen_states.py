"""States in branches: pairs that a search keeps, elements that a branch stores and the next one reads, tables with folds under a
condition, folds one after the other in columns."""
from __future__ import annotations

import math

import numpy as np

SIZES = (1, 2, 3, 33, 70)


def make_inputs(size, rng):
    x = rng.uniform(-1.0, 1.0, size)
    return np.where(rng.random(size) < 0.4, np.nan, x), x, (rng.random((size, size + 3)) < 0.8).astype(np.int64)


def closest(gaps: f64[N], x: f64[N], g: i64[M, K]):
    best = float("inf")
    pair = (-1, -1)
    for i in range(len(x)):
        for j in range(i + 1, len(x)):
            d = math.hypot(x[i] - x[j], 0.25)
            if d < best:
                best = d
                pair = (i, j)
    return best, pair[0], pair[1]


def swapped(gaps: f64[N], x: f64[N], g: i64[M, K]):
    """A pair that both ways set, one of them from itself."""
    low, high = 0.0, 0.0
    for v in x:
        if v > high:
            low, high = high, v
        elif v > low:
            low, high = v, high
        else:
            low, high = low - 0.125, high
    return low, high


def filled(gaps: f64[N], x: f64[N], g: i64[M, K]):
    out = gaps.copy()
    back = gaps.copy()
    for i in range(1, len(out)):
        if np.isnan(out[i]):
            out[i] = out[i - 1]
    for i in range(len(back) - 2, -1, -1):
        if np.isnan(gaps[i]):
            back[i] = back[i + 1]
        elif gaps[i] > 0.5:
            back[i] = 0.5
        else:
            back[i] = gaps[i]
    return out, back


def eliminated(gaps: f64[N], x: f64[N], g: i64[M, K]):
    """What a step stores it reads again."""
    n = len(x)
    l = np.ones(n)
    mu = np.zeros(n)
    z = np.zeros(n)
    for i in range(1, n):
        l[i] = 4.0 - x[i - 1] * mu[i - 1]
        mu[i] = x[i] / l[i]
        z[i] = (x[i] + 1.0 - x[i - 1] * z[i - 1]) / l[i]
    for i in range(n - 2, -1, -1):
        z[i] -= mu[i] * z[i + 1]
    return z, l


def largest_square(gaps: f64[N], x: f64[N], g: i64[M, K]):
    h, w = g.shape
    dp = np.zeros((h, w), dtype=np.int64)
    best = 0
    for i in range(h):
        for j in range(w):
            if g[i, j] == 1:
                if i == 0 or j == 0:
                    dp[i, j] = 1
                else:
                    dp[i, j] = min(dp[i - 1, j], dp[i, j - 1], dp[i - 1, j - 1]) + 1
                best = max(best, dp[i, j])
    return best * best, dp


def moments(gaps: f64[N], x: f64[N], g: i64[M, K]):
    """Each fold of a column takes what the one before has found."""
    r = g * np.linspace(0.0, 1.0, g.shape[0])[:, None] + 0.5
    mu = np.zeros(g.shape[1])
    sd = np.zeros(g.shape[1])
    skew = np.zeros(g.shape[1])
    for j in range(g.shape[1]):
        mass = r[:, j].sum()
        mu[j] = (r[:, j] * x).sum() / mass
        sd[j] = np.sqrt((r[:, j] * (x - mu[j]) ** 2).sum() / mass) + 0.25
        skew[j] = (r[:, j] * ((x - mu[j]) / sd[j]) ** 3).sum() / mass
    return mu, sd, skew


def filters(gaps: f64[N], x: f64[N], g: i64[M, K]):
    """The one before the last; a state that a step adds to, and scales."""
    y = np.zeros(len(x))
    estimates = np.empty_like(x)
    x1 = x2 = y1 = y2 = 0.0
    at, p = 0.0, 1.0
    for n in range(len(x)):
        y[n] = 0.2 * x[n] + 0.3 * x1 + 0.2 * x2 + 0.5 * y1 - 0.2 * y2
        x2, x1 = x1, x[n]
        y2, y1 = y1, y[n]
    for k in range(len(x)):
        p = p + 0.01
        gain = p / (p + 0.1)
        at = at + gain * (x[k] - at)
        p = (1 - gain) * p
        estimates[k] = at
    return y, estimates


def hues(gaps: f64[N], x: f64[N], g: i64[M, K]):
    """Rows of numbers that are whole on some paths."""
    out = np.zeros((len(x), 3))
    for i in range(len(x)):
        most = max(x[i], gaps[i], 0.25)
        out[i] = most, 0 if x[i] < 0 else x[i] / most, 1
    return out, np.array([x[0], 1 if x[0] < 0 else x[0] / 2])
