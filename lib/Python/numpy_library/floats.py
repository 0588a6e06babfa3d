"""Elementwise functions that are a formula of others."""
import numpy as np

from ._common import _exponent, _scaled


def _kind(*values):
    """The float that NumPy computes in: of small integers a small one."""
    found = np.result_type(*values)
    if np.issubdtype(found, np.complexfloating):
        raise TypeError("ufunc not supported for the input types")
    if np.issubdtype(found, np.floating):
        return found.type
    size = 1  # each has a float of its own, the wider of which NumPy takes; Python's numbers take the other's type
    for v in values:
        size = max(size, min(found.itemsize, np.asarray(v).dtype.itemsize))
    if size < 2:
        raise NotImplementedError("this is float16 in NumPy; convert with .astype first")
    return np.float32 if size == 2 else np.float64


def _delivered(value, out, where, casting, order, dtype, subok, signature):
    if np.ndim(where) != 0 or dtype is not None or casting != "same_kind" or order not in ("K", "C", "A") or signature is not None:
        raise NotImplementedError("only `out=` of its keywords is translated")
    if where == False:
        raise NotImplementedError("only `out=` of its keywords is translated")
    if out is None:
        return value
    return np.logical_or(value, False, out=out) if value.dtype == np.bool_ else np.positive(value, out=out)


def signbit(x, /, out=None, *, where=True, casting="same_kind", order="K", dtype=None, subok=True, signature=None):
    kind = _kind(x)
    return _delivered(np.copysign(kind(1), x) < 0, out, where, casting, order, dtype, subok, signature)


def degrees(x, /, out=None, *, where=True, casting="same_kind", order="K", dtype=None, subok=True, signature=None):
    kind = _kind(x)
    return _delivered(np.asarray(x).astype(kind) * (kind(180.0) / kind(np.pi)), out, where, casting, order, dtype, subok, signature)


def rad2deg(x, /, out=None, *, where=True, casting="same_kind", order="K", dtype=None, subok=True, signature=None):
    kind = _kind(x)
    return _delivered(np.asarray(x).astype(kind) * (kind(180.0) / kind(np.pi)), out, where, casting, order, dtype, subok, signature)


def radians(x, /, out=None, *, where=True, casting="same_kind", order="K", dtype=None, subok=True, signature=None):
    kind = _kind(x)
    return _delivered(np.asarray(x).astype(kind) * (kind(np.pi) / kind(180.0)), out, where, casting, order, dtype, subok, signature)


def deg2rad(x, /, out=None, *, where=True, casting="same_kind", order="K", dtype=None, subok=True, signature=None):
    kind = _kind(x)
    return _delivered(np.asarray(x).astype(kind) * (kind(np.pi) / kind(180.0)), out, where, casting, order, dtype, subok, signature)


def reciprocal(x, /, out=None, *, where=True, casting="same_kind", order="K", dtype=None, subok=True, signature=None):
    x = np.asarray(x)
    if not np.issubdtype(x.dtype, np.inexact):
        raise NotImplementedError("`np.reciprocal` of integers cuts off; write `1 // x`, or convert with .astype")
    return _delivered(1 / x, out, where, casting, order, dtype, subok, signature)


def heaviside(x1, x2, /, out=None, *, where=True, casting="same_kind", order="K", dtype=None, subok=True, signature=None):
    kind = _kind(x1, x2)
    x = np.asarray(x1).astype(kind)
    y = np.asarray(x2).astype(kind)
    value = np.where(np.isnan(x), x, np.where(x == 0, y, np.where(x < 0, kind(0), kind(1))))
    return _delivered(value, out, where, casting, order, dtype, subok, signature)


def logaddexp(x1, x2, /, out=None, *, where=True, casting="same_kind", order="K", dtype=None, subok=True, signature=None):
    kind = _kind(x1, x2)
    x = np.asarray(x1).astype(kind)
    y = np.asarray(x2).astype(kind)
    d = x - y
    value = np.where(x == y, x + kind(0.693147180559945309417232121458176568),
                     np.where(d > 0, x + np.log1p(np.exp(-d)), np.where(d <= 0, y + np.log1p(np.exp(d)), d)))
    return _delivered(value, out, where, casting, order, dtype, subok, signature)


