"""Found by scripts/fuzz, seed 3576: a loop of one iteration became a worker that could not hold its temporary array."""

from __future__ import annotations

import numpy as np

SIZES = (0, 1, 2, 3, 33)
TRANSLATE_OPTIONS = ("--fmad=off",)


def one_step(a: f64[M]):
    M = a.shape[0]
    c = 0
    for t in range(1):
        a[np.isfinite(a[::-1])] = 0.5
        for i in range(M):
            c += i
    return c


def make_inputs(size, rng):
    return (rng.choice(np.array([np.nan, np.inf, -np.inf, 0.0, -0.0, 0.5]), (size,)),)
