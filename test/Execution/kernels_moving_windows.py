"""Windows whose length the call knows: their arrays have one length where none counts from the end."""
from __future__ import annotations

import numpy as np

SIZES = (1, 2, 7, 40)


def make_inputs(size, rng):
    return rng.uniform(-1.0, 1.0, size), rng.uniform(-1.0, 1.0, size + 2), size // 4 + 1


def correlations(x: f64[N], y: f64[M], w: i64):
    n = len(x)
    out = np.full(n, np.nan)
    for i in range(w - 1, n):
        a = x[i - w + 1:i + 1]
        b = y[i - w + 1:i + 1]
        am = a - a.mean()
        bm = b - b.mean()
        out[i] = (am * bm).sum() / np.sqrt(0.1 + (am ** 2).sum() * (bm ** 2).sum())
    return out


def medians(x: f64[N], y: f64[M], w: i64):
    out = np.empty(len(x) - w + 1)
    for i in range(len(out)):
        out[i] = np.median(x[i:i + w])
    return out


def trimmed(x: f64[N], y: f64[M], w: i64):
    """A window around each, which the ends cut: no one length."""
    out = np.zeros(len(x))
    for i in range(len(x)):
        out[i] = x[max(i - w, 0):i + w].max() - x[max(i - w, 0):i + w].min()
    return out
