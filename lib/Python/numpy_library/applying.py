"""Functions that are given functions."""
import functools

import numpy as np

from ._common import _axis, _is_function, _is_sequence


def fromfunction(function, shape, *, dtype=float, like=None):
    grids = np.indices(shape, dtype=dtype)
    places = ()
    for d in range(len(shape)):
        places = places + (grids[d],)
    return function(*places)


def apply_along_axis(func1d, axis, arr, *args):
    a = np.asarray(arr)
    at = _axis(axis, a.ndim)
    rows = np.moveaxis(a, at, -1)
    shape = rows.shape[:-1]
    count = 1
    for extent in shape:
        count = count * extent
    if count == 0:
        raise ValueError("Cannot apply_along_axis when any iteration dimensions are 0")
    flat = np.reshape(rows, (count, a.shape[at]))
    one = np.asarray(func1d(flat[0], *args))
    if one.ndim > 1:
        raise NotImplementedError("the function of `np.apply_along_axis` gives a number or a vector")
    made = np.empty((count,) + one.shape, one.dtype)
    for i in range(count):
        made[i] = func1d(flat[i], *args)
    return np.moveaxis(np.reshape(made, shape + one.shape), -1, at) if one.ndim == 1 else np.reshape(made, shape)


def _folded(function, array, axis, keepdims, identity):
    """`ufunc.reduce` of functions that are folded one after the other."""
    a = np.asarray(array)
    if axis is None and a.ndim != 1:
        raise NotImplementedError("this `reduce` is along one axis")
    at = 0 if axis is None else _axis(axis, a.ndim)
    rows = np.moveaxis(a, at, 0)
    n = a.shape[at]
    if identity is None and n == 0:
        raise ValueError("zero-size array to reduction operation which has no identity")
    kind = function(a[:0], a[:0]).dtype
    total = np.zeros(rows.shape[1:], kind)
    if n > 0:
        total[...] = function(total, rows[0]) if identity is not None and identity == 0 else rows[0]
    elif identity is not None:
        total[...] = identity
    for i in range(1, n):
        total[...] = function(total, rows[i])
    if keepdims:
        return np.expand_dims(total, at)
    return total[()]


def _reduced(function, items, initial):
    """`functools.reduce` of what is not known at translation."""
    if initial is None:
        if len(items) == 0:
            raise TypeError("reduce() of empty iterable with no initial value")
        total = items[0]
        for i in range(1, len(items)):
            total = function(total, items[i])
        return total
    total = initial
    for x in items:
        total = function(total, x)
    return total


def apply_over_axes(func, a, axes):
    value = np.asarray(a)
    for axis in axes if _is_sequence(axes) else (axes,):
        folded = func(value, _axis(axis, value.ndim))
        value = folded if folded.ndim == value.ndim else np.expand_dims(folded, _axis(axis, value.ndim))
    return value


def piecewise(x, condlist, funclist, *args):
    x = np.asarray(x)
    conditions = condlist if _is_sequence(condlist) else (condlist,)
    functions = funclist if _is_sequence(funclist) else (funclist,)
    if len(functions) != len(conditions) and len(functions) != len(conditions) + 1:
        raise ValueError("the numbers of conditions and functions do not fit")
    made = np.zeros(x.shape, x.dtype)
    rest = np.ones(x.shape, bool)
    for k in range(len(conditions)):
        rest = rest & ~conditions[k]
    for k in range(len(functions)):
        chosen = conditions[k] if k < len(conditions) else rest
        if _is_function(functions[k]):
            made[chosen] = functions[k](x[chosen], *args)
        else:
            made[chosen] = functions[k]
    return made


def _vectorized(pyfunc, dtype, *args):
    """What the function gives of the first elements says which type, if none is given; all are Python's own numbers to it."""
    arrays = ()
    rank = 0
    for one in args:
        arrays = arrays + (np.asarray(one),)
        rank = max(rank, np.ndim(one))
    if rank == 0:
        raise NotImplementedError("a vectorized function takes an array; call the function itself")
    full = np.broadcast_arrays(*arrays)
    shape = full[0].shape
    flat = ()
    for one in full:
        flat = flat + (np.ravel(one),)
    count = len(flat[0])
    if count == 0 and dtype is None:
        raise ValueError("cannot call `vectorize` on size 0 inputs unless `otypes` is set")
    if len(flat) == 1:
        made = np.empty(count, np.asarray(pyfunc(flat[0][0])).dtype if dtype is None else dtype)
        for i in range(count):
            made[i] = pyfunc(flat[0][i].item())
    elif len(flat) == 2:
        made = np.empty(count, np.asarray(pyfunc(flat[0][0], flat[1][0])).dtype if dtype is None else dtype)
        for i in range(count):
            made[i] = pyfunc(flat[0][i].item(), flat[1][i].item())
    elif len(flat) == 3:
        made = np.empty(count, np.asarray(pyfunc(flat[0][0], flat[1][0], flat[2][0])).dtype if dtype is None else dtype)
        for i in range(count):
            made[i] = pyfunc(flat[0][i].item(), flat[1][i].item(), flat[2][i].item())
    else:
        raise NotImplementedError("`np.vectorize` is translated of functions of one to three arguments")
    return np.reshape(made, shape)


def vectorize(pyfunc=np._NoValue, otypes=None, doc=None, excluded=None, cache=False, signature=None):
    if excluded is not None or signature is not None or not _is_function(pyfunc):
        raise NotImplementedError("`np.vectorize` is translated of a function alone, and with `otypes=`")
    if otypes is None:
        return functools.partial(_vectorized, pyfunc, None)
    if len(otypes) != 1:
        raise NotImplementedError("`np.vectorize` is translated of functions that give one number")
    return functools.partial(_vectorized, pyfunc, otypes[0])
