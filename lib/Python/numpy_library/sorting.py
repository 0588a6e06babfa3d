"""Sorting, and parts of it."""
import numpy as np

from ._common import _axis, _in_order, _is_sequence, _order_of_rows, _swapped


def _check_kind(kind, order, stable):
    """All sorts are stable here, which each kind may be."""
    if order is not None:
        raise ValueError("Cannot specify order when the array has no fields.")
    if kind is not None:
        if stable is not None:
            raise ValueError("`kind` and `stable` parameters can't be provided at the same time. Use only one of them.")
        if kind not in ("quicksort", "mergesort", "heapsort", "stable"):
            raise NotImplementedError("`kind=` of a sort is 'quicksort', 'mergesort', 'heapsort' or 'stable'")


def sort(a, axis=-1, kind=None, order=None, *, stable=None):
    a = np.asarray(a)
    _check_kind(kind, order, stable)
    if axis is None:
        return _in_order(np.ravel(a))
    d = _axis(axis, a.ndim)
    if d == a.ndim - 1:
        return _in_order(a)
    return np.ascontiguousarray(_swapped(_in_order(_swapped(a, d, a.ndim - 1)), d, a.ndim - 1))


def argsort(a, axis=-1, kind=None, order=None, *, stable=None):
    a = np.asarray(a)
    _check_kind(kind, order, stable)
    if axis is None:
        return _order_of_rows(np.ravel(a))
    d = _axis(axis, a.ndim)
    if d == a.ndim - 1:
        return _order_of_rows(a)
    return np.ascontiguousarray(_swapped(_order_of_rows(_swapped(a, d, a.ndim - 1)), d, a.ndim - 1))


def sort_complex(a):
    a = np.asarray(a)
    if np.issubdtype(a.dtype, np.complexfloating):
        return np.sort(a)
    return np.sort(a).astype(np.complex64 if a.dtype in (np.int8, np.int16, np.uint8, np.uint16) else np.complex128)


def _check_kth(kth, count, kind, order):
    if order is not None:
        raise ValueError("Cannot specify order when the array has no fields.")
    if kind != "introselect":
        raise ValueError("select kind must be 'introselect'")
    for k in kth if _is_sequence(kth) else (kth,):
        if np.ndim(k) != 0:
            raise NotImplementedError("`kth` is a number or a tuple of numbers")
        if count > 0 and (k >= count or k < -count):
            raise ValueError("kth(=%d) out of bounds (%d)" % (k, count))


def partition(a, kth, axis=-1, kind="introselect", order=None):
    """All of it is in order, which is one of the orders that NumPy may give."""
    a = np.asarray(a)
    flat = np.ravel(a) if axis is None else a
    d = _axis(-1 if axis is None else axis, flat.ndim)
    _check_kth(kth, flat.shape[d], kind, order)
    return np.sort(flat, d)


def argpartition(a, kth, axis=-1, kind="introselect", order=None):
    a = np.asarray(a)
    flat = np.ravel(a) if axis is None else a
    d = _axis(-1 if axis is None else axis, flat.ndim)
    _check_kth(kth, flat.shape[d], kind, order)
    return np.argsort(flat, d)


def lexsort(keys, axis=-1):
    if not _is_sequence(keys):
        raise NotImplementedError("the keys of `np.lexsort` are a tuple of arrays")
    if len(keys) == 0:
        raise TypeError("need sequence of keys with len > 0 in lexsort")
    if np.ndim(keys[0]) != 1:
        raise NotImplementedError("the keys of `np.lexsort` are vectors")
    _axis(axis, 1)
    order = _order_of_rows(np.asarray(keys[0]))
    for key in keys[1:]:
        if np.shape(key) != np.shape(keys[0]):
            raise ValueError("all keys need to be the same shape")
        order = order[_order_of_rows(np.asarray(key)[order])]
    return order
