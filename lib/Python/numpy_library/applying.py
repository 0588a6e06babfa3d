"""Functions that are given functions."""
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
