"""What test_wrapper.py calls."""
from __future__ import annotations

import numpy as np


def scale_rows(m: f64[M, N], s: f64[M]) -> f64[M]:
    """Scales each row; returns the rows' sums."""
    for i in range(m.shape[0]):
        for j in range(m.shape[1]):
            m[i, j] *= s[i]
    return np.sum(m, axis=1)


def add_into(target: f64[N], a: f64[N], n: i64):
    target += n * a


def read_both(a: f64[N], b: f64[N]) -> f64:
    return np.sum(a * b)
