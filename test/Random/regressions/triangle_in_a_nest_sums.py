"""Found by scripts/fuzz, seeds 2138 and 2362: tile-reductions counted the points of a reduction by an index of its own."""

from __future__ import annotations

import numpy as np

SIZES = (0, 1, 2, 3, 33)
TRANSLATE_OPTIONS = ("--fmad=off",)


def triangle_from_zero(a: i64[N]):
    N = a.shape[0]
    c = np.int64(0)
    for i in range(N):
        for j in range(N):
            for k in range(j):
                c -= a[k] + i
    return c


def triangle_to_the_end(a: i64[N]):
    N = a.shape[0]
    c = np.int64(0)
    for i in range(2):
        for j in range(N):
            for k in range(j, N):
                c += a[k] * j
    return c


def make_inputs(size, rng):
    return (rng.integers(-9, 10, size),)
