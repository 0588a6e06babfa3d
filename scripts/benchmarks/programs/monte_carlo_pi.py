"""Pi by random points in a square."""
from __future__ import annotations

import numpy as np


def monte_carlo_pi(seed: i64, n: i64) -> f64:
    rng = np.random.Generator(np.random.Philox(seed))
    x, y = rng.random(n), rng.random(n)
    return 4.0 * np.count_nonzero(x * x + y * y <= 1.0) / n


def make_inputs(rng, n):
    return 7, n


SIZES = {"tiny": (1001,), "small": (10_000_000,), "large": (1_000_000_000,)}
ENTRIES = ("monte_carlo_pi",)
UPDATES = {}
