"""Means, spreads, and sums without NaN."""
import numpy as np

from ._common import _axis, _given


def ptp(a, axis=None, out=None, keepdims=np._NoValue):
    keep = False if keepdims is np._NoValue else keepdims
    a = np.asarray(a)
    return np.subtract(np.max(a, axis, keepdims=keep), np.min(a, axis, keepdims=keep), out=out)


def average(a, axis=None, weights=None, returned=False, *, keepdims=np._NoValue):
    keep = False if keepdims is np._NoValue else keepdims
    a = np.asarray(a)
    if weights is None:
        mean = np.mean(a, axis, keepdims=keep)
        if returned:
            count = np.asarray(a.size / np.size(mean)).astype(mean.dtype)
            return mean, np.full(np.shape(mean), count) if np.ndim(mean) > 0 else count
        return mean
    weights = np.asarray(weights)
    if axis is None:
        if a.shape != weights.shape:
            raise TypeError("Axis must be specified when shapes of a and weights differ.")
    elif a.ndim == weights.ndim and a.ndim > 1:
        if a.shape != weights.shape:
            raise ValueError("Shape of weights must be consistent with shape of a along specified axis.")
    else:
        if weights.ndim != 1:
            raise NotImplementedError("weights of `np.average` have the array's shape, or one dimension")
        at = _axis(axis, a.ndim)
        if weights.shape[0] != a.shape[at]:
            raise ValueError("Shape of weights must be consistent with shape of a along specified axis.")
        for _ in range(a.ndim - 1 - at):
            weights = weights[..., None]
    kind = np.result_type(a.dtype, weights.dtype)
    if not np.issubdtype(a.dtype, np.inexact):
        kind = np.result_type(a.dtype, weights.dtype, np.float64)
    spread = weights + np.zeros(a.shape, kind)
    scale = np.sum(spread, axis, dtype=kind, keepdims=keep)
    if np.any(scale == 0.0):
        raise ZeroDivisionError("Weights sum to zero, can't be normalized")
    mean = np.sum(np.multiply(a, weights, dtype=kind), axis, keepdims=keep) / scale
    if returned:
        return mean, scale
    return mean


def _weights_of_cov(count, fweights, aweights):
    """How often each observation counts, None where each does once."""
    weights = None
    if fweights is not None:
        often = np.asarray(fweights)
        if not np.issubdtype(often.dtype, np.integer):
            raise TypeError("fweights must be integer")
        if often.ndim > 1:
            raise RuntimeError("cannot handle multidimensional fweights")
        if often.shape[0] != count:
            raise RuntimeError("incompatible numbers of samples and fweights")
        if np.any(often < 0):
            raise ValueError("fweights cannot be negative")
        weights = often.astype(np.float64)
    if aweights is not None:
        heavy = np.asarray(aweights)
        if heavy.ndim > 1:
            raise RuntimeError("cannot handle multidimensional aweights")
        if heavy.shape[0] != count:
            raise RuntimeError("incompatible numbers of samples and aweights")
        if np.any(heavy < 0):
            raise ValueError("aweights cannot be negative")
        weights = heavy.astype(np.float64) if weights is None else weights * heavy
    return weights


def cov(m, y=None, rowvar=True, bias=False, ddof=None, fweights=None, aweights=None, *, dtype=None):
    m = np.asarray(m)
    if m.ndim > 2:
        raise ValueError("m has more than 2 dimensions")
    kind = dtype
    if dtype is None:
        kind = np.result_type(m, np.float64) if y is None else np.result_type(m, np.asarray(y), np.float64)
    x = m[None, :] if m.ndim == 1 else m if rowvar else m.T
    if y is not None:
        y = np.asarray(y)
        if y.ndim > 2:
            raise ValueError("y has more than 2 dimensions")
        other = y[None, :] if y.ndim == 1 else y if rowvar else y.T
        x = np.concatenate((x, other), 0, dtype=kind)
    x = x.astype(kind)
    if m.ndim == 2 and y is None:
        if x.shape[0] < 2:
            raise NotImplementedError("`np.cov` of fewer than two variables has another number of dimensions: pass a vector")
    lost = (0 if bias else 1) if ddof is None else ddof
    weights = _weights_of_cov(x.shape[1], fweights, aweights)
    if weights is None:
        x = x - np.mean(x, 1)[:, None]
        turned = np.conj(x.T) if np.issubdtype(x.dtype, np.complexfloating) else x.T
        c = (x @ turned) * np.true_divide(1, np.maximum(x.shape[1] - lost, 0))
        if m.ndim == 1 and y is None:
            return np.asarray(c[0, 0])
        return c
    total = np.sum(weights)
    if total == 0:
        raise ZeroDivisionError("Weights sum to zero, can't be normalized")
    x = x - (np.sum(x * weights, 1) / total)[:, None]
    rest = total - lost * np.sum(weights * aweights) / total if aweights is not None else total - lost
    turned = np.conj((x * weights).T) if np.issubdtype(x.dtype, np.complexfloating) else (x * weights).T
    c = (x @ turned) * np.true_divide(1, np.maximum(rest, 0))
    if m.ndim == 1 and y is None:
        return np.asarray(c[0, 0])
    return c


