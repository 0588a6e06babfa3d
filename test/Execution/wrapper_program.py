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


def spread(m: f64[M, N], columns: f64[N], n: i64):
    """Kernel after kernel; what is wrong with `n` is found behind some of them."""
    total = np.sum(m)
    parts = np.full(n, 1.0 / n)
    rows = np.sum(m, axis=1)
    m[:] = m / total + (rows * parts[0])[:, None]
    columns[:] = np.sum(m, axis=0)


calls = 0
largest = 0


def remember(x: f64):
    global calls, largest
    calls += 1
    if x > largest:
        largest = x
    return calls, largest


def forget():
    global calls
    calls = 0


def start_again(n: i64):
    forget()
    return calls + n
