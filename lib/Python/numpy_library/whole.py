"""Elementwise functions of integers."""
import numpy as np

from .floats import _delivered


def _sizes(x, kind):
    """The numbers without their signs, which the widest unsigned integer holds."""
    wide = np.asarray(x).astype(np.int64) if np.issubdtype(kind, np.signedinteger) else x
    return np.asarray(abs(wide)).astype(np.uint64)


def _common_divisors(a, b):
    """Of two vectors."""
    found = np.empty(a.shape, np.uint64)
    for i in range(len(a)):
        x = a[i]
        y = b[i]
        while y != 0:
            rest = x % y
            x = y
            y = rest
        found[i] = x
    return found


def _divisors(x1, x2):
    """The numbers without their signs, and their divisors; all vectors."""
    kind = np.result_type(x1, x2)
    if not np.issubdtype(kind, np.integer):
        raise TypeError("ufunc did not contain a loop with signature matching types")
    x = kind.type(x1)
    y = kind.type(x2)
    both = np.zeros((x + y).shape, np.uint64)
    a = np.ravel(both + _sizes(x, kind))
    b = np.ravel(both + _sizes(y, kind))
    return a, b, _common_divisors(a, b), both.shape, kind


def _in_kind(numbers, shape, kind):
    made = numbers.astype(kind)
    return np.reshape(made, shape) if len(shape) > 0 else made[0]


def gcd(x1, x2, /, out=None, *, where=True, casting="same_kind", order="K", dtype=None, subok=True, signature=None):
    a, b, found, shape, kind = _divisors(x1, x2)
    return _delivered(_in_kind(found, shape, kind), out, where, casting, order, dtype, subok, signature)


def lcm(x1, x2, /, out=None, *, where=True, casting="same_kind", order="K", dtype=None, subok=True, signature=None):
    a, b, found, shape, kind = _divisors(x1, x2)
    multiple = np.where(found == 0, found, a // np.maximum(found, np.uint64(1)) * b)
    return _delivered(_in_kind(multiple, shape, kind), out, where, casting, order, dtype, subok, signature)


def bitwise_count(x, /, out=None, *, where=True, casting="same_kind", order="K", dtype=None, subok=True, signature=None):
    if np.asarray(x).dtype == np.bool_:
        return np.bitwise_count(np.asarray(x).astype(np.uint8), out)
    kind = np.asarray(x).dtype
    if not np.issubdtype(kind, np.integer):
        raise TypeError("ufunc 'bitwise_count' not supported for the input types")
    n = _sizes(x, kind)
    n = n - ((n >> 1) & np.uint64(0x5555555555555555))
    n = (n & np.uint64(0x3333333333333333)) + ((n >> 2) & np.uint64(0x3333333333333333))
    n = (n + (n >> 4)) & np.uint64(0x0F0F0F0F0F0F0F0F)
    return _delivered(((n * np.uint64(0x0101010101010101)) >> 56).astype(np.uint8), out, where, casting, order, dtype, subok, signature)
