"""--check-races where checked loops stand in others, under conditions, in inlined functions, and over arrays of all kinds."""
from __future__ import annotations

import numpy as np
import appy

TRANSLATE_OPTIONS = ("--check-races",)


def proven_around(A: f64[M, N], k: i64[N]) -> f64[M, N]:
    B = np.zeros_like(A)
    #pragma parallel for
    for i in range(A.shape[0]):
        t = np.zeros(5)
        #pragma simd
        for j in range(k.shape[0]):
            B[i, k[j]] = A[i, j] * 2.0
        t[1:] = A[i, 0]
        B[i, 0] += np.sum(t)
    return B


def under_host_if(x: f64[N], k: i64[N], c: i64) -> f64:
    s = 0.0
    while s < 3.0:
        if c > 0:
            for i in appy.prange(k.shape[0]):
                x[k[i]] = x[k[i]] + 1.0
        else:
            for i in appy.prange(k.shape[0]):
                x[k[i]] = x[k[i]] + 2.0
        s = s + 1.0 + 0.0 * np.sum(x)
    return s


def helper(x, k, v):
    for i in appy.prange(k.shape[0]):
        x[k[i]] = v


def by_calls(x: f64[N], y: c128[N], k: i64[N]):
    helper(x, k, 1.0)
    helper(y, k, 2.0)
    z = x + 1.0
    helper(z[::-1], k, 3.0)
    x[:] = z


def cube(A: f32[M, N, N], k: i64[N], c: bool):
    for i in appy.prange(A.shape[0]):
        for j in appy.prange(k.shape[0]):
            for l in range(k.shape[0]):
                if c or A[i, j, l] > 0.5:
                    A[i, k[j], k[l]] += 1


def reductions(x: f64[N], k: i64[N]) -> f64:
    s = 0.0
    m = -1.0
    #pragma parallel for reduction(+:s)
    for i in range(k.shape[0]):
        x[k[i]] = x[k[i]] * 2.0
        s += x[k[i]]
        m = max(m, x[k[i]])
    return s + m


def returned(k: i64[N]) -> i64[N]:
    inv = np.empty(k.shape[0], dtype=np.int64)
    for i in appy.prange(k.shape[0]):
        inv[k[i]] = i
    return inv


def exchange(x: f64[N], y: f64[N], k: i64[N], n: i64):
    for t in range(n):
        for i in appy.prange(k.shape[0]):
            y[k[i]] = x[i] + y[k[i]]
        x, y = y, x


def inputs_proven_around(size, rng):
    return rng.random((3, max(size, 1))), rng.permutation(max(size, 1))


def inputs_under_host_if(size, rng):
    return rng.random(size), rng.permutation(size), size % 2


def inputs_by_calls(size, rng):
    return rng.random(size), rng.random(size) + 1j, rng.permutation(size)


def inputs_cube(size, rng):
    n = size % 9
    return rng.random((2, n, n)).astype(np.float32), rng.permutation(n), True


def inputs_reductions(size, rng):
    return rng.random(size), rng.permutation(size)


def inputs_returned(size, rng):
    return (rng.permutation(size),)


def inputs_exchange(size, rng):
    return rng.random(size), rng.random(size), rng.permutation(size), size % 4


SIZES = (0, 1, 2, 3, 7, 33)
