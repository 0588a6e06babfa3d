"""np.polynomial.chebyshev"""
import numpy as np


def _clenshaw(x, c, tensor, step):
    """What a series is of which `step` gives the two numbers of the degree before, the highest degree last, and what it is for its last
    two."""
    c = np.atleast_1d(np.asarray(c))
    if not np.issubdtype(c.dtype, np.inexact):
        c = c.astype(np.float64)
    if tensor and c.ndim > 1:
        for _ in range(x.ndim):
            c = c[..., None]
    if len(c) == 0:
        raise IndexError("index -1 is out of bounds for axis 0 with size 0")
    low = c[max(len(c) - 2, 0)] + 0 * x
    high = c[-1] * min(len(c) - 1, 1) + 0 * x
    for k in range(len(c) - 2, 0, -1):
        low, high = step(c[k - 1], low, high, k + 1)
    return low + high * x


def chebval(x, c, tensor=True):
    x = np.asarray(x)
    return _clenshaw(x, c, tensor, lambda a, low, high, n: (a - high, low + high * (2 * x)))
