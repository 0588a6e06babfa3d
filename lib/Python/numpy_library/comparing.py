"""Are arrays equal, or nearly? And what is neither: NaN, infinities."""
import numpy as np

from ._common import _is_sequence


def isclose(a, b, rtol=1.e-5, atol=1.e-8, equal_nan=False):
    a = np.asarray(a)
    b = np.asarray(b)
    if not np.issubdtype(b.dtype, np.inexact):
        b = b.astype(np.result_type(b.dtype, 1.0))
    near = np.less_equal(abs(a - b), atol + rtol * abs(b)) & np.isfinite(b) | (a == b)
    if equal_nan:
        near = near | (np.isnan(a) & np.isnan(b))
    return near


def allclose(a, b, rtol=1.e-5, atol=1.e-8, equal_nan=False):
    return bool(np.all(np.isclose(a, b, rtol, atol, equal_nan)))


def array_equal(a1, a2, equal_nan=False):
    a1 = np.asarray(a1)
    a2 = np.asarray(a2)
    if a1.ndim != a2.ndim:
        return False
    if a1.shape != a2.shape:
        return False
    if equal_nan and np.issubdtype(a1.dtype, np.inexact) and np.issubdtype(a2.dtype, np.inexact):
        return bool(np.all((a1 == a2) | (np.isnan(a1) & np.isnan(a2))))
    return bool(np.all(a1 == a2))


def isposinf(x, out=None):
    x = np.asarray(x)
    if np.issubdtype(x.dtype, np.complexfloating):
        raise TypeError("This operation is not supported for complex numbers")
    return np.logical_and(np.isinf(x), x > 0, out=out)


def isneginf(x, out=None):
    x = np.asarray(x)
    if np.issubdtype(x.dtype, np.complexfloating):
        raise TypeError("This operation is not supported for complex numbers")
    return np.logical_and(np.isinf(x), x < 0, out=out)


def iscomplex(x):
    x = np.asarray(x)
    if np.issubdtype(x.dtype, np.complexfloating):
        return np.imag(x) != 0
    return np.zeros(x.shape, bool)


def isreal(x):
    return np.imag(x) == 0


def iscomplexobj(x):
    return bool(np.issubdtype(np.asarray(x).dtype, np.complexfloating))


def isrealobj(x):
    return not np.issubdtype(np.asarray(x).dtype, np.complexfloating)


def _largest(kind):
    return 3.4028234663852886e38 if kind == np.float32 else 1.7976931348623157e308


def _without_nan(x, nan, posinf, neginf):
    high = _largest(x.dtype) if posinf is None else posinf
    low = -_largest(x.dtype) if neginf is None else neginf
    kind = x.dtype.type
    return np.where(np.isnan(x), kind(nan), np.where(x == np.inf, kind(high), np.where(x == -np.inf, kind(low), x)))


def nan_to_num(x, copy=True, nan=0.0, posinf=None, neginf=None):
    x = np.asarray(x)
    if np.issubdtype(x.dtype, np.complexfloating):
        raise NotImplementedError("`np.nan_to_num` of complex numbers is not translated; take `.real` and `.imag`")
    if not np.issubdtype(x.dtype, np.inexact):
        return np.copy(x) if copy else x
    if not copy:
        x[...] = _without_nan(x, nan, posinf, neginf)
        return x
    return _without_nan(x, nan, posinf, neginf)


def ndim(a):
    return np.asarray(a).ndim


def shape(a):
    return np.asarray(a).shape


def size(a, axis=None):
    a = np.asarray(a)
    return a.size if axis is None else a.shape[axis]


def _is_pythons_integer(a, bound):
    """May the bound be a Python integer that the array's type does not hold?"""
    if bound is None or np.ndim(bound) > 0 or not np.issubdtype(a.dtype, np.integer):
        return False
    return np.result_type(a.dtype, bound) == a.dtype


def _lowest(a, low):
    if not _is_pythons_integer(a, low):
        return low
    smallest = 0 if np.issubdtype(a.dtype, np.unsignedinteger) else -(2 ** (8 * a.dtype.itemsize - 2)) * 2
    return smallest if low < smallest else low


def _highest(a, high):
    if not _is_pythons_integer(a, high) or a.dtype == np.uint64:
        return high
    bits = 8 * a.dtype.itemsize - (0 if np.issubdtype(a.dtype, np.unsignedinteger) else 1)
    largest = (2 ** (bits - 1) - 1) * 2 + 1
    return largest if high > largest else high


