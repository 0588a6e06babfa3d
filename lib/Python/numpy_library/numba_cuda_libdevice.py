"""numba.cuda.libdevice: CUDA's functions of one type each. Those that are called fast are as exact as the others here."""
import numpy as np

from ._common import _bessel_j0, _bessel_j1, _erf, _erfc, _fma, _gamma, _leading_zeros, _log_gamma, _ones, _reversed_bits


def _away_from_zero(x):
    """Rounded, halves away from zero."""
    whole = np.trunc(x)
    return whole + np.copysign(np.ones_like(x), x) if np.fabs(x - whole) >= 0.5 else whole


def acos(x):
    return np.arccos(np.float64(x))


def acosf(x):
    return np.arccos(np.float32(x))


def acosh(x):
    return np.arccosh(np.float64(x))


def acoshf(x):
    return np.arccosh(np.float32(x))


def asin(x):
    return np.arcsin(np.float64(x))


def asinf(x):
    return np.arcsin(np.float32(x))


def asinh(x):
    return np.arcsinh(np.float64(x))


def asinhf(x):
    return np.arcsinh(np.float32(x))


def atan(x):
    return np.arctan(np.float64(x))


def atanf(x):
    return np.arctan(np.float32(x))


def atanh(x):
    return np.arctanh(np.float64(x))


def atanhf(x):
    return np.arctanh(np.float32(x))


def cbrt(x):
    return np.cbrt(np.float64(x))


def cbrtf(x):
    return np.cbrt(np.float32(x))


def ceil(x):
    return np.ceil(np.float64(x))


def ceilf(x):
    return np.ceil(np.float32(x))


def cos(x):
    return np.cos(np.float64(x))


def cosf(x):
    return np.cos(np.float32(x))


def cosh(x):
    return np.cosh(np.float64(x))


def coshf(x):
    return np.cosh(np.float32(x))


def erf(x):
    return _erf(np.float64(x))


def erff(x):
    return _erf(np.float32(x))


def erfc(x):
    return _erfc(np.float64(x))


def erfcf(x):
    return _erfc(np.float32(x))


def exp(x):
    return np.exp(np.float64(x))


def expf(x):
    return np.exp(np.float32(x))


def exp2(x):
    return np.exp2(np.float64(x))


def exp2f(x):
    return np.exp2(np.float32(x))


def expm1(x):
    return np.expm1(np.float64(x))


def expm1f(x):
    return np.expm1(np.float32(x))


def fabs(x):
    return np.fabs(np.float64(x))


def fabsf(x):
    return np.fabs(np.float32(x))


def floor(x):
    return np.floor(np.float64(x))


def floorf(x):
    return np.floor(np.float32(x))


def j0(x):
    return _bessel_j0(np.float64(x))


def j0f(x):
    return _bessel_j0(np.float32(x))


def j1(x):
    return _bessel_j1(np.float64(x))


def j1f(x):
    return _bessel_j1(np.float32(x))


def lgamma(x):
    return _log_gamma(np.float64(x))


def lgammaf(x):
    return _log_gamma(np.float32(x))


def log(x):
    return np.log(np.float64(x))


def logf(x):
    return np.log(np.float32(x))


def log10(x):
    return np.log10(np.float64(x))


def log10f(x):
    return np.log10(np.float32(x))


def log1p(x):
    return np.log1p(np.float64(x))


def log1pf(x):
    return np.log1p(np.float32(x))


def log2(x):
    return np.log2(np.float64(x))


def log2f(x):
    return np.log2(np.float32(x))


def rint(x):
    return np.rint(np.float64(x))


def rintf(x):
    return np.rint(np.float32(x))


def sin(x):
    return np.sin(np.float64(x))


def sinf(x):
    return np.sin(np.float32(x))


def sinh(x):
    return np.sinh(np.float64(x))


def sinhf(x):
    return np.sinh(np.float32(x))


def sqrt(x):
    return np.sqrt(np.float64(x))


def sqrtf(x):
    return np.sqrt(np.float32(x))


def tan(x):
    return np.tan(np.float64(x))


def tanf(x):
    return np.tan(np.float32(x))


def tanh(x):
    return np.tanh(np.float64(x))


def tanhf(x):
    return np.tanh(np.float32(x))


def tgamma(x):
    return _gamma(np.float64(x))


def tgammaf(x):
    return _gamma(np.float32(x))


def trunc(x):
    return np.trunc(np.float64(x))


def truncf(x):
    return np.trunc(np.float32(x))


def atan2(x, y):
    return np.arctan2(np.float64(x), np.float64(y))


def atan2f(x, y):
    return np.arctan2(np.float32(x), np.float32(y))


def copysign(x, y):
    return np.copysign(np.float64(x), np.float64(y))


def copysignf(x, y):
    return np.copysign(np.float32(x), np.float32(y))


def fmax(x, y):
    return np.fmax(np.float64(x), np.float64(y))


def fmaxf(x, y):
    return np.fmax(np.float32(x), np.float32(y))


def fmin(x, y):
    return np.fmin(np.float64(x), np.float64(y))


def fminf(x, y):
    return np.fmin(np.float32(x), np.float32(y))


def fmod(x, y):
    return np.fmod(np.float64(x), np.float64(y))


def fmodf(x, y):
    return np.fmod(np.float32(x), np.float32(y))


def hypot(x, y):
    return np.hypot(np.float64(x), np.float64(y))


def hypotf(x, y):
    return np.hypot(np.float32(x), np.float32(y))


def nextafter(x, y):
    return np.nextafter(np.float64(x), np.float64(y))


