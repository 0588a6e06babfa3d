"""Found by scripts/fuzz at seed 5063, target scheduled --disable-pass=forward-stores: refused.

[unsupported] temporary array of varying size inside a parallel loop; write into an array made before the loop
"""
from __future__ import annotations

import numpy as np
import appy

SIZES = (0, 1, 2)
TRANSLATE_OPTIONS = ('--fmad=off', '--disable-pass=forward-stores')


def f5063(a0: bool[N], a1: i8[N]):
    N = a0.shape[0]
    c1 = 0
    for i in range(N):
        c1 -= a1[i]
        o2 = a1[:i:-1] * a1[:i:-1]
        o2 += o2


def inputs_f5063(size, rng):
    N, = ((4,), (0,), (16,))[size]
    return (rng.random((N,)) < 0.5,
            rng.choice(np.array([-128, -127, -3, -1, 0, 1, 2, 7, 126, 127], np.int8), (N,)),)
