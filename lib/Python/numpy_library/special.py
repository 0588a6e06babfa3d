"""scipy.special of real numbers. A result has the type that SciPy computes in: float32 or, of all others, float64."""
import numpy as np

from ._common import _bessel_j0, _bessel_j1, _erf, _erfc, _gamma, _log_gamma
from .ranges import _bessel


def _special(*values):
    """The type that SciPy's functions compute in; its loops are of float32 and float64."""
    found = np.result_type(*values)
    if np.issubdtype(found, np.complexfloating):
        raise NotImplementedError("functions of scipy.special are translated for real numbers")
    for v in values:
        own = np.result_type(v)
        if (found == np.float32 and own != np.float32) or (not np.issubdtype(own, np.floating) and own.itemsize < 4):
            raise NotImplementedError("functions of scipy.special take small integers, and float32 beside other types, each in its own way; convert them")
    return np.float32 if found == np.float32 else np.float64


def erf(x):
    return _erf(_special(x)(x))


def erfc(x):
    return _erfc(_special(x)(x))


def gamma(z):
    x = _special(z)(z)
    return np.where((x < 0) & (x == np.floor(x)), np.nan, _gamma(x)).astype(x.dtype)


def gammaln(x):
    real = _special(x)(x)
    return np.where(real == -np.inf, real, _log_gamma(real)).astype(real.dtype)


def beta(a, b):
    kind = _special(a, b)
    x = np.float64(a)
    y = np.float64(b)
    small = _gamma(x) / _gamma(x + y) * _gamma(y)
    return np.where(x + y < 150, small, np.exp(_log_gamma(x) + _log_gamma(y) - _log_gamma(x + y))).astype(kind)


def betaln(a, b):
    kind = _special(a, b)
    x = np.float64(a)
    y = np.float64(b)
    return (_log_gamma(x) + _log_gamma(y) - _log_gamma(x + y)).astype(kind)


def j0(x):
    real = _special(x)(x)
    return np.where(np.isinf(real), np.nan, _bessel_j0(real)).astype(real.dtype)


def j1(x):
    real = _special(x)(x)
    return np.where(np.isinf(real), np.nan, _bessel_j1(real)).astype(real.dtype)


def _bessel_first(x):
    """I1 of a number that is not below zero: its power series, or the one in 1/x where that ends sooner."""
    term = x / 2
    total = term
    k = 1.0
    if x <= 40:
        while term > total * 1e-17:
            term = term * (x / (2 * k)) * (x / (2 * (k + 1)))
            total = total + term
            k = k + 1
        return total
    term = 1.0
    total = 1.0
    while abs(term) > total * 1e-17 and k < 2 * x:
        term = term * ((2 * k - 1) * (2 * k - 1) - 4) / (8 * k * x)
        total = total + term
        k = k + 1
    half = np.exp(x / 2)
    return half * (total / np.sqrt(2 * np.pi * x)) * half


def i0(x):
    kind = _special(x)
    all = np.float64(x)
    flat = np.ravel(abs(np.asarray(all)))
    values = np.empty(flat.shape)
    for i in range(len(flat)):
        values[i] = _bessel(flat[i]) if flat[i] < np.inf else np.nan
    return np.reshape(values, np.shape(all)).astype(kind)


def i1(x):
    kind = _special(x)
    all = np.float64(x)
    flat = np.ravel(np.asarray(all))
    values = np.empty(flat.shape)
    for i in range(len(flat)):
        size = abs(flat[i])
        values[i] = np.copysign(_bessel_first(size), flat[i]) if size < np.inf else np.nan
    return np.reshape(values, np.shape(all)).astype(kind)


def expit(x):
    real = _special(x)(x)
    return 1 / (1 + np.exp(-real))


def logit(x):
    kind = _special(x)
    p = np.float64(x)
    near = 2 * (p - 0.5)
    return np.where((p > 0.3) & (p < 0.65), np.log1p(near) - np.log1p(-near), np.log(p / (1 - p))).astype(kind)


def log_expit(x):
    real = _special(x)(x)
    return np.where(real < 0, real - np.log1p(np.exp(real)), -np.log1p(np.exp(-real))).astype(real.dtype)


def ndtr(x):
    return (0.5 * _erfc(np.float64(x) * -np.sqrt(0.5))).astype(_special(x))


