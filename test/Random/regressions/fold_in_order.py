"""Found by scripts/fuzz at seed 411069, a fold by key in a loop of one thread: crash.

appyc: internal error in map-kernels: the ir is wrong after `map-kernels`: in `f411069`: Routine stands inside Launch call fold_by_key<prod>(in key[0], in value[0], out whole[0], out size[0], N, 1) ap
"""
from __future__ import annotations

import numpy as np
import appy

SIZES = (0, 1, 2)
TARGETS = ("emulated",)
TRANSLATE_OPTIONS = ('--fmad=off', '--disable-pass=compact-in-parallel')


def f411069(a0: f32[N]):
    N = len(a0)
    t1 = a0.copy()
    #pragma sequential for
    for i in range(N):
        for j in range(N):
            t1[i - 1] *= a0[i]


def inputs_f411069(size, rng):
    N, = ((4,), (2,), (16,))[size]
    return ((rng.integers(-16, 17, (N,)) / 4).astype(np.float32),)
