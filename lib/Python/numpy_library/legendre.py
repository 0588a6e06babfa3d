"""np.polynomial.legendre"""
import math

import numpy as np

from .chebyshev import _clenshaw


def leggauss(deg):
    """The zeros of Legendre's polynomial by Newton's steps from Tricomi's approximation of them."""
    if deg < 1:
        raise ValueError("deg must be a positive integer")
    x = np.empty(deg)
    w = np.empty(deg)
    for i in range(deg):
        z = math.cos(math.pi * (i + 0.75) / (deg + 0.5))
        slope = 1.0
        for _ in range(20):
            value, before = 1.0, 0.0
            for j in range(deg):
                value, before = ((2 * j + 1) * z * value - j * before) / (j + 1), value
            slope = deg * (z * value - before) / (z * z - 1.0)
            z -= value / slope
        x[deg - 1 - i] = z
        w[deg - 1 - i] = 2.0 / ((1.0 - z * z) * slope * slope)
    x = (x - x[::-1]) / 2
    w = (w + w[::-1]) / 2
    return x, w * (2.0 / w.sum())


def legval(x, c, tensor=True):
    x = np.asarray(x)
    return _clenshaw(x, c, tensor,
                     lambda a, low, high, n: (a - high * ((n - 1) / n), low + high * x * ((2 * n - 1) / n)))
