"""More of numba.cuda.libdevice: conversions that say how they round, angles in half turns, whole numbers."""
import numpy as np


def double2int_rd(x):
    return np.int32(np.floor(np.float64(x)))


def double2int_ru(x):
    return np.int32(np.ceil(np.float64(x)))


def double2ll_rd(x):
    return np.int64(np.floor(np.float64(x)))


def double2ll_ru(x):
    return np.int64(np.ceil(np.float64(x)))


def double2ll_rn(x):
    return np.int64(np.rint(np.float64(x)))


def float2int_rd(x):
    return np.int32(np.floor(np.float32(x)))


def float2int_ru(x):
    return np.int32(np.ceil(np.float32(x)))


def float2ll_rd(x):
    return np.int64(np.floor(np.float32(x)))


def float2ll_ru(x):
    return np.int64(np.ceil(np.float32(x)))


def float2ll_rn(x):
    return np.int64(np.rint(np.float32(x)))


def float2ll_rz(x):
    return np.int64(np.trunc(np.float32(x)))


def dadd_rn(x, y):
    return np.float64(x) + np.float64(y)


def fadd_rn(x, y):
    return np.float32(x) + np.float32(y)


def dmul_rn(x, y):
    return np.float64(x) * np.float64(y)


def fmul_rn(x, y):
    return np.float32(x) * np.float32(y)


def fsub_rn(x, y):
    return np.float32(x) - np.float32(y)


def ll2double_rn(n):
    return np.float64(np.int64(n))


def ll2float_rn(n):
    return np.float32(np.int64(n))


def ull2double_rn(n):
    return np.float64(np.uint64(n))


def ull2float_rn(n):
    return np.float32(np.uint64(n))


def uint2double_rn(n):
    return np.float64(np.uint32(n))


def uint2float_rn(n):
    return np.float32(np.uint32(n))


def llrint(x):
    return np.int64(np.rint(np.float64(x)))


def llrintf(x):
    return np.int64(np.rint(np.float32(x)))


def nearbyint(x):
    return np.rint(np.float64(x))


def nearbyintf(x):
    return np.rint(np.float32(x))


def rcbrt(x):
    return 1.0 / np.cbrt(np.float64(x))


def rcbrtf(x):
    return np.float32(1.0) / np.cbrt(np.float32(x))


def _sine_of_half_turns(x):
    """Exact at whole and half numbers."""
    turn = np.fmod(x, 2.0)
    at = np.fabs(turn)
    if at == 0.0 or at == 1.0:
        return np.copysign(0.0, x)
    if at > 1.0:
        return -np.copysign(np.sin(np.pi * (at - 1.0)), x)
    return np.copysign(np.sin(np.pi * np.minimum(at, 1.0 - at)), x)


def _cosine_of_half_turns(x):
    at = np.fmod(np.fabs(x), 2.0)
    at = np.minimum(at, 2.0 - at)
    if at == 0.5:
        return 0.0 * at
    return np.cos(np.pi * at) if at < 0.5 else -np.cos(np.pi * (1.0 - at))


def sinpi(x):
    return _sine_of_half_turns(np.float64(x))


def sinpif(x):
    return np.float32(_sine_of_half_turns(np.float64(x)))


def cospi(x):
    return _cosine_of_half_turns(np.float64(x))


def cospif(x):
    return np.float32(_cosine_of_half_turns(np.float64(x)))


def sincospi(x):
    return _sine_of_half_turns(np.float64(x)), _cosine_of_half_turns(np.float64(x))


def sincospif(x):
    return np.float32(_sine_of_half_turns(np.float64(x))), np.float32(_cosine_of_half_turns(np.float64(x)))


def scalbn(x, n):
    return np.ldexp(np.float64(x), np.int32(n))


def scalbnf(x, n):
    return np.ldexp(np.float32(x), np.int32(n))


def ldexp(x, n):
    return np.ldexp(np.float64(x), np.int32(n))


def ldexpf(x, n):
    return np.ldexp(np.float32(x), np.int32(n))


def hadd(x, y):
    return np.int32((np.int64(x) + np.int64(y)) >> 1)


def rhadd(x, y):
    return np.int32((np.int64(x) + np.int64(y) + 1) >> 1)


def uhadd(x, y):
    return np.uint32((np.int64(np.uint32(x)) + np.int64(np.uint32(y))) >> 1)


def urhadd(x, y):
    return np.uint32((np.int64(np.uint32(x)) + np.int64(np.uint32(y)) + 1) >> 1)


def sad(x, y, z):
    return np.uint32(np.int64(np.uint32(z)) + np.abs(np.int64(np.int32(x)) - np.int64(np.int32(y))))


def usad(x, y, z):
    return np.uint32(np.int64(np.uint32(z)) + np.abs(np.int64(np.uint32(x)) - np.int64(np.uint32(y))))