def _normal_quantile(p, centred):
    """Of a probability, given as its distance from 1/2, too. P. J. Acklam's approximation (1.2e-9), then one step of Halley's."""
    tail = np.sqrt(-2 * np.log(np.minimum(p, 0.5 - centred)))
    r = centred * centred
    inner = centred * (((((-3.969683028665376e01 * r + 2.209460984245205e02) * r - 2.759285104469687e02) * r + 1.383577518672690e02) * r
                        - 3.066479806614716e01) * r + 2.506628277459239e00) / (
        ((((-5.447609879822406e01 * r + 1.615858368580409e02) * r - 1.556989798598866e02) * r + 6.680131188771972e01) * r
         - 1.328068155288572e01) * r + 1.0)
    outer = (((((-7.784894002430293e-03 * tail - 3.223964580411365e-01) * tail - 2.400758277161838e00) * tail - 2.549732539343734e00) * tail
              + 4.374664141464968e00) * tail + 2.938163982698783e00) / (
        (((7.784695709041462e-03 * tail + 3.224671290700398e-01) * tail + 2.445134137142996e00) * tail + 3.754408661907416e00) * tail + 1.0)
    is_inner = abs(centred) <= 0.47575
    x = np.where(is_inner, inner, outer)  # below zero in both tails
    wrong = np.where(is_inner, 0.5 * _erf(x * np.sqrt(0.5)) - centred, 0.5 * _erfc(-x * np.sqrt(0.5)) - np.minimum(p, 0.5 - centred))
    step = wrong * np.sqrt(2 * np.pi) * np.exp(x * x / 2)
    found = x - step / (1 + x * step / 2)
    found = np.where((centred > 0) & ~is_inner, -found, found)
    found = np.where(np.minimum(p, 0.5 - centred) == 0, np.copysign(np.inf, centred), found)
    return np.where(abs(centred) > 0.5, np.nan, found)


def ndtri(y):
    p = np.float64(y)
    return _normal_quantile(p, p - 0.5).astype(_special(y))


def erfinv(y):
    x = np.float64(y)
    return (_normal_quantile(0.5 + x / 2, x / 2) * np.sqrt(0.5)).astype(_special(y))


def erfcinv(y):
    x = np.float64(y)
    return (-_normal_quantile(x / 2, (x - 1) / 2) * np.sqrt(0.5)).astype(_special(y))


def xlogy(x, y):
    kind = _special(x, y)
    a = np.float64(x)
    b = np.float64(y)
    return np.where((a == 0) & ~np.isnan(b), 0.0, a * np.log(b)).astype(kind)


def xlog1py(x, y):
    kind = _special(x, y)
    a = np.float64(x)
    b = np.float64(y)
    return np.where((a == 0) & ~np.isnan(b), 0.0, a * np.log1p(b)).astype(kind)


def entr(x):
    a = np.float64(x)
    return np.where(a > 0, -a * np.log(a), np.where(a == 0, 0.0, np.where(np.isnan(a), np.nan, -np.inf))).astype(_special(x))


def rel_entr(x, y):
    kind = _special(x, y)
    a = np.float64(x)
    b = np.float64(y)
    found = np.where((a > 0) & (b > 0), a * np.log(a / b), np.where((a == 0) & (b >= 0), 0.0, np.inf))
    return np.where(np.isnan(a) | np.isnan(b), np.nan, found).astype(kind)


def logsumexp(a, axis=None, b=None, keepdims=False, return_sign=False):
    if b is not None or return_sign:
        raise NotImplementedError("`b=` and `return_sign=` of `scipy.special.logsumexp` are not translated")
    largest = np.max(a, axis=axis, keepdims=True)
    shift = np.where(np.isfinite(largest), largest, 0)
    total = np.log(np.sum(np.exp(a - shift), axis=axis, keepdims=keepdims))
    return total + (shift if keepdims else np.sum(shift, axis=axis))


def exp2(x):
    return np.exp2(_special(x)(x))


def exp10(x):
    return np.power(_special(x)(10), _special(x)(x))


def expm1(x):
    return np.expm1(_special(x)(x))


def log1p(x):
    return np.log1p(_special(x)(x))


def cbrt(x):
    return np.cbrt(_special(x)(x))


def softmax(x, axis=None):
    shifted = np.exp(x - np.max(x, axis=axis, keepdims=True))
    return shifted / np.sum(shifted, axis=axis, keepdims=True)


def log_softmax(x, axis=None):
    shifted = x - np.max(x, axis=axis, keepdims=True)
    return shifted - np.log(np.sum(np.exp(shifted), axis=axis, keepdims=True))