def float_power(x1, x2, /, out=None, *, where=True, casting="same_kind", order="K", dtype=None, subok=True, signature=None):
    if np.issubdtype(np.result_type(x1, x2), np.complexfloating):
        raise NotImplementedError("`np.float_power` of complex numbers is not translated; write `np.power`")
    value = np.power(np.asarray(x1).astype(np.float64), np.asarray(x2).astype(np.float64))
    return _delivered(value, out, where, casting, order, dtype, subok, signature)


def logaddexp2(x1, x2, /, out=None, *, where=True, casting="same_kind", order="K", dtype=None, subok=True, signature=None):
    kind = _kind(x1, x2)
    x = np.asarray(x1).astype(kind)
    y = np.asarray(x2).astype(kind)
    d = x - y
    scale = kind(1.442695040888963407359924681001892137)
    value = np.where(x == y, x + kind(1), np.where(d > 0, x + scale * np.log1p(np.exp2(-d)),
                                                   np.where(d <= 0, y + scale * np.log1p(np.exp2(d)), d)))
    return _delivered(value, out, where, casting, order, dtype, subok, signature)


def fmod(x1, x2, /, out=None, *, where=True, casting="same_kind", order="K", dtype=None, subok=True, signature=None):
    kind = np.result_type(x1, x2)
    if np.issubdtype(kind, np.complexfloating):
        raise TypeError("ufunc 'fmod' not supported for the input types")
    if np.issubdtype(kind, np.floating):
        x = np.asarray(x1).astype(kind)
        y = np.asarray(x2).astype(kind)
        return _delivered(np.copysign(np.remainder(abs(x), abs(y)), x), out, where, casting, order, dtype, subok, signature)
    rest = np.remainder(x1, x2)
    value = np.where((rest != 0) & ((rest < 0) != (np.asarray(x1) < 0)), rest - x2, rest)
    return _delivered(value, out, where, casting, order, dtype, subok, signature)


def spacing(x, /, out=None, *, where=True, casting="same_kind", order="K", dtype=None, subok=True, signature=None):
    kind = _kind(x)
    x = np.asarray(x).astype(kind)
    beyond = np.where(x == 0, kind(np.inf), np.copysign(kind(np.inf), x))
    return _delivered(np.nextafter(x, beyond) - x, out, where, casting, order, dtype, subok, signature)


def ldexp(x1, x2, /, out=None, *, where=True, casting="same_kind", order="K", dtype=None, subok=True, signature=None):
    kind = _kind(x1)
    if np.result_type(x1, np.int8) == np.int8:
        raise NotImplementedError("this is float16 in NumPy; convert with .astype first, or write a float")
    exponent = np.asarray(x2)
    if not np.issubdtype(exponent.dtype, np.integer) or exponent.dtype == np.uint64:
        raise TypeError("ufunc 'ldexp' not supported for the input types")
    bounded = np.minimum(np.maximum(exponent.astype(np.int64), -5000), 5000)
    return _delivered(_scaled(np.asarray(x1).astype(kind), bounded.astype(kind)), out, where, casting, order, dtype, subok, signature)


def _is_plain(out, where, casting, order, dtype, signature):
    """None of the keywords of a function with two results."""
    if out is not None and out != (None, None) or np.ndim(where) != 0 or dtype is not None or signature is not None:
        raise NotImplementedError("its keywords are not translated; assign the results")
    return where == True and casting == "same_kind" and order in ("K", "C", "A")


def frexp(x, /, out=(None, None), *, where=True, casting="same_kind", order="K", dtype=None, subok=True, signature=None):
    if not _is_plain(out, where, casting, order, dtype, signature):
        raise NotImplementedError("its keywords are not translated; assign the results")
    kind = _kind(x)
    x = np.asarray(x).astype(kind)
    exponent = _exponent(x)
    return _scaled(x, -exponent), exponent.astype(np.int32)


def modf(x, /, out=(None, None), *, where=True, casting="same_kind", order="K", dtype=None, subok=True, signature=None):
    if not _is_plain(out, where, casting, order, dtype, signature):
        raise NotImplementedError("its keywords are not translated; assign the results")
    kind = _kind(x)
    x = np.asarray(x).astype(kind)
    whole = np.trunc(x)
    return np.copysign(np.where(np.isinf(x), kind(0), x - whole), x), whole


def divmod(x1, x2, /, out=(None, None), *, where=True, casting="same_kind", order="K", dtype=None, subok=True, signature=None):
    if not _is_plain(out, where, casting, order, dtype, signature):
        raise NotImplementedError("its keywords are not translated; assign the results")
    return np.floor_divide(x1, x2), np.remainder(x1, x2)
