"""Found by scripts/fuzz, seeds 4265 and 5244: a reduction of few trips, each with an array of its own, was cut into chunks."""

from __future__ import annotations

import numpy as np

SIZES = (0, 1, 2, 3, 33)
TRANSLATE_OPTIONS = ("--fmad=off", "--disable-pass=fuse-loops", "--disable-pass=forward-temporaries")


def unread_array(a: bool[N]):
    c = 0
    for t in range(3):
        kept = a.astype(np.int16)
        c += 2
    return c


def filled_array(a: f64[N], b: f32[N]):
    N = a.shape[0]
    c = 0
    for t in range(3):
        kept = np.zeros_like(a)
        for i in range(2, N):
            c -= 1
            kept[i] = b[i] * t
        a[:] = kept
    return c


def inputs_unread_array(size, rng):
    return (rng.random(size) < 0.5,)


def inputs_filled_array(size, rng):
    return rng.random(size), rng.random(size).astype(np.float32)
