"""Functions of scipy.interpolate: what they return is called with the places to interpolate at."""
import functools

import numpy as np


def _line_at(x, y, kind, raises, extrapolates, below, above, at):
    q = np.asarray(at, dtype=np.float64)
    flat = np.ravel(q)
    n = len(x)
    if raises:
        for k in range(len(flat)):
            if flat[k] < x[0]:
                raise ValueError("A value in x_new is below the interpolation range.")
            if flat[k] > x[n - 1]:
                raise ValueError("A value in x_new is above the interpolation range.")
    if kind == "linear":
        hi = np.clip(np.searchsorted(x, flat), 1, n - 1)
        slope = (y[hi] - y[hi - 1]) / (x[hi] - x[hi - 1])
        found = slope * (flat - x[hi - 1]) + y[hi - 1]
    elif kind == "nearest":
        found = y[np.clip(np.searchsorted((x[1:] + x[:-1]) / 2.0, flat, "left"), 0, n - 1)]
    elif kind == "previous":
        found = y[np.clip(np.searchsorted(np.nextafter(x, -np.inf), flat, "left") - 1, 0, n - 1)]
    else:
        found = y[np.clip(np.searchsorted(np.nextafter(x, np.inf), flat, "right"), 0, n - 1)]
    if not extrapolates:
        found = np.where(flat < x[0], below, np.where(flat > x[n - 1], above, found))
    found = np.where(np.isnan(flat), np.nan, found)
    return np.reshape(found, q.shape)


def interp1d(x, y, kind="linear", axis=-1, copy=True, bounds_error=None, fill_value=np.nan, assume_sorted=False):
    if np.ndim(y) != 1:
        raise NotImplementedError("`interp1d` is translated of one row of values; call it for each")
    if len(x) != len(y):
        raise ValueError("x and y arrays must be equal in length along interpolation axis.")
    if kind == "cubic":
        if fill_value != "extrapolate":
            raise NotImplementedError('write `CubicSpline(x, y)`, which also has values outside, or `fill_value="extrapolate"`')
        return CubicSpline(x, y)
    if kind not in ("linear", "nearest", "previous", "next"):
        raise NotImplementedError('`kind=` of `interp1d` is "linear", "nearest", "previous", "next" or "cubic" here')
    extrapolates = fill_value == "extrapolate"
    if extrapolates and kind in ("previous", "next"):
        raise NotImplementedError('"previous" and "next" are not extrapolated here')
    isSpread = isinstance(fill_value, tuple)
    below = np.nan if extrapolates else fill_value[0] if isSpread else fill_value
    above = np.nan if extrapolates else fill_value[1] if isSpread else fill_value
    raises = not extrapolates if bounds_error is None else bounds_error
    order = np.argsort(x, kind="stable")
    places = np.asarray(x, dtype=np.float64)[order]
    values = np.asarray(y, dtype=np.float64)[order]
    return functools.partial(_line_at, places, values, kind, raises, extrapolates, below, above)


def _spline_at(x, y, b, c, d, at):
    q = np.asarray(at, dtype=np.float64)
    k = np.clip(np.searchsorted(x, q, "right") - 1, 0, len(x) - 2)
    t = q - x[k]
    return y[k] + t * (b[k] + t * (c[k] + t * d[k]))


def CubicSpline(x, y, axis=0, bc_type="not-a-knot", extrapolate=None):
    if np.ndim(y) != 1 or bc_type not in ("not-a-knot", "natural", "clamped"):
        raise NotImplementedError('`CubicSpline` is translated of one row of values, with `bc_type` "not-a-knot", "natural" or "clamped"')
    places = np.asarray(x, dtype=np.float64)
    values = np.asarray(y, dtype=np.float64)
    n = len(places)
    if n < 2:
        raise ValueError("`x` must contain at least 2 elements.")
    h = places[1:] - places[:-1]
    if np.any(h <= 0):
        raise ValueError("`x` must be strictly increasing sequence.")
    slope = (values[1:] - values[:-1]) / h
    # lower[i] * s[i-1] + middle[i] * s[i] + upper[i] * s[i+1] = right[i], of the slopes at the places
    lower = np.zeros(n)
    middle = np.ones(n)
    upper = np.zeros(n)
    right = np.zeros(n)
    for i in range(1, n - 1):
        lower[i] = h[i]
        middle[i] = 2 * (h[i - 1] + h[i])
        upper[i] = h[i - 1]
        right[i] = 3 * (h[i] * slope[i - 1] + h[i - 1] * slope[i])
    if bc_type == "natural":
        middle[0] = 2 * h[0]
        upper[0] = h[0]
        right[0] = 3 * (values[1] - values[0])
        lower[n - 1] = h[n - 2]
        middle[n - 1] = 2 * h[n - 2]
        right[n - 1] = 3 * (values[n - 1] - values[n - 2])
    elif bc_type == "not-a-knot":
        if n == 2:
            right[0] = slope[0]
            right[1] = slope[0]
        elif n == 3:
            upper[0] = 1.0
            right[0] = 2 * slope[0]
            lower[2] = 1.0
            right[2] = 2 * slope[1]
        else:
            d = places[2] - places[0]
            middle[0] = h[1]
            upper[0] = d
            right[0] = ((h[0] + 2 * d) * h[1] * slope[0] + h[0] ** 2 * slope[1]) / d
            d = places[n - 1] - places[n - 3]
            middle[n - 1] = h[n - 3]
            lower[n - 1] = d
            right[n - 1] = (h[n - 2] ** 2 * slope[n - 3] + (2 * d + h[n - 2]) * h[n - 3] * slope[n - 2]) / d
    for i in range(1, n):
        w = lower[i] / middle[i - 1]
        middle[i] -= w * upper[i - 1]
        right[i] -= w * right[i - 1]
    s = np.zeros(n)
    s[n - 1] = right[n - 1] / middle[n - 1]
    for i in range(n - 2, -1, -1):
        s[i] = (right[i] - upper[i] * s[i + 1]) / middle[i]
    t = (s[:-1] + s[1:] - 2 * slope) / h
    return functools.partial(_spline_at, places, values, s[:-1].copy(), (slope - s[:-1]) / h - t, t / h)
