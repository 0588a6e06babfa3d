"""Found by scripts/fuzz at seed 1192, target emulated: mismatch.

case 0: argument 0 [0] is np.float64(-1.4850798015887287e-05) instead of np.float64(-0.07407407407407407) (1 of 1 differ)
Guilty: the emission of code, or threads that share work: every level as plain loops is right.
"""
from __future__ import annotations

import numpy as np
import appy

SIZES = (0,)
TRANSLATE_OPTIONS = ('--fmad=off',)


def f1192(a1: f64[N], a2: bool[N, N]):
    w6 = 0
    while w6 < 3:
        a2[:] = a2.T
        a1 /= 1.5
        w6 += 1


def inputs_f1192(size, rng):
    N, M, = (9, 0)
    return ((rng.integers(-16, 17, (N,)) / 4).astype(np.float64),
            rng.random((N, N)) < 0.5,)
