"""Loops whose step only the call knows, and is far more than there are elements: a worker's first index does not wrap round."""
from __future__ import annotations

import numpy as np

SIZES = (1, 2, 5, 67)


def make_inputs(size, rng):
    return rng.integers(0, 9, size), rng.integers(0, 9, (3, size)), size // 3 + 1, 2**29 + size, -(2**61) - size


def multiples(a: i64[N], b: i64[M, N], near: i64, far: i64, down: i64):
    n = len(a)
    for k in range(0, n, near):
        a[k] += k
    for k in range(0, n, far):
        a[k] += k + 7
    for k in range(n - 1, -1, down):
        a[k] *= 3


def rows(a: i64[N], b: i64[M, N], near: i64, far: i64, down: i64):
    """Each row has a step of its own; the one of the last is larger than what 64 bits hold a few times."""
    m, n = b.shape
    for i in range(m):
        for k in range(i % 2, n, near + i * far):
            b[i, k] += k
        for k in range(n - 1, -1, down // (3 - i)):
            b[i, k] -= 2 * k
        for k in range(i, n, 2**60):
            b[i, k] *= 2


def totients(a: i64[N], b: i64[M, N], near: i64, far: i64, down: i64) -> i64[K]:
    n = 10 * len(a)
    phi = np.arange(n + 1)
    for p in range(2, n + 1):
        if phi[p] == p:
            for k in range(p, n + 1, p):
                phi[k] -= phi[k] // p
    return phi