def corrcoef(x, y=None, rowvar=True, *, dtype=None):
    c = np.cov(x, y, rowvar, dtype=dtype)
    if np.ndim(c) == 0:
        return c / c
    if np.issubdtype(c.dtype, np.complexfloating):
        raise NotImplementedError("`np.corrcoef` of complex numbers is not translated")
    d = c[np.arange(c.shape[0]), np.arange(c.shape[0])]
    s = np.sqrt(d)
    return np.minimum(np.maximum(c / s[:, None] / s[None, :], -1), 1)


def _is_inexact(a):
    return np.issubdtype(a.dtype, np.inexact)


def _keep(value):
    return False if value is np._NoValue else value


def _which(where):
    return True if where is np._NoValue else where


def nansum(a, axis=None, dtype=None, out=None, keepdims=np._NoValue, initial=np._NoValue, where=np._NoValue):
    a = np.asarray(a)
    if initial is not np._NoValue:
        raise NotImplementedError("`initial=` of `np.nansum` is not translated; add it to the result")
    filled = np.where(np.isnan(a), np.zeros((), a.dtype), a) if _is_inexact(a) else a
    return np.sum(filled, axis, dtype=dtype, out=out, keepdims=_keep(keepdims), where=_which(where))


def nanprod(a, axis=None, dtype=None, out=None, keepdims=np._NoValue, initial=np._NoValue, where=np._NoValue):
    a = np.asarray(a)
    if initial is not np._NoValue:
        raise NotImplementedError("`initial=` of `np.nanprod` is not translated; multiply the result by it")
    filled = np.where(np.isnan(a), np.ones((), a.dtype), a) if _is_inexact(a) else a
    return np.prod(filled, axis, dtype=dtype, out=out, keepdims=_keep(keepdims), where=_which(where))


def nanmean(a, axis=None, dtype=None, out=None, keepdims=np._NoValue, *, where=np._NoValue):
    a = np.asarray(a)
    if not _is_inexact(a):
        return np.mean(a, axis, dtype=dtype, out=out, keepdims=_keep(keepdims), where=_which(where))
    if where is not np._NoValue:
        raise NotImplementedError("`where=` of `np.nanmean` is not translated; use `np.mean(a, where=~np.isnan(a) & where)`")
    return np.mean(a, axis, dtype=dtype, out=out, keepdims=_keep(keepdims), where=~np.isnan(a))


def nanvar(a, axis=None, dtype=None, out=None, ddof=0, keepdims=np._NoValue, *, where=np._NoValue, mean=np._NoValue, correction=np._NoValue):
    a = np.asarray(a)
    if where is not np._NoValue or mean is not np._NoValue:
        raise NotImplementedError("`where=` and `mean=` of `np.nanvar` are not translated")
    freedom = ddof if correction is np._NoValue else correction
    if not _is_inexact(a):
        return np.var(a, axis, dtype=dtype, out=out, ddof=freedom, keepdims=_keep(keepdims))
    return np.var(a, axis, dtype=dtype, out=out, ddof=freedom, keepdims=_keep(keepdims), where=~np.isnan(a))


def nanstd(a, axis=None, dtype=None, out=None, ddof=0, keepdims=np._NoValue, *, where=np._NoValue, mean=np._NoValue, correction=np._NoValue):
    a = np.asarray(a)
    if where is not np._NoValue or mean is not np._NoValue:
        raise NotImplementedError("`where=` and `mean=` of `np.nanstd` are not translated")
    freedom = ddof if correction is np._NoValue else correction
    if not _is_inexact(a):
        return np.std(a, axis, dtype=dtype, out=out, ddof=freedom, keepdims=_keep(keepdims))
    return np.std(a, axis, dtype=dtype, out=out, ddof=freedom, keepdims=_keep(keepdims), where=~np.isnan(a))