def nextafterf(x, y):
    return np.nextafter(np.float32(x), np.float32(y))


def pow(x, y):
    return np.power(np.float64(x), np.float64(y))


def powf(x, y):
    return np.power(np.float32(x), np.float32(y))


def exp10(x):
    return np.power(np.float64(10), np.float64(x))


def rsqrt(x):
    return np.float64(1) / np.sqrt(np.float64(x))


def fma(x, y, z):
    return _fma(np.float64(x), np.float64(y), np.float64(z))


def fma_rn(x, y, z):
    return _fma(np.float64(x), np.float64(y), np.float64(z))


def fdim(x, y):
    return np.where(np.less_equal(x, y), np.float64(0), np.float64(x) - np.float64(y))[()]


def round(x):
    return _away_from_zero(np.float64(x))


def sincos(x):
    return (np.sin(np.float64(x)), np.cos(np.float64(x)))


def ddiv_rn(x, y):
    return np.float64(x) / np.float64(y)


def drcp_rn(x):
    return np.float64(1) / np.float64(x)


def dsqrt_rn(x):
    return np.sqrt(np.float64(x))


def isnand(x):
    return int(np.isnan(np.float64(x)))


def isinfd(x):
    return int(np.isinf(np.float64(x)))


def signbitd(x):
    return int(np.copysign(np.float64(1), np.float64(x)) < 0)


def exp10f(x):
    return np.power(np.float32(10), np.float32(x))


def rsqrtf(x):
    return np.float32(1) / np.sqrt(np.float32(x))


def fmaf(x, y, z):
    return _fma(np.float32(x), np.float32(y), np.float32(z))


def fmaf_rn(x, y, z):
    return _fma(np.float32(x), np.float32(y), np.float32(z))


def fdimf(x, y):
    return np.where(np.less_equal(x, y), np.float32(0), np.float32(x) - np.float32(y))[()]


def roundf(x):
    return _away_from_zero(np.float32(x))


def sincosf(x):
    return (np.sin(np.float32(x)), np.cos(np.float32(x)))


def fdiv_rn(x, y):
    return np.float32(x) / np.float32(y)


def frcp_rn(x):
    return np.float32(1) / np.float32(x)


def fsqrt_rn(x):
    return np.sqrt(np.float32(x))


def isnanf(x):
    return int(np.isnan(np.float32(x)))


def isinff(x):
    return int(np.isinf(np.float32(x)))


def signbitf(x):
    return int(np.copysign(np.float32(1), np.float32(x)) < 0)


def isfinited(x):
    return int(np.isfinite(np.float64(x)))


def finitef(x):
    return int(np.isfinite(np.float32(x)))


def saturatef(x):
    return np.fmin(np.fmax(np.float32(x), np.float32(0)), np.float32(1))


def fast_cosf(x):
    return np.cos(np.float32(x))


def fast_expf(x):
    return np.exp(np.float32(x))


def fast_log10f(x):
    return np.log10(np.float32(x))


def fast_log2f(x):
    return np.log2(np.float32(x))


def fast_logf(x):
    return np.log(np.float32(x))


def fast_sinf(x):
    return np.sin(np.float32(x))


def fast_tanf(x):
    return np.tan(np.float32(x))


def fast_exp10f(x):
    return np.power(np.float32(10), np.float32(x))


def fast_fdividef(x, y):
    return np.float32(x) / np.float32(y)


def fast_powf(x, y):
    return np.power(np.float32(x), np.float32(y))


def popc(x):
    return int(_ones(np.int32(x)))


def clz(x):
    return int(_leading_zeros(np.int32(x)))


def brev(x):
    return _reversed_bits(np.int32(x))


def ffs(x):
    return 0 if x == 0 else int(_ones(np.int32(x) ^ (np.int32(x) - np.int32(1))))


def popcll(x):
    return int(_ones(np.int64(x)))


def clzll(x):
    return int(_leading_zeros(np.int64(x)))


def brevll(x):
    return _reversed_bits(np.int64(x))


def ffsll(x):
    return 0 if x == 0 else int(_ones(np.int64(x) ^ (np.int64(x) - np.int64(1))))


def abs(x):
    return np.abs(np.int32(x))


def llabs(x):
    return np.abs(np.int64(x))


def max(x, y):
    return np.maximum(np.int32(x), np.int32(y))


def min(x, y):
    return np.minimum(np.int32(x), np.int32(y))


def umax(x, y):
    return np.maximum(np.uint32(x), np.uint32(y))


def umin(x, y):
    return np.minimum(np.uint32(x), np.uint32(y))


def llmax(x, y):
    return np.maximum(np.int64(x), np.int64(y))


def llmin(x, y):
    return np.minimum(np.int64(x), np.int64(y))


def ullmax(x, y):
    return np.maximum(np.uint64(x), np.uint64(y))


def ullmin(x, y):
    return np.minimum(np.uint64(x), np.uint64(y))


def mulhi(x, y):
    return np.int32((np.int64(x) * np.int64(y)) >> 32)


def umulhi(x, y):
    return np.uint32((np.uint64(x) * np.uint64(y)) >> np.uint64(32))


def double2int_rz(x):
    return np.int32(np.trunc(x))


def double2ll_rz(x):
    return np.int64(np.trunc(x))


def float2int_rn(x):
    return np.int32(np.rint(x))


def float2int_rz(x):
    return np.int32(np.trunc(x))


def double2int_rn(x):
    return np.int32(np.rint(x))


def int2double_rn(x):
    return np.float64(x)


def int2float_rn(x):
    return np.float32(x)


def double2float_rn(x):
    return np.float32(x)
