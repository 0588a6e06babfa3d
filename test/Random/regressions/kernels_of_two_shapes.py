"""Kernels of 2 x 128 and of 256 threads became one of 32 x 128: more than a block has, and each of the second kernel's elements
would have been updated by all threads along the other axis."""
from __future__ import annotations

import numpy as np

SIZES = (0, 1, 2, 33, 300)


def relax(steps: i64, a: f64[N], b: f64[N], c: f64[N, 3]):
    for t in range(steps):
        c[2:, 1:] = a[2:, np.newaxis] - a[0:-2, None]
        b += 0.375


def inputs_relax(size, rng):
    return 3, rng.random(size), rng.random(size), rng.random((size, 3))