def nanmax(a, axis=None, out=None, keepdims=np._NoValue, initial=np._NoValue, where=np._NoValue):
    a = np.asarray(a)
    if where is not np._NoValue:
        raise NotImplementedError("`where=` of `np.nanmax` is not translated")
    if initial is not np._NoValue:
        if np.issubdtype(a.dtype, np.floating):
            missing = np.isnan(a)
            found = np.max(np.where(missing, a.dtype.type(-np.inf), a), axis, keepdims=_keep(keepdims), initial=-np.inf)
            found = np.where(np.all(missing, axis, keepdims=_keep(keepdims)), a.dtype.type(np.nan), found)
            return _given(np.fmax(found, a.dtype.type(initial)), out)
        if np.issubdtype(a.dtype, np.complexfloating):
            raise NotImplementedError("`initial=` of `np.nanmax` is translated of real numbers")
        return np.max(a, axis, out=out, keepdims=_keep(keepdims), initial=initial)
    if np.issubdtype(a.dtype, np.floating):
        kind = a.dtype.type
        missing = np.isnan(a)
        found = np.max(np.where(missing, kind(-np.inf), a), axis, keepdims=_keep(keepdims))
        return _given(np.where(np.all(missing, axis, keepdims=_keep(keepdims)), kind(np.nan), found), out)
    if np.issubdtype(a.dtype, np.complexfloating):
        if axis is None and a.ndim != 1:
            raise NotImplementedError("`np.nanmax` of complex numbers takes an axis here; write `np.nanmax(np.ravel(a))`")
        return _given(np.fmax.reduce(a, 0 if axis is None else axis, keepdims=_keep(keepdims)), out)
    return np.max(a, axis, out=out, keepdims=_keep(keepdims))


def nanmin(a, axis=None, out=None, keepdims=np._NoValue, initial=np._NoValue, where=np._NoValue):
    a = np.asarray(a)
    if where is not np._NoValue:
        raise NotImplementedError("`where=` of `np.nanmin` is not translated")
    if initial is not np._NoValue:
        if np.issubdtype(a.dtype, np.floating):
            missing = np.isnan(a)
            found = np.min(np.where(missing, a.dtype.type(np.inf), a), axis, keepdims=_keep(keepdims), initial=np.inf)
            found = np.where(np.all(missing, axis, keepdims=_keep(keepdims)), a.dtype.type(np.nan), found)
            return _given(np.fmin(found, a.dtype.type(initial)), out)
        if np.issubdtype(a.dtype, np.complexfloating):
            raise NotImplementedError("`initial=` of `np.nanmin` is translated of real numbers")
        return np.min(a, axis, out=out, keepdims=_keep(keepdims), initial=initial)
    if np.issubdtype(a.dtype, np.floating):
        kind = a.dtype.type
        missing = np.isnan(a)
        found = np.min(np.where(missing, kind(np.inf), a), axis, keepdims=_keep(keepdims))
        return _given(np.where(np.all(missing, axis, keepdims=_keep(keepdims)), kind(np.nan), found), out)
    if np.issubdtype(a.dtype, np.complexfloating):
        if axis is None and a.ndim != 1:
            raise NotImplementedError("`np.nanmin` of complex numbers takes an axis here; write `np.nanmin(np.ravel(a))`")
        return _given(np.fmin.reduce(a, 0 if axis is None else axis, keepdims=_keep(keepdims)), out)
    return np.min(a, axis, out=out, keepdims=_keep(keepdims))


def _without_missing(a, axis, kind_of_extreme):
    """Values that no search finds in NaN's place."""
    missing = np.isnan(a)
    if np.any(np.all(missing, axis)):
        raise ValueError("All-NaN slice encountered")
    return np.where(missing, a.dtype.type(kind_of_extreme), a)


def nanargmax(a, axis=None, out=None, *, keepdims=np._NoValue):
    a = np.asarray(a)
    found = _without_missing(a, axis, -np.inf) if _is_inexact(a) else a
    return np.argmax(found, axis, out, keepdims=_keep(keepdims))


def nanargmin(a, axis=None, out=None, *, keepdims=np._NoValue):
    a = np.asarray(a)
    found = _without_missing(a, axis, np.inf) if _is_inexact(a) else a
    return np.argmin(found, axis, out, keepdims=_keep(keepdims))


def nancumsum(a, axis=None, dtype=None, out=None):
    a = np.asarray(a)
    filled = np.where(np.isnan(a), np.zeros((), a.dtype), a) if _is_inexact(a) else a
    return np.cumsum(filled, axis, dtype=dtype, out=out)


def nancumprod(a, axis=None, dtype=None, out=None):
    a = np.asarray(a)
    filled = np.where(np.isnan(a), np.ones((), a.dtype), a) if _is_inexact(a) else a
    return np.cumprod(filled, axis, dtype=dtype, out=out)
