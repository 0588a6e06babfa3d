"""LU factors in place with partial pivoting, by slices."""
from __future__ import annotations

import numpy as np


def lu(a: f64[N, N]):
    n = a.shape[0]
    order = np.arange(n)
    for k in range(n - 1):
        p = k + np.argmax(np.abs(a[k:, k]))
        if p != k:
            a[[k, p]] = a[[p, k]]
            order[[k, p]] = order[[p, k]]
        a[k + 1:, k] /= a[k, k]
        a[k + 1:, k + 1:] -= np.outer(a[k + 1:, k], a[k, k + 1:])
    return order


def make_inputs(rng, n):
    return (rng.random((n, n)),)


SIZES = {"tiny": (17,), "small": (500,), "large": (4000,)}
ENTRIES = ("lu",)
UPDATES = {"lu": (0,)}
