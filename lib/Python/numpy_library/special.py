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


def _one_by_one(function, x):
    """Of an array's numbers, or of a number."""
    kind = _special(x)
    all = np.float64(x)
    flat = np.ravel(np.asarray(all))
    values = np.empty(flat.shape)
    for i in range(len(flat)):
        values[i] = function(flat[i])
    return np.reshape(values, np.shape(all)).astype(kind)


def _bessel_of_zeroth(x):
    size = abs(x)
    return _bessel(size) if size < np.inf else np.nan


def _bessel_of_first(x):
    size = abs(x)
    return np.copysign(_bessel_first(size), x) if size < np.inf else np.nan


def i0(x):
    return _one_by_one(_bessel_of_zeroth, x)


def i1(x):
    return _one_by_one(_bessel_of_first, x)


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


def _small_gamma(a, x):
    """The lower incomplete gamma function over gamma(a), by its power series, for 0 < x < a + 1."""
    term = 1.0 / a
    total = term
    k = a
    while abs(term) > abs(total) * 1e-17:
        k = k + 1
        term = term * x / k
        total = total + term
    return total * np.exp(a * np.log(x) - x - _log_gamma(a))


def _large_gamma(a, x):
    """The upper one, by Lentz's continued fraction, for x >= a + 1."""
    b = x + 1 - a
    c = 1e300
    d = 1 / b
    h = d
    k = 1.0
    change = 0.0
    while abs(change - 1) > 1e-16 and k < 10000:
        factor = -k * (k - a)
        b = b + 2
        d = factor * d + b
        d = 1 / (d if abs(d) > 1e-300 else 1e-300)
        c = b + factor / c
        c = c if abs(c) > 1e-300 else 1e-300
        change = d * c
        h = h * change
        k = k + 1
    return h * np.exp(a * np.log(x) - x - _log_gamma(a))


def _incomplete_gamma(a, x, is_upper):
    lower = 0.0
    upper = 1.0
    if a != a or x != x or a < 0 or x < 0 or (a == 0 and x == 0):
        lower = np.nan
        upper = np.nan
    elif a == 0 or x == np.inf:
        lower = np.nan if a == np.inf else 1.0
        upper = np.nan if a == np.inf else 0.0
    elif x > 0 and a < np.inf:
        if x < a + 1:
            lower = _small_gamma(a, x)
            upper = 1 - lower
        else:
            upper = _large_gamma(a, x)
            lower = 1 - upper
    return upper if is_upper else lower


def gammainc(a, x):
    return _of_numbers(lambda p, q: _incomplete_gamma(p, q, False), a, x).astype(_special(a, x))


def gammaincc(a, x):
    return _of_numbers(lambda p, q: _incomplete_gamma(p, q, True), a, x).astype(_special(a, x))


def _beta_fraction(a, b, x):
    """Lentz's continued fraction of the incomplete beta function, for x < (a + 1) / (a + b + 2)."""
    c = 1.0
    d = 1.0 - (a + b) * x / (a + 1)
    d = 1 / (d if abs(d) > 1e-300 else 1e-300)
    h = d
    k = 1.0
    change = 0.0
    while abs(change - 1) > 1e-16 and k < 10000:
        factor = k * (b - k) * x / ((a + 2 * k - 1) * (a + 2 * k))
        d = 1 + factor * d
        d = 1 / (d if abs(d) > 1e-300 else 1e-300)
        c = 1 + factor / c
        c = c if abs(c) > 1e-300 else 1e-300
        h = h * d * c
        factor = -(a + k) * (a + b + k) * x / ((a + 2 * k) * (a + 2 * k + 1))
        d = 1 + factor * d
        d = 1 / (d if abs(d) > 1e-300 else 1e-300)
        c = 1 + factor / c
        c = c if abs(c) > 1e-300 else 1e-300
        change = d * c
        h = h * change
        k = k + 1
    return h


def _beta_part(a, b, x):
    """The incomplete beta function over the whole one."""
    found = np.nan
    if a >= 0 and b >= 0 and x >= 0 and x <= 1 and a + b > 0 and not (a == np.inf and b == np.inf):
        if x == 0 or x == 1:
            found = x
        elif a == 0 or b == 0 or a == np.inf or b == np.inf:
            found = 1.0 if a == 0 or b == np.inf else 0.0
        else:
            front = np.exp(_log_gamma(a + b) - _log_gamma(a) - _log_gamma(b) + a * np.log(x) + b * np.log1p(-x))
            if x < (a + 1) / (a + b + 2):
                found = front * _beta_fraction(a, b, x) / a
            else:
                found = 1 - front * _beta_fraction(b, a, 1 - x) / b
    return found


def _digamma(x):
    """By its asymptotic series, to which recurrence and reflection lead."""
    found = np.nan
    if x == np.inf:
        found = x
    elif x == 0:
        found = np.copysign(np.inf, -x)
    elif x > -np.inf and not (x < 0 and x == np.floor(x)):
        y = x
        shift = 0.0
        if x < 0:
            y = 1 - x
            shift = -np.pi / np.tan(np.pi * (x - np.floor(x)))
        while y < 10:
            shift = shift - 1 / y
            y = y + 1
        r = 1 / (y * y)
        series = r * (1 / 12 - r * (1 / 120 - r * (1 / 252 - r * (1 / 240 - r * (1 / 132 - r * (691 / 32760 - r / 12))))))
        found = shift + np.log(y) - 0.5 / y - series
    return found


