"""Found by scripts/fuzz, seed 7921: the memory for arrays made in a chunk of a reduction was not bounded by its length."""

from __future__ import annotations

import numpy as np

SIZES = (0, 1, 2, 33, 129)
TRANSLATE_OPTIONS = ("--fmad=off",)


def count_above(a: f64[N], T: i64):
    c = 0
    for t in range(T):
        v = a * 2.0
        v[1:] += v[:-1]
        v[:-1] *= v[1:] + t
        for i in range(a.shape[0]):
            if v[i] > 3.0:
                c += i
    return c


def make_inputs(size, rng):
    return rng.integers(-8, 9, size) / 4, 5
