"""Medians and other quantiles."""
import math

import numpy as np

from ._common import _columns, _given, _in_order, _kept


def _ascending(a, axis):
    """Sorted along the named axes, which become the first."""
    columns = _columns(a, axis)
    return np.moveaxis(_in_order(np.moveaxis(columns, 0, -1)), -1, 0)


def median(a, axis=None, out=None, overwrite_input=False, keepdims=False):
    a = np.asarray(a)
    part = _ascending(a, axis)
    count = part.shape[0]
    middle = np.mean(part[max(count - 1, 0) // 2 : count // 2 + 1], 0)
    if np.issubdtype(a.dtype, np.inexact):
        middle = np.where(np.any(np.isnan(part[-1:]), 0), np.nan, middle).astype(middle.dtype)
    return _given(_kept(middle, axis, keepdims, a.shape), out)


def nanmedian(a, axis=None, out=None, overwrite_input=False, keepdims=np._NoValue):
    keep = False if keepdims is np._NoValue else keepdims
    a = np.asarray(a)
    if not np.issubdtype(a.dtype, np.inexact):
        return np.median(a, axis, out, overwrite_input, keep)
    if np.issubdtype(a.dtype, np.complexfloating):
        raise NotImplementedError("`np.nanmedian` of complex numbers")
    part = _ascending(a, axis)
    count = np.sum(~np.isnan(part), 0)
    more = np.concatenate((part, np.full((1,) + part.shape[1:], np.nan, a.dtype)))  # where nothing else is
    low = np.take_along_axis(more, np.expand_dims(np.maximum(count - 1, 0) // 2, 0), 0)[0]
    high = np.take_along_axis(more, np.expand_dims(count // 2, 0), 0)[0]
    middle = np.where(count % 2 == 1, low, (low + high) / 2).astype(a.dtype)
    return _given(_kept(middle, axis, keep, a.shape), out)


def _quantile_at(count, q, method):
    """Where the quantile lies among sorted elements."""
    if method in ("linear", "lower", "higher", "nearest", "midpoint"):
        return (count - 1) * q
    if method == "hazen":
        return count * q + (0.5 + q * (1 - 0.5 - 0.5)) - 1
    if method == "weibull":
        return count * q + (0 + q * (1 - 0 - 0)) - 1
    if method == "median_unbiased":
        return count * q + (1 / 3.0 + q * (1 - 1 / 3.0 - 1 / 3.0)) - 1
    if method == "normal_unbiased":
        return count * q + (3 / 8.0 + q * (1 - 3 / 8.0 - 3 / 8.0)) - 1
    if method == "interpolated_inverted_cdf":
        return count * q + (0 + q * (1 - 0 - 1)) - 1
    raise NotImplementedError("this `method=` of quantiles is not translated; 'linear' is, 'lower', 'higher', 'nearest', 'midpoint', "
                              "'hazen', 'weibull', 'median_unbiased', 'normal_unbiased' and 'interpolated_inverted_cdf'")


def _between(part, q, method):
    """Of one number: Python's own float takes the type of the array."""
    count = part.shape[0]
    place = _quantile_at(count, q, method)
    low = math.floor(place)
    if method == "lower":
        return part[low]
    if method == "higher":
        return part[math.ceil(place)]
    if method == "nearest":
        return part[round(place)]
    gamma = place - low
    if method == "midpoint":
        gamma = 0.0 if gamma == 0 else 0.5
    first = part[min(max(low, 0), count - 1)]
    second = part[min(max(low + 1, 0), count - 1)]
    step = second - first
    return np.where(gamma >= 0.5, second - step * (1 - gamma), first + step * gamma)


def _all_between(part, q, method):
    """Of a vector of numbers."""
    count = part.shape[0]
    place = _quantile_at(count, q, method)
    low = np.floor(place).astype(np.int64)
    if method == "lower":
        return part[low]
    if method == "higher":
        return part[np.ceil(place).astype(np.int64)]
    if method == "nearest":
        return part[np.round(place).astype(np.int64)]
    gamma = place - np.floor(place)
    if method == "midpoint":
        gamma = np.where(gamma == 0, 0.0, 0.5).astype(place.dtype)
    first = part[np.minimum(np.maximum(low, 0), count - 1)]
    second = part[np.minimum(np.maximum(low + 1, 0), count - 1)]
    for _ in range(part.ndim - 1):
        gamma = gamma[..., None]
    step = second - first
    return np.where(gamma >= 0.5, second - step * (1 - gamma), first + step * gamma)


def _quantiles(a, q, axis, out, method, keepdims, weights):
    if np.issubdtype(a.dtype, np.complexfloating):
        raise TypeError("a must be an array of real numbers")
    if weights is not None:
        raise NotImplementedError("`weights=` of quantiles is not translated")
    part = _ascending(a, axis)
    if part.shape[0] == 0 and (np.size(q) > 0 or np.issubdtype(a.dtype, np.inexact)):
        raise IndexError("index -1 is out of bounds for axis 0 with size 0")
    if np.ndim(q) == 0:
        value = _between(part, q, method)
    elif np.ndim(q) == 1:
        value = _all_between(part, q, method)
    else:
        raise NotImplementedError("`q` of quantiles is a number or a vector")
    if np.issubdtype(a.dtype, np.inexact):
        value = np.where(np.isnan(part[-1]), np.nan, value).astype(value.dtype)
    return _given(_kept(value, axis, keepdims, a.shape), out)


def quantile(a, q, axis=None, out=None, overwrite_input=False, method="linear", keepdims=False, *, weights=None):
    rank = q if np.ndim(q) == 0 else np.asarray(q)
    if not np.all((rank >= 0) & (rank <= 1)):
        raise ValueError("Quantiles must be in the range [0, 1]")
    return _quantiles(np.asarray(a), rank, axis, out, method, keepdims, weights)


def percentile(a, q, axis=None, out=None, overwrite_input=False, method="linear", keepdims=False, *, weights=None):
    rank = q / 100 if np.ndim(q) == 0 else np.asarray(q) / 100
    if not np.all((rank >= 0) & (rank <= 1)):
        raise ValueError("Percentiles must be in the range [0, 100]")
    return _quantiles(np.asarray(a), rank, axis, out, method, keepdims, weights)


def _nan_quantiles(a, q, axis, out, method, keepdims, weights):
    keep = False if keepdims is np._NoValue else keepdims
    if np.issubdtype(a.dtype, np.complexfloating):
        raise TypeError("a must be an array of real numbers")
    if a.size == 0:
        raise NotImplementedError("quantiles of no numbers are not translated")
    if not np.issubdtype(a.dtype, np.inexact):
        return _quantiles(a, q, axis, out, method, keep, weights)
    if weights is not None:
        raise NotImplementedError("`weights=` of quantiles is not translated")
    if np.ndim(q) > 1:
        raise NotImplementedError("`q` of quantiles is a number or a vector")
    part = _ascending(a, axis)
    ranks = np.reshape(np.asarray(q), (np.size(q),))
    for _ in range(part.ndim - 1):
        ranks = ranks[..., None]
    count = np.sum(~np.isnan(part), 0, keepdims=True)
    place = _quantile_at(count, ranks, method)
    low = np.floor(place)
    gamma = place - low
    if method == "higher":
        low = np.ceil(place)
    elif method == "nearest":
        low = np.round(place)
    elif method == "midpoint":
        gamma = np.where(gamma == 0, 0.0, 0.5)
    if method in ("lower", "higher", "nearest"):
        gamma = gamma * 0
    more = np.concatenate((part, np.full((1,) + part.shape[1:], np.nan, a.dtype)))  # where nothing else is
    last = np.maximum(count - 1, 0)
    first = np.take_along_axis(more, np.minimum(np.maximum(low.astype(np.int64), 0), last), 0)
    second = np.take_along_axis(more, np.minimum(np.maximum(low.astype(np.int64) + 1, 0), last), 0)
    step = second - first
    value = np.where(gamma >= 0.5, second - step * (1 - gamma), first + step * gamma)
    value = np.where(gamma == 0, first, value).astype(a.dtype if np.ndim(q) == 0 else np.result_type(a.dtype, np.asarray(q).dtype))
    return _given(_kept(value[0] if np.ndim(q) == 0 else value, axis, keep, a.shape), out)


def nanquantile(a, q, axis=None, out=None, overwrite_input=False, method="linear", keepdims=np._NoValue, *, weights=None):
    rank = q if np.ndim(q) == 0 else np.asarray(q)
    if not np.all((rank >= 0) & (rank <= 1)):
        raise ValueError("Quantiles must be in the range [0, 1]")
    return _nan_quantiles(np.asarray(a), rank, axis, out, method, keepdims, weights)


def nanpercentile(a, q, axis=None, out=None, overwrite_input=False, method="linear", keepdims=np._NoValue, *, weights=None):
    rank = q / 100 if np.ndim(q) == 0 else np.asarray(q) / 100
    if not np.all((rank >= 0) & (rank <= 1)):
        raise ValueError("Percentiles must be in the range [0, 100]")
    return _nan_quantiles(np.asarray(a), rank, axis, out, method, keepdims, weights)
