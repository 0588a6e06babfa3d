"""Found by scripts/fuzz at seed 5210, target emulated: mismatch.

case 0: raised RuntimeError: RuntimeError: invalid configuration argument
Guilty: the emission of code, or threads that share work: every level as plain loops is right.
"""
from __future__ import annotations

import numpy as np
import appy

SIZES = (0,)
TRANSLATE_OPTIONS = ('--fmad=off',)


def f5210(a1: i64[N, 4], a2: bool[N, M]):
    N, M = a2.shape
    w3 = 0
    while w3 < N:
        a1[:] = a1
        a2[:] = a2
        w3 += 1


def inputs_f5210(size, rng):
    N, M, = (5, 3)
    return (rng.integers(-9, 10, (N, 4)).astype(np.int64),
            rng.random((N, M)) < 0.5,)
