"""What `@vectorize` makes of a function of numbers, called in translated code."""
import functools

import numpy as np

from ._common import _is_function


def _fits(args, types):
    """Whether all can be cast safely to the types of a signature."""
    if len(args) + 1 != len(types):
        return False
    for x, to in zip(args, types):
        if np.result_type(x, to) != to:
            return False
    return True


def _first_that_fits(args, rows):
    for types in rows:
        if _fits(args, types):
            return types
    return rows[0]


def _value_of(pyfunc, types, values):
    if len(values) == 1:
        return pyfunc(types[0](values[0]))
    if len(values) == 2:
        return pyfunc(types[0](values[0]), types[1](values[1]))
    if len(values) == 3:
        return pyfunc(types[0](values[0]), types[1](values[1]), types[2](values[2]))
    return pyfunc(types[0](values[0]), types[1](values[1]), types[2](values[2]), types[3](values[3]))


def _values_at(arrays, place):
    values = ()
    for one in arrays:
        values = values + (one[place],)
    return values


def _of_elements(pyfunc, types, args):
    arrays = ()
    for x, to in zip(args, types):
        arrays = arrays + (np.asarray(x, dtype=to),)
    full = np.broadcast_arrays(*arrays)
    shape = full[0].shape
    if len(shape) == 2:
        made = np.empty(shape, types[-1])
        for i in range(shape[0]):
            for j in range(shape[1]):
                made[i, j] = _value_of(pyfunc, types, _values_at(full, (i, j)))
    elif len(shape) == 3:
        made = np.empty(shape, types[-1])
        for i in range(shape[0]):
            for j in range(shape[1]):
                for k in range(shape[2]):
                    made[i, j, k] = _value_of(pyfunc, types, _values_at(full, (i, j, k)))
    else:
        flat = ()
        for one in full:
            flat = flat + (np.ravel(one),)
        values = np.empty(len(flat[0]), types[-1])
        for i in range(len(flat[0])):
            values[i] = _value_of(pyfunc, types, _values_at(flat, i))
        made = np.reshape(values, shape)
    return made


def _numba_vectorize(pyfunc, rows, *args, out=None):
    """By the first signature to which all operands can be cast safely."""
    if len(rows) == 0:
        raise NotImplementedError("a ufunc that translated functions call has signatures: `@vectorize(['f8(f8)'])`")
    elif len(args) > 4:
        raise NotImplementedError("ufuncs of one to four operands are called in translated functions")
    elif not _fits(args, _first_that_fits(args, rows)):
        raise TypeError("ufunc not supported for the input types, and the inputs could not be safely coerced to any supported types")
    elif out is not None and out.dtype != _first_that_fits(args, rows)[-1]:
        raise NotImplementedError("`out` of a ufunc has the type of the signature's result")
    else:
        types = _first_that_fits(args, rows)
        rank = 0
        for x in args:
            rank = max(rank, np.ndim(x))
        if out is not None:
            out[...] = _of_elements(pyfunc, types, args)
            return out
        elif rank > 0:
            return _of_elements(pyfunc, types, args)
        else:
            return types[-1](_value_of(pyfunc, types, args))
    return args[0]


def vectorize(pyfunc, rows=()):
    if not _is_function(pyfunc):
        raise NotImplementedError("decorate the function with it: `@vectorize([...])` above its `def`")
    return functools.partial(_numba_vectorize, pyfunc, rows)