def digamma(x):
    return _one_by_one(_digamma, x)


def psi(x):
    return _one_by_one(_digamma, x)


def _chosen(n, k):
    """How many ways there are to choose k of n: of whole numbers a product, where it is short."""
    least = min(k, n - k)
    found = 0.0
    if k >= 0 and n >= k:
        if least < 1000 and k == np.floor(k) and n == np.floor(n):
            found = 1.0
            i = 1.0
            while i <= least:
                found = found * (n - least + i) / i
                i = i + 1
        else:
            found = np.exp(_log_gamma(n + 1) - _log_gamma(k + 1) - _log_gamma(n - k + 1))
    return found


def _of_numbers(function, n, k):
    """Of two arrays that are broadcast, or numbers; they may be whole ones."""
    shape = np.shape(np.float64(n) + np.float64(k))
    first = np.ravel(np.broadcast_to(np.asarray(np.float64(n)), shape))
    second = np.ravel(np.broadcast_to(np.asarray(np.float64(k)), shape))
    values = np.empty(first.shape)
    for i in range(len(first)):
        values[i] = function(first[i], second[i])
    return np.reshape(values, shape)


def comb(N, k, *, exact=False, repetition=False):
    if exact or repetition:
        raise NotImplementedError("`exact=True` of `scipy.special.comb` is `math.comb(n, k)`; `repetition=True` is not translated")
    return _of_numbers(_chosen, N, k)


def _falling(n, k):
    found = 0.0
    if k >= 0 and n >= k:
        if k < 1000 and k == np.floor(k) and n == np.floor(n):
            found = 1.0
            i = 0.0
            while i < k:
                found = found * (n - i)
                i = i + 1
        else:
            found = np.exp(_log_gamma(n + 1) - _log_gamma(n - k + 1))
    return found


def perm(N, k, exact=False):
    if exact:
        raise NotImplementedError("`exact=True` of `scipy.special.perm` is `math.perm(n, k)`")
    return _of_numbers(_falling, N, k)


def factorial(n, exact=False, extend="zero"):
    if exact or extend != "zero":
        raise NotImplementedError("`exact=` and `extend=` of `scipy.special.factorial` are not translated; `math.factorial` is exact")
    x = np.float64(n)
    kind = np.float32 if np.result_type(n) == np.float32 else np.float64
    return np.where(x < 0, 0.0, _gamma(np.where(x < 0, 0.0, x) + 1)).astype(kind).astype(np.float64)


def kl_div(x, y):
    kind = _special(x, y)
    a = np.float64(x)
    b = np.float64(y)
    found = np.where((a > 0) & (b > 0), a * np.log(a / b) - a + b, np.where((a == 0) & (b >= 0), b, np.inf))
    return np.where(np.isnan(a) | np.isnan(b), np.nan, found).astype(kind)


def huber(delta, r):
    kind = _special(delta, r)
    d = np.float64(delta)
    x = np.float64(r)
    found = np.where(np.abs(x) <= d, 0.5 * x * x, d * (np.abs(x) - 0.5 * d))
    return np.where(d < 0, np.inf, found).astype(kind)


def pseudo_huber(delta, r):
    kind = _special(delta, r)
    d = np.float64(delta)
    x = np.float64(r)
    u = x / np.where(d == 0, 1.0, d)
    found = np.where((d == 0) | (x == 0), 0.0, d * d * np.where(np.abs(u) < 1, u * u / (1 + np.sqrt(1 + u * u)), np.sqrt(1 + u * u) - 1))
    return np.where(d < 0, np.inf, found).astype(kind)


def log_ndtr(x):
    kind = _special(x)
    z = np.float64(x)
    r = 1 / (z * z)
    tail = -z * z / 2 - np.log(-z) - 0.5 * np.log(2 * np.pi) + np.log1p(-r * (1 - r * (3 - r * (15 - r * (105 - r * 945)))))
    return np.where(z > 5, np.log1p(-0.5 * _erfc(z * np.sqrt(0.5))), np.where(z < -20, tail, np.log(0.5 * _erfc(-z * np.sqrt(0.5))))).astype(kind)


def exprel(x):
    real = _special(x)(x)
    return np.where(np.abs(real) < 1e-16, 1.0, np.where(real > 717, np.inf, np.expm1(real) / np.where(real == 0, 1.0, real))).astype(real.dtype)


def boxcox(x, lmbda):
    kind = _special(x, lmbda)
    a = np.float64(x)
    b = np.float64(lmbda)
    return np.where(np.abs(b) < 1e-19, np.log(a), np.expm1(b * np.log(a)) / np.where(b == 0, 1.0, b)).astype(kind)


def betainc(a, b, x):
    kind = _special(a, b, x)
    shape = np.shape(np.float64(a) + np.float64(b) + np.float64(x))
    first = np.ravel(np.broadcast_to(np.asarray(np.float64(a)), shape))
    second = np.ravel(np.broadcast_to(np.asarray(np.float64(b)), shape))
    upto = np.ravel(np.broadcast_to(np.asarray(np.float64(x)), shape))
    values = np.empty(first.shape)
    for i in range(len(first)):
        values[i] = _beta_part(first[i], second[i], upto[i])
    return np.reshape(values, shape).astype(kind)
