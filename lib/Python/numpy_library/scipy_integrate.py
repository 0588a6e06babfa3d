"""scipy.integrate of samples."""
import numpy as np

from ._common import _axis


def trapezoid(y, x=None, dx=1.0, axis=-1):
    return np.trapezoid(y, x, dx, axis)


def cumulative_trapezoid(y, x=None, dx=1.0, axis=-1, initial=None):
    y = np.asarray(y)
    at = _axis(axis, y.ndim)
    moved = np.moveaxis(y, at, -1)
    if moved.shape[-1] == 0:
        raise ValueError("At least one point is required along `axis`.")
    d = dx
    if x is not None:
        x = np.asarray(x)
        if x.ndim != 1 and x.ndim != y.ndim:
            raise ValueError("If given, shape of x must be 1-D or the same as y.")
        d = np.diff(x) if x.ndim == 1 else np.diff(np.moveaxis(x, at, -1))
        if d.shape[-1] != moved.shape[-1] - 1:
            raise ValueError("If given, length of x along axis must be the same as y.")
    sums = np.cumsum(d * (moved[..., 1:] + moved[..., :-1]) / 2.0, axis=-1)
    if initial is not None:
        if initial != 0:
            raise ValueError("`initial` must be `None` or `0`.")
        sums = np.concatenate((np.zeros(sums.shape[:-1] + (1,), sums.dtype), sums), axis=-1)
    return np.moveaxis(sums, -1, at)


def _over(a, b):
    """a / b, and 0 where b is."""
    return np.where(b == 0, 0.0, a / np.where(b == 0, 1.0, b))


def _last_interval(y, first, second):
    """Of a parabola through the last three points, at these distances (Cartwright, Simpson's rule cumulative integration, 2017)."""
    alpha = _over(2 * second ** 2 + 3 * first * second, 6 * (second + first))
    beta = _over(second ** 2 + 3.0 * first * second, 6 * first)
    eta = _over(1 * second ** 3, 6 * first * (first + second))
    return alpha * y[..., -1] + beta * y[..., -2] - eta * y[..., -3]


def _plus(total, last):
    """The type of an array stays, and that of a number is what it is for float64."""
    return total + (np.asarray(last).astype(total.dtype) if total.ndim > 0 else np.float64(last))


def simpson(y, x=None, *, dx=1.0, axis=-1):
    y = np.asarray(y)
    at = _axis(axis, y.ndim)
    moved = np.moveaxis(y, at, -1)
    n = moved.shape[-1]
    begin = 2 * np.arange((n - 1) // 2)
    if x is not None:
        x = np.asarray(x)
        if x.ndim != 1 and x.ndim != y.ndim:
            raise ValueError("If given, shape of x must be 1-D or the same as y.")
        if x.ndim != 1:
            x = np.moveaxis(x, at, -1)
        if x.shape[-1] != n:
            raise ValueError("If given, length of x along axis must be the same as y.")
        h = np.float64(np.diff(x))
        h0 = h[..., begin]
        h1 = h[..., begin + 1]
        sum = h0 + h1
        ratio = _over(h0, h1)
        total = np.sum(sum / 6.0 * (moved[..., begin] * (2.0 - _over(1.0, ratio)) + moved[..., begin + 1] * (sum * _over(sum, h0 * h1))
                                    + moved[..., begin + 2] * (2.0 - ratio)), axis=-1)
        if n == 2:
            total = _plus(total, 0.5 * h[..., -1] * (moved[..., -1] + moved[..., -2]))
        elif n % 2 == 0:
            total = _plus(total, _last_interval(moved, h[..., -2], h[..., -1]))
        return total
    total = np.sum(moved[..., begin] + 4.0 * moved[..., begin + 1] + moved[..., begin + 2], axis=-1) * (dx / 3.0)
    if n == 2:
        total = _plus(total, 0.5 * dx * (moved[..., -1] + moved[..., -2]))
    elif n % 2 == 0:
        total = _plus(total, _last_interval(moved, np.float64(dx), np.float64(dx)))
    return total
