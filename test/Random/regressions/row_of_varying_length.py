"""Found by scripts/fuzz at seed 4735, target scheduled --disable-pass=hoist-accumulators: refused.

[unsupported] temporary array of varying size inside a parallel loop; write into an array made before the loop
"""
from __future__ import annotations

import numpy as np
import appy

SIZES = (0, 1, 2)
TRANSLATE_OPTIONS = ('--fmad=off', '--disable-pass=hoist-accumulators')


def f4735(a0: bool[N], a1: f64[N]):
    N = len(a0)
    c2 = 0
    for i in range(N, 0, 1):
        c2 ^= i
        o3 = -a1[:i]
        o3 *= o3


def inputs_f4735(size, rng):
    N, = ((4,), (2,), (65,))[size]
    return (rng.random((N,)) < 0.5,
            (rng.integers(-16, 17, (N,)) / 4).astype(np.float64),)
