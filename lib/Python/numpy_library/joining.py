"""Arrays of several, and several of one."""
import numpy as np

from ._common import _arrays, _axis, _front, _is_constant, _is_sequence, _part, _part_within, _same_size


def _rows_joined(rows, axis):
    """The rows of an array one behind another."""
    axis = _axis(axis, rows.ndim - 1)
    lined = np.moveaxis(rows, 0, axis)
    joined = np.reshape(lined, lined.shape[:axis] + (lined.shape[axis] * lined.shape[axis + 1],) + lined.shape[axis + 2:])
    return np.copy(joined)


def concatenate(arrays, /, axis=0, out=None, *, dtype=None, casting="same_kind"):
    if not _is_sequence(arrays) and np.ndim(arrays) > 1 and axis is not None and out is None and dtype is None and casting == "same_kind":
        return _rows_joined(arrays, axis)
    parts = _arrays(arrays)
    if out is not None and dtype is not None:
        raise TypeError("concatenate() only takes `out` or `dtype` as an argument, but both were provided.")
    if casting != "same_kind":
        raise NotImplementedError("`casting=` is not translated; convert the arrays with .astype")
    if axis is None:
        flat = ()
        for one in parts:
            flat = flat + (one if one.ndim == 1 else np.ravel(one),)
        parts = flat
    first = parts[0]
    if first.ndim == 0:
        raise ValueError("zero-dimensional arrays cannot be concatenated")
    axis = 0 if axis is None else _axis(axis, first.ndim)
    total = 0
    for one in parts:
        if one.ndim != first.ndim:
            raise ValueError("all the input array dimensions except for the concatenation axis must match exactly")
        for d in range(first.ndim):
            if d != axis:
                _same_size(first, one, d)
        total = total + one.shape[axis]
    shape = first.shape[:axis] + (total,) + first.shape[axis + 1:]
    joined = out
    if out is None:
        joined = np.empty(shape, np.result_type(*parts) if dtype is None else dtype)
    elif out.shape != shape:
        raise ValueError("Output array is the wrong shape")
    start = 0
    for one in parts:
        _part_within(joined, axis, start, start + one.shape[axis])[...] = one
        start = start + one.shape[axis]
    return joined


def concat(arrays, /, axis=0, out=None, *, dtype=None, casting="same_kind"):
    return np.concatenate(arrays, axis, out, dtype=dtype, casting=casting)


def stack(arrays, axis=0, out=None, *, dtype=None, casting="same_kind"):
    if not _is_sequence(arrays) and out is None and dtype is None and casting == "same_kind":
        return np.copy(np.moveaxis(arrays, 0, axis))
    parts = _arrays(arrays)
    if casting != "same_kind":
        raise NotImplementedError("`casting=` is not translated; convert the arrays with .astype")
    first = parts[0]
    axis = _axis(axis, first.ndim + 1)
    for one in parts:
        if one.shape != first.shape:
            raise ValueError("all input arrays must have the same shape")
    shape = first.shape[:axis] + (len(parts),) + first.shape[axis:]
    stacked = out
    if out is None:
        stacked = np.empty(shape, np.result_type(*parts) if dtype is None else dtype)
    elif out.shape != shape:
        raise ValueError("Output array is the wrong shape")
    for k in range(len(parts)):
        _front(stacked, axis)[k, ...] = parts[k]
    return stacked


def _at_least(values, ndim):
    found = ()
    for one in _arrays(values):
        found = found + (np.atleast_1d(one) if ndim == 1 else np.atleast_2d(one) if ndim == 2 else np.atleast_3d(one),)
    return found


def vstack(tup, *, dtype=None, casting="same_kind"):
    if not _is_sequence(tup) and np.ndim(tup) > 1 and dtype is None and casting == "same_kind":
        return np.copy(tup) if tup.ndim == 2 else _rows_joined(tup, 0)
    return np.concatenate(_at_least(tup, 2), 0, dtype=dtype, casting=casting)


def hstack(tup, *, dtype=None, casting="same_kind"):
    if not _is_sequence(tup) and np.ndim(tup) > 1 and dtype is None and casting == "same_kind":
        return _rows_joined(tup, 0 if tup.ndim == 2 else 1)
    parts = _at_least(tup, 1)
    return np.concatenate(parts, 0 if parts[0].ndim == 1 else 1, dtype=dtype, casting=casting)


def dstack(tup):
    return np.concatenate(_at_least(tup, 3), 2)


def column_stack(tup):
    if not _is_sequence(tup) and np.ndim(tup) > 1:
        return np.copy(tup.T) if tup.ndim == 2 else _rows_joined(tup, 1)
    columns = ()
    for one in _arrays(tup):
        columns = columns + (one if one.ndim > 1 else np.atleast_1d(one)[:, None],)
    return np.concatenate(columns, 1)


def append(arr, values, axis=None):
    if axis is None:
        return np.concatenate((np.atleast_1d(arr), np.atleast_1d(values)), None)
    return np.concatenate((arr, values), axis)





def _cut(ary, bounds, axis):
    """Parts between the bounds."""
    parts = ()
    for k in range(len(bounds) + 1):
        start = 0 if k == 0 else bounds[k - 1]
        stop = None if k == len(bounds) else bounds[k]
        parts = parts + (_part(ary, axis, start, stop),)
    return [*parts]


