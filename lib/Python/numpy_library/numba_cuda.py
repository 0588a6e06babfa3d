"""What hosts call of numba.cuda: translated functions have their arrays on the device, so that copies are NumPy's. And what
threads call that is a few lines over others."""
import functools

import numpy as np

from ._common import _fma, _leading_zeros, _match_any_sync, _ones, _reversed_bits
from .primitives import _folded_in_parts


def to_device(obj, stream=0, copy=True, to=None):
    if to is None:
        return np.array(obj)
    to[...] = obj
    return to


def _by_columns(shape, dtype, strides, order):
    if strides is not None:
        raise NotImplementedError("of an array's memory `order=` says how it is laid out")
    if order == "F" and isinstance(shape, (tuple, list)):
        return np.empty(shape[::-1], dtype).T
    return np.empty(shape, dtype)


def device_array(shape, dtype=np.float64, strides=None, order="C", stream=0):
    return _by_columns(shape, dtype, strides, order)


def device_array_like(ary, stream=0):
    return np.empty_like(ary)


def pinned_array(shape, dtype=np.float64, strides=None, order="C"):
    return _by_columns(shape, dtype, strides, order)


def mapped_array(shape, dtype=np.float64, strides=None, order="C", stream=0, portable=False, wc=False):
    return _by_columns(shape, dtype, strides, order)


def managed_array(shape, dtype=np.float64, strides=None, order="C", stream=0, attach_global=True):
    return _by_columns(shape, dtype, strides, order)


def _numba_reduce(functor, arr, size=None, res=None, init=0, stream=0):
    """What an object of Reduce gives: a number of the array's type, which begins with `init`."""
    if arr.ndim != 1:
        raise TypeError("only support 1D array")
    part = arr if size is None else arr[:size]
    begin = np.array([init], part.dtype)
    if len(part) > 0:
        begin[0] = _folded_in_parts(functor, part, begin[0])
    if res is None:
        return begin[0]
    if len(part) > 0:
        res[0] = begin[0]


def Reduce(functor):
    return functools.partial(_numba_reduce, functor)


def reduce(functor):
    return functools.partial(_numba_reduce, functor)


def _copy_to_host(self, ary=None, stream=0):
    if ary is None:
        return self.copy()
    ary[...] = self
    return ary


def _copy_to_device(self, ary, stream=0):
    self[...] = ary


def _with_bits(x):
    if not np.issubdtype(np.asarray(x).dtype, np.integer):
        raise TypeError("bits are of whole numbers")
    return x


def popc(x):
    return int(_ones(_with_bits(x)))


def brev(x):
    return _reversed_bits(_with_bits(x))


def clz(x):
    return int(_leading_zeros(_with_bits(x)))


def ffs(x):
    return 0 if x == 0 else int(_ones(x ^ (x - 1)))


def fma(a, b, c):
    return _fma(a, b, c)


def cbrt(a):
    return np.cbrt(a)


def selp(a, b, c):
    return b if a else c


def nanosleep(ns):
    pass


def match_all_sync(mask, value):
    same = _match_any_sync(mask, value)
    return (mask, True) if same == mask else (0, False)


def eq_sync(mask, predicate):
    return _match_any_sync(mask, 1 if predicate else 0) == mask
