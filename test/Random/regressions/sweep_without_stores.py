"""Found by scripts/fuzz, seed 90435: a step over time one of whose loops stores nothing."""
from __future__ import annotations

import numpy as np

SIZES = (0, 1, 2)


def f(a: f64[N], steps: i64):
    for t in range(steps):
        #pragma parallel for simd(64)
        for i in range(1, len(a)):
            y = np.floor(a[i] % a[i])
        a -= (a + a) + (a * a)


def inputs_f(size, rng):
    return rng.random((7, 1, 17)[size]), 6