def _sections(ary, count):
    """Of a vector, as many as the run tells; the first ones are longer by one."""
    n = len(ary)
    parts = []
    for k in range(count):
        start = k * (n // count) + min(k, n % count)
        parts.append(ary[start : start + n // count + (k < n % count)])
    return parts


def array_split(ary, indices_or_sections, axis=0):
    ary = np.asarray(ary)
    axis = _axis(axis, ary.ndim)
    if not _is_sequence(indices_or_sections) and np.ndim(indices_or_sections) > 0:
        raise NotImplementedError("the places of `np.array_split` are a number, or a list or tuple of them here; write the slices, `a[i:j]`, in a loop")
    if _is_sequence(indices_or_sections):
        return _cut(ary, indices_or_sections, axis)
    if indices_or_sections <= 0:
        raise ValueError("number sections must be larger than 0.")
    if ary.ndim == 1 and not _is_constant(indices_or_sections):
        return _sections(ary, indices_or_sections)
    n = ary.shape[axis]
    longer = n % indices_or_sections
    bounds = ()
    for k in range(1, indices_or_sections):
        bounds = bounds + (k * (n // indices_or_sections) + np.minimum(k, longer),)
    return _cut(ary, bounds, axis)


def split(ary, indices_or_sections, axis=0):
    ary = np.asarray(ary)
    axis = _axis(axis, ary.ndim)
    if not _is_sequence(indices_or_sections) and np.ndim(indices_or_sections) > 0:
        raise NotImplementedError("the places of `np.split` are a number, or a list or tuple of them here; write the slices, `a[i:j]`, in a loop")
    if _is_sequence(indices_or_sections):
        return _cut(ary, indices_or_sections, axis)
    n = ary.shape[axis]
    if n % indices_or_sections != 0:
        raise ValueError("array split does not result in an equal division")
    if ary.ndim == 1 and not _is_constant(indices_or_sections):
        return _sections(ary, indices_or_sections)
    bounds = ()
    for k in range(1, indices_or_sections):
        bounds = bounds + (k * (n // indices_or_sections),)
    return _cut(ary, bounds, axis)


def hsplit(ary, indices_or_sections):
    if ary.ndim == 0:
        raise ValueError("hsplit only works on arrays of 1 or more dimensions")
    return np.split(ary, indices_or_sections, 1 if ary.ndim > 1 else 0)


def vsplit(ary, indices_or_sections):
    if ary.ndim < 2:
        raise ValueError("vsplit only works on arrays of 2 or more dimensions")
    return np.split(ary, indices_or_sections, 0)


def dsplit(ary, indices_or_sections):
    if ary.ndim < 3:
        raise ValueError("dsplit only works on arrays of 3 or more dimensions")
    return np.split(ary, indices_or_sections, 2)


def block(arrays):
    if not _is_sequence(arrays):
        return np.copy(arrays)
    if not _is_sequence(arrays[0]):
        return np.concatenate(arrays, -1)
    rows = ()
    for row in arrays:
        if not _is_sequence(row) or _is_sequence(row[0]):
            raise NotImplementedError("`np.block` takes a list of arrays, or a list of lists of them")
        parts = ()
        for one in row:
            parts = parts + (np.atleast_2d(one),)
        rows = rows + (np.concatenate(parts, -1),)
    return np.concatenate(rows, -2)


def broadcast_shapes(*args):
    shapes = ()
    ndim = 0
    for one in args:
        shapes = shapes + (one if _is_sequence(one) else (one,),)
        ndim = max(ndim, len(one) if _is_sequence(one) else 1)
    found = ()
    for k in range(ndim):
        extent = 1
        for shape in shapes:
            if k < len(shape):
                other = shape[len(shape) - 1 - k]
                if extent != 1 and other != 1 and extent != other:
                    raise ValueError("shape mismatch: objects cannot be broadcast to a single shape")
                extent = other if extent == 1 else extent
        found = (extent,) + found
    return found


def broadcast_arrays(*args, subok=False):
    shapes = ()
    for one in args:
        shapes = shapes + (np.asarray(one).shape,)
    shape = np.broadcast_shapes(*shapes)
    found = ()
    for one in args:
        found = found + (np.broadcast_to(one, shape),)
    return found


def unstack(x, /, *, axis=0):
    x = np.asarray(x)
    if x.ndim < 1:
        raise ValueError("Input array must be at least 1-d.")
    lines = _front(x, _axis(axis, x.ndim))
    parts = ()
    for k in range(lines.shape[0]):
        parts = parts + (lines[k],)
    return parts


def _lists_as_arrays(parts):
    """The others are as they are: Python's numbers follow."""
    found = ()
    for one in parts:
        found = found + (np.asarray(one) if _is_sequence(one) else one,)
    return found


def _joined_rows(*parts):
    """`np.r_[...]`"""
    parts = _lists_as_arrays(parts)
    kind = np.result_type(*parts)
    arrays = ()
    for one in parts:
        arrays = arrays + (np.atleast_1d(one),)
    return np.concatenate(arrays, 0, dtype=kind)


def _joined_columns(*parts):
    """`np.c_[...]`"""
    parts = _lists_as_arrays(parts)
    kind = np.result_type(*parts)
    arrays = ()
    for one in parts:
        column = np.atleast_1d(one)
        arrays = arrays + (column[:, None] if column.ndim == 1 else column,)
    return np.concatenate(arrays, -1, dtype=kind)
