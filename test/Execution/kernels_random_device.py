"""np.random as CUDA: each number follows from where it stands in the stream. kernels_random.py has the rest."""
from __future__ import annotations

import numpy as np

TARGETS = ("emulated",)
TRANSLATE_OPTIONS = ("--fmad=off",)
SIZES = (0, 5, 700)


def drawn(n: int, seed: int):
    g = np.random.Generator(np.random.Philox(seed))
    h = np.random.default_rng(7)
    return g.random(n), h.uniform(-1, 1, n), g.integers(0, 10, n), h.random(n, dtype=np.float32)


def inputs_drawn(size, rng):
    return size, size * 12345678901
