"""np.polynomial.polynomial: polynomials of which the lowest power comes first."""
import numpy as np

from ._common import _is_sequence


def _rising_value(x, c, tensor=True):
    c = np.atleast_1d(np.asarray(c))
    if not np.issubdtype(c.dtype, np.inexact):
        c = c.astype(np.float64)
    x = np.asarray(x)
    if tensor and c.ndim > 1:
        for _ in range(x.ndim):
            c = c[..., None]
    if c.shape[0] == 0:
        raise IndexError("index -1 is out of bounds for axis 0 with size 0")
    value = c[-1] + x * 0
    for k in range(2, c.shape[0] + 1):
        value = c[-k] + value * x
    return value


def polyval(x, c, tensor=True):
    return _rising_value(x, c, tensor)


def polyval2d(x, y, c):
    return _rising_value(y, _rising_value(x, c), tensor=False)


def polygrid2d(x, y, c):
    return _rising_value(y, _rising_value(x, c))


def polyder(c, m=1, scl=1, axis=0):
    c = np.atleast_1d(np.asarray(c))
    if c.ndim != 1:
        raise NotImplementedError("`polyder` of np.polynomial is translated of a vector")
    if m < 0:
        raise ValueError("The order of derivation must be non-negative")
    if not np.issubdtype(c.dtype, np.inexact):
        c = c.astype(np.float64)
    if m == 0:
        return c
    if len(c) <= m:
        raise NotImplementedError("`polyder` to less than no coefficients is not translated")
    for _ in range(m):
        c = c[1:] * np.arange(1, len(c)).astype(c.real.dtype) * scl
    return c


def polyint(c, m=1, k=(), lbnd=0, scl=1, axis=0):
    c = np.atleast_1d(np.asarray(c))
    if c.ndim != 1 or m != 1:
        raise NotImplementedError("`polyint` of np.polynomial is translated of a vector, once")
    if not np.issubdtype(c.dtype, np.inexact):
        c = c.astype(np.float64)
    constant = 0.0
    if _is_sequence(k):
        if len(k) > m:
            raise ValueError("Too many integration constants")
        if len(k) > 0:
            constant = k[0]
    else:
        constant = k
    made = np.zeros(len(c) + 1, c.dtype)
    made[1:] = c * scl / np.arange(1, len(c) + 1).astype(c.real.dtype)
    made[0] = constant - _rising_value(np.asarray(lbnd), made)
    return made


def polyfromroots(roots):
    roots = np.atleast_1d(np.asarray(roots))
    if roots.ndim != 1:
        raise ValueError("Coefficient array is not 1-d")
    if not np.issubdtype(roots.dtype, np.inexact):
        roots = roots.astype(np.float64)
    made = np.zeros(len(roots) + 1, roots.dtype)
    made[0] = 1
    for k in range(len(roots)):
        made[1:k + 2] = made[:k + 1] - roots[k] * made[1:k + 2]
        made[0] = -roots[k] * made[0]
    return made


def polyvander(x, deg):
    if deg < 0:
        raise ValueError("deg must be non-negative")
    x = np.atleast_1d(np.asarray(x)) + 0.0
    return x[..., None] ** np.arange(deg + 1)


def polyfit(x, y, deg, rcond=None, full=False, w=None):
    if _is_sequence(deg):
        raise NotImplementedError("`deg` of `polyfit` is a number")
    return np.polyfit(x, y, deg, rcond, full, w)[::-1]
