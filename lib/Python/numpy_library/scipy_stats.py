"""scipy.stats: what is said of samples."""
import numpy as np


def _real(a):
    a = np.asarray(a)
    if np.issubdtype(a.dtype, np.complexfloating):
        raise NotImplementedError("functions of scipy.stats are translated for real numbers")
    return a if np.issubdtype(a.dtype, np.inexact) else a.astype(np.float64)


def _propagates(nan_policy):
    if nan_policy != "propagate":
        raise NotImplementedError("`nan_policy=` of scipy.stats is 'propagate'; leave NaN out before")


def zscore(a, axis=0, ddof=0, nan_policy="propagate"):
    _propagates(nan_policy)
    a = _real(a)
    return (a - np.mean(a, axis=axis, keepdims=True)) / np.std(a, axis=axis, ddof=ddof, keepdims=True)


def gmean(a, axis=0, dtype=None, weights=None, *, nan_policy="propagate", keepdims=False):
    _propagates(nan_policy)
    if dtype is not None or weights is not None:
        raise NotImplementedError("`dtype=` and `weights=` of `scipy.stats.gmean` are not translated")
    if np.issubdtype(np.asarray(a).dtype, np.integer) and np.asarray(a).itemsize < 4:
        raise NotImplementedError("`scipy.stats.gmean` of small integers is a float of few digits; convert them")
    return np.exp(np.mean(np.log(_real(a)), axis=axis, keepdims=keepdims))


def hmean(a, axis=0, dtype=None, *, weights=None, nan_policy="propagate", keepdims=False):
    _propagates(nan_policy)
    if dtype is not None or weights is not None:
        raise NotImplementedError("`dtype=` and `weights=` of `scipy.stats.hmean` are not translated")
    a = _real(a)
    return 1.0 / np.mean(np.where(a >= 0, 1.0 / a, np.nan), axis=axis, keepdims=keepdims)


def sem(a, axis=0, ddof=1, nan_policy="propagate", *, keepdims=False):
    _propagates(nan_policy)
    a = _real(a)
    count = a.size if axis is None else a.shape[axis]
    return np.std(a, axis=axis, ddof=ddof, keepdims=keepdims) / np.sqrt(count)


def _moment(a, order, axis, keepdims):
    return np.mean((a - np.mean(a, axis=axis, keepdims=True)) ** order, axis=axis, keepdims=keepdims)


def skew(a, axis=0, bias=True, nan_policy="propagate", *, keepdims=False):
    _propagates(nan_policy)
    if not bias:
        raise NotImplementedError("`bias=False` of `scipy.stats.skew` is not translated")
    a = _real(a)
    second = _moment(a, 2, axis, keepdims)
    third = _moment(a, 3, axis, keepdims)
    return third / second ** 1.5


def kurtosis(a, axis=0, fisher=True, bias=True, nan_policy="propagate", *, keepdims=False):
    _propagates(nan_policy)
    if not bias:
        raise NotImplementedError("`bias=False` of `scipy.stats.kurtosis` is not translated")
    a = _real(a)
    second = _moment(a, 2, axis, keepdims)
    return _moment(a, 4, axis, keepdims) / second ** 2.0 - (3 if fisher else 0)


def entropy(pk, qk=None, base=None, axis=0, *, nan_policy="propagate", keepdims=False):
    _propagates(nan_policy)
    p = _real(pk)
    p = p / np.sum(p, axis=axis, keepdims=True)
    if qk is None:
        terms = np.where(p > 0, -p * np.log(p), np.where(p == 0, 0.0, -np.inf))
    else:
        q = _real(qk)
        q = q / np.sum(q, axis=axis, keepdims=True)
        terms = np.where((p > 0) & (q > 0), p * np.log(p / q), np.where((p == 0) & (q >= 0), 0.0, np.inf))
    total = np.sum(terms, axis=axis, keepdims=keepdims)
    return total if base is None else total / np.log(base)
