"""scipy.stats: what is said of samples."""
from collections import namedtuple

import numpy as np

from .special import _beta_part

TestResult_ = namedtuple("TestResult_", "statistic pvalue")
LinregressResult_ = namedtuple("LinregressResult_", "slope intercept rvalue pvalue stderr")


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


def _two_sided(alternative, method):
    if alternative != "two-sided" or method is not None:
        raise NotImplementedError("`alternative=` and `method=` of tests of scipy.stats are not translated")


def _sample(a, axis):
    a = _real(a)
    if a.ndim != 1 or not (axis is None or axis == 0 or axis == -1):
        raise NotImplementedError("tests of scipy.stats are translated of vectors; write a loop over others")
    if a.dtype != np.float64:
        raise NotImplementedError("tests of scipy.stats are translated of float64; write `.astype(np.float64)`")
    return a


def _of_t(t, df):
    """How likely a number of Student's distribution is as far from 0, or farther."""
    return np.float64(_beta_part(np.float64(df) / 2, 0.5, df / (df + t * t)) if np.isfinite(t) else 0.0 if np.isinf(t) else np.nan)


def ttest_ind(a, b, *, axis=0, equal_var=True, nan_policy="propagate", alternative="two-sided", trim=0, method=None, keepdims=False):
    _propagates(nan_policy)
    _two_sided(alternative, method)
    if trim != 0 or keepdims != False:
        raise NotImplementedError("`trim=` and `keepdims=` of `scipy.stats.ttest_ind` are not translated")
    x = _sample(a, axis)
    y = _sample(b, axis)
    n = len(x)
    m = len(y)
    if n < 2 or m < 2:
        raise NotImplementedError("`scipy.stats.ttest_ind` is translated of samples of two numbers and more")
    u = np.var(x, ddof=1)
    v = np.var(y, ddof=1)
    if equal_var:
        df = n + m - 2.0
        spread = np.sqrt(((n - 1) * u + (m - 1) * v) / df * (1.0 / n + 1.0 / m))
    else:
        df = (u / n + v / m) ** 2 / ((u / n) ** 2 / (n - 1) + (v / m) ** 2 / (m - 1))
        if np.isnan(df):
            df = np.float64(1.0)
        spread = np.sqrt(u / n + v / m)
    t = np.divide(np.mean(x) - np.mean(y), spread)
    return TestResult_(t, _of_t(t, df))


def _one_sample(x, mean):
    n = len(x)
    if n < 2:
        raise NotImplementedError("tests of one sample are translated of two numbers and more")
    t = np.divide(np.mean(x) - mean, np.sqrt(np.var(x, ddof=1) / n))
    return TestResult_(t, _of_t(t, n - 1.0))


def ttest_1samp(a, popmean, axis=0, nan_policy="propagate", alternative="two-sided", *, keepdims=False):
    _propagates(nan_policy)
    _two_sided(alternative, None)
    if keepdims != False or np.ndim(popmean) > 0:
        raise NotImplementedError("`keepdims=` of `scipy.stats.ttest_1samp`, and several means, are not translated")
    return _one_sample(_sample(a, axis), popmean)


def ttest_rel(a, b, axis=0, nan_policy="propagate", alternative="two-sided", *, keepdims=False):
    _propagates(nan_policy)
    _two_sided(alternative, None)
    if keepdims != False:
        raise NotImplementedError("`keepdims=` of `scipy.stats.ttest_rel` is not translated")
    x = _sample(a, axis)
    y = _sample(b, axis)
    if len(x) != len(y):
        raise ValueError("unequal length arrays")
    return _one_sample(x - y, 0.0)


def pearsonr(x, y, *, alternative="two-sided", method=None, axis=0):
    _two_sided(alternative, method)
    u = _sample(x, axis)
    v = _sample(y, axis)
    if len(u) != len(v):
        raise ValueError("`x` and `y` must have the same length along `axis`.")
    n = len(u)
    if n < 3:
        raise NotImplementedError("`scipy.stats.pearsonr` is translated of three points and more")
    p = u - np.mean(u)
    q = v - np.mean(v)
    largest = np.max(abs(p))
    highest = np.max(abs(q))
    r = np.sum(p / (largest * np.sqrt(np.sum((p / largest) ** 2))) * (q / (highest * np.sqrt(np.sum((q / highest) ** 2)))))
    if np.all(u == u[0]) or np.all(v == v[0]):
        r = np.float64(np.nan)
    r = np.clip(r, -1.0, 1.0)
    return TestResult_(r, np.float64(_beta_part(n / 2.0 - 1.0, 0.5, 1.0 - r * r)))


def linregress(x, y, alternative="two-sided", *, axis=0, nan_policy="propagate", keepdims=False):
    _propagates(nan_policy)
    _two_sided(alternative, None)
    if keepdims != False:
        raise NotImplementedError("`keepdims=` of `scipy.stats.linregress` is not translated")
    u = _sample(x, axis)
    v = _sample(y, axis)
    n = len(u)
    if n < 3:
        raise NotImplementedError("`scipy.stats.linregress` is translated of three points and more")
    if len(v) != n:
        raise ValueError("all the input array dimensions except for the concatenation axis must match exactly, but along dimension 1, the array at index 0 has size %d and the array at index 1 has size %d" % (n, len(v)))
    if np.max(u) == np.min(u):
        raise ValueError("Cannot calculate a linear regression if all x values are identical")
    p = u - np.mean(u)
    q = v - np.mean(v)
    xx = np.mean(p * p)
    xy = np.mean(p * q)
    yy = np.mean(q * q)
    r = np.float64(np.nan if xy == 0 else 0.0) if xx == 0.0 or yy == 0.0 else np.clip(xy / np.sqrt(xx * yy), -1.0, 1.0)
    slope = xy / xx
    df = n - 2.0
    t = r * np.sqrt(df / ((1.0 - r + 1.0e-20) * (1.0 + r + 1.0e-20)))
    return LinregressResult_(slope, np.mean(v) - slope * np.mean(u), r, _of_t(t, df), np.sqrt((1 - r * r) * yy / xx / df))