def clip(a, a_min=np._NoValue, a_max=np._NoValue, out=None, *, min=np._NoValue, max=np._NoValue):
    if a_min is np._NoValue and a_max is np._NoValue:
        low = None if min is np._NoValue else min
        high = None if max is np._NoValue else max
    elif a_min is np._NoValue:
        raise TypeError("clip() missing 1 required positional argument: 'a_min'")
    elif a_max is np._NoValue:
        raise TypeError("clip() missing 1 required positional argument: 'a_max'")
    elif min is not np._NoValue or max is not np._NoValue:
        raise ValueError("Passing `min` or `max` keyword argument when `a_min` and `a_max` are provided is forbidden.")
    else:
        low = a_min
        high = a_max
    low = _lowest(np.asarray(a), low)
    high = _highest(np.asarray(a), high)
    if low is None and high is None:
        return np.positive(a, out=out)
    if low is None:
        return np.minimum(a, high, out=out)
    if high is None:
        return np.maximum(a, low, out=out)
    return np.minimum(np.maximum(a, low), high, out=out)


def select(condlist, choicelist, default=0):
    if not _is_sequence(condlist) or not _is_sequence(choicelist):
        raise NotImplementedError("`np.select` takes lists of conditions and choices")
    if len(condlist) != len(choicelist):
        raise ValueError("list of cases must be same length as list of conditions")
    if len(condlist) == 0:
        raise ValueError("select with an empty condition list is not possible")
    choices = ()
    for one in choicelist:
        choices = choices + (np.asarray(one) if _is_sequence(one) else one,)
    kind = np.result_type(*choices, default)
    chosen = np.asarray(default).astype(kind)
    for k in range(len(condlist) - 1, -1, -1):
        if np.asarray(condlist[k]).dtype != np.bool_:
            raise TypeError("invalid entry in condlist: should be boolean ndarray")
        chosen = np.where(condlist[k], np.asarray(choices[k]).astype(kind), chosen)
    return np.asarray(chosen)


def _round_scaled(a, decimals, out):
    scale = 10.0 ** abs(decimals)
    if decimals > 0:
        return np.divide(np.rint(a * scale), scale, out=out)
    return np.multiply(np.rint(a / scale), scale, out=out)


def round(a, decimals=0, out=None):
    a = np.asarray(a)
    if decimals == 0 and np.issubdtype(a.dtype, np.inexact):
        return np.rint(a, out=out)
    if np.issubdtype(a.dtype, np.inexact):
        return _round_scaled(a, decimals, out)
    if decimals >= 0 and np.issubdtype(a.dtype, np.integer):
        return np.positive(a, out=out)
    raise NotImplementedError("`np.round` rounds floats, and integers to whole numbers; convert with .astype first")


def around(a, decimals=0, out=None):
    return np.round(a, decimals, out)


def sinc(x):
    x = np.asarray(x)
    kind = np.result_type(x.dtype, 1.0)
    if np.issubdtype(x.dtype, np.complexfloating):
        kind = x.dtype
    y = np.where(x == 0, np.asarray(np.pi * 1.0e-20).astype(kind), (np.pi * x).astype(kind))
    return np.sin(y) / y


def angle(z, deg=False):
    z = np.asarray(z)
    a = np.arctan2(np.imag(z), np.real(z)) if np.issubdtype(z.dtype, np.complexfloating) else np.arctan2(0, z)
    return a * (180 / np.pi) if deg else a


def asarray_chkfinite(a, dtype=None, order=None):
    if order is not None:
        raise NotImplementedError("`order=` of `np.asarray_chkfinite` is not translated")
    a = np.asarray(a) if dtype is None else np.asarray(a, dtype)
    if np.issubdtype(a.dtype, np.inexact) and not np.all(np.isfinite(a)):
        raise ValueError("array must not contain infs or NaNs")
    return a


def array_equiv(a1, a2):
    a = np.asarray(a1)
    b = np.asarray(a2)
    for k in range(min(a.ndim, b.ndim)):
        m = a.shape[a.ndim - 1 - k]
        n = b.shape[b.ndim - 1 - k]
        if m != n and m != 1 and n != 1:
            return False
    return bool(np.all(a == b))


def promote_types(type1, type2, /):
    return np.result_type(type1, type2)


def astype(x, dtype, /, *, copy=True, device=None):
    if device is not None and device != "cpu":
        raise ValueError("Device not understood. Only \"cpu\" is allowed")
    return x.astype(dtype, copy=copy)
