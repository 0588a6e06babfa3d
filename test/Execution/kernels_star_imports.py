"""`from numpy import *`: NumPy's names, of which some are Python's own otherwise."""
from __future__ import annotations

from math import *

from numpy import *

TARGETS = ("cpu",)
SIZES = (0, 1, 7)


def starred(a: f64[N], n: int):
    root = sqrt(a * a) + pi * e
    return sin(a) + root, floor(2.5), zeros(n), linalg.norm(a), sum(a), abs(-1), inf, pow(2, 3), dot(a, a), fft.fft(array([1.0, 2.0])), float64(3), any(a > 0)


def inputs_starred(size, rng):
    return rng.random(size), size
