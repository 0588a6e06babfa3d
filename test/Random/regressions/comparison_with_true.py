"""Found by scripts/fuzz, seed 90143: a comparison that is none when what is known is put in: `x == True`."""
from __future__ import annotations

import numpy as np

SIZES = (0, 1, 2)


def f(a: bool[M], n: i64):
    t = np.zeros(n, dtype=np.bool_)
    for i in range(n):
        y = t[i]
        for j in range(len(a)):
            if ~t[i]:
                t[i] = a[j - 1]
            if a[-j - 1] & y:
                t[i] = a[j]
            else:
                t[i] = y == t[i]
    return t


def inputs_f(size, rng):
    m, n = ((5, 3), (0, 1), (16, 8))[size]
    return rng.random(m) < 0.5, n
