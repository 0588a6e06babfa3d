"""Elements put into arrays, and left out of them."""
import numpy as np

from ._common import _axis, _front, _is_sequence, _rank, _swapped


def _in_line(arr, axis):
    """The array and the axis that functions work on, where None asks for all elements in a row."""
    a = np.asarray(arr)
    if axis is None:
        return np.ravel(a), 0
    return a, _axis(axis, a.ndim)


def delete(arr, obj, axis=None):
    a, at = _in_line(arr, axis)
    n = a.shape[at]
    if not _is_sequence(obj) and not isinstance(obj, slice) and np.ndim(obj) == 0:
        if obj < -n or obj >= n:
            raise IndexError("index is out of bounds for the axis")
        k = obj + n if obj < 0 else obj
        places = np.arange(n - 1)
        return np.copy(_swapped(_swapped(a, 0, at)[np.where(places < k, places, places + 1)], 0, at))
    keep = np.ones(n, bool)
    if isinstance(obj, slice):
        keep[obj] = False
        return a[keep] if a.ndim == 1 else np.copy(_swapped(_swapped(a, 0, at)[np.flatnonzero(keep)], 0, at))
    chosen = np.asarray(obj)
    if chosen.dtype == np.bool_:
        if chosen.shape != keep.shape:
            raise ValueError("boolean array argument obj to delete must be one dimensional and match the axis length")
        keep = ~chosen
    else:
        if np.any((chosen < -n) | (chosen >= n)):
            raise IndexError("index is out of bounds for the axis")
        keep[chosen] = False
    if a.ndim == 1:
        return a[keep]
    return np.copy(_swapped(_swapped(a, 0, at)[np.flatnonzero(keep)], 0, at))


def insert(arr, obj, values, axis=None):
    a, at = _in_line(arr, axis)
    v = np.atleast_1d(values).astype(a.dtype)
    for _ in range(a.ndim - v.ndim):
        v = v[None]
    if v.ndim > a.ndim:
        raise NotImplementedError("`values` of `np.insert` have more dimensions than the array")
    n = a.shape[at]
    if isinstance(obj, slice):
        raise NotImplementedError("the places of `np.insert` are a number, a list or an array of them here; write `np.arange(start, stop, step)`")
    scalar = not _is_sequence(obj) and np.ndim(obj) == 0
    if scalar:
        if obj < -n or obj > n:
            raise IndexError("index is out of bounds for the axis")
    count = v.shape[0] if scalar else len(obj)
    shape = ()
    for d in range(a.ndim):
        shape = shape + (n + count if d == at else a.shape[d],)
    made = np.empty(shape, a.dtype)
    if scalar:
        k = obj + n if obj < 0 else obj
        lines = _front(made, at)
        lines[:k] = _front(a, at)[:k]
        lines[k + count:] = _front(a, at)[k:]
        lines[k:k + count] = v
        return made
    places = np.asarray(obj)
    if not np.issubdtype(places.dtype, np.integer) or places.ndim != 1:
        raise NotImplementedError("the places of `np.insert` are integers")
    if np.any((places < -n) | (places > n)):
        raise IndexError("index is out of bounds for the axis")
    places = np.where(places < 0, places + n, places).astype(np.int64)
    order = np.argsort(places, kind="stable")
    final = np.empty(count, np.int64)
    final[order] = places[order] + np.arange(count)
    old = np.ones(n + count, bool)
    old[final] = False
    lines = _front(made, at)
    lines[np.flatnonzero(old)] = _front(a, at)
    lines[final] = _front(np.broadcast_to(v, a.shape[:at] + (count,) + a.shape[at + 1:]), at)
    return made


def resize(a, new_shape):
    flat = np.ravel(a)
    shape = new_shape if _is_sequence(new_shape) else (new_shape,)
    count = 1
    for extent in shape:
        if extent < 0:
            raise ValueError("all elements of `new_shape` must be non-negative")
        count = count * extent
    made = np.zeros(count, flat.dtype)
    if len(flat) > 0:
        made[...] = flat[np.arange(count) % max(len(flat), 1)]
    return np.reshape(made, shape)


def copyto(dst, src, casting="same_kind", where=True):
    if _is_sequence(src):
        src = np.asarray(src)
    if casting != "same_kind" and casting != "unsafe":
        raise NotImplementedError("`casting=` of `np.copyto` is 'same_kind' or 'unsafe'")
    if casting == "same_kind" and np.result_type(dst.dtype, src) != dst.dtype:
        if _rank(np.asarray(src).dtype.kind) > _rank(dst.dtype.kind):
            raise TypeError("Cannot cast array data according to the rule 'same_kind'")
    if np.ndim(where) == 0:
        if where:
            dst[...] = src
    else:
        if np.asarray(where).dtype != np.bool_:
            raise TypeError("Cannot cast array data to dtype('bool') according to the rule 'safe'")
        dst[...] = np.where(where, np.asarray(src).astype(dst.dtype), dst)


def _repeated(values, a):
    """The values over again, as many as the array has elements."""
    v = np.ravel(values).astype(a.dtype)
    return np.reshape(v[np.arange(a.size) % max(len(v), 1)], a.shape)


def _refuse_unsafe(values, a):
    """Arrays are stored as they are; lists and numbers become the array's type."""
    if not _is_sequence(values) and np.ndim(values) > 0 and np.result_type(a.dtype, values) != a.dtype:
        raise TypeError("Cannot cast array data according to the rule 'safe'")


def putmask(a, /, mask, values):
    if np.size(values) > 0:
        _refuse_unsafe(values, a)
        a[...] = np.where(np.asarray(mask) != 0, _repeated(values, a), a)


def place(arr, mask, vals):
    chosen = np.ravel(np.asarray(mask) != 0)
    _refuse_unsafe(vals, arr)
    v = np.ravel(vals).astype(arr.dtype)
    if len(chosen) != arr.size:
        raise ValueError("place: mask and data must be the same size")
    if len(v) == 0 and np.any(chosen):
        raise ValueError("Cannot insert from an empty array!")
    if len(v) > 0:
        turn = np.maximum(np.cumsum(chosen) - 1, 0) % max(len(v), 1)
        arr[...] = np.where(np.reshape(chosen, arr.shape), np.reshape(v[turn], arr.shape), arr)
