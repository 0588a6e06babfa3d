"""What kernels_modules.py imports: each function sees this file's names."""
import math

import numpy as np
from shared_package import third
from shared_package.constants import OFFSET as SHIFT

SCALE = 2.5
TABLE = np.array([1.0, 2.0, 4.0, 8.0, 16.0, 32.0])
exp = 3.0


def scaled(v, by=SCALE):
    return v * by + third(v) + exp


def root(x):
    return math.sqrt(x) + SHIFT


def checked(a):
    if a[0] > 100.0:
        raise ValueError("too large")
    return a[::-1]
