"""What `@vectorize` and `@guvectorize` make of functions, called in translated code. A signature is a tuple of types, those of the
operands and of the results."""
import functools

import numpy as np

from ._common import _are_apart, _axes, _is_function, _is_sequence, _rank


def _fits(args, types):
    """Whether all can be cast safely to the types of a signature."""
    for x, to in zip(args, types):
        if np.result_type(x, to) != to:
            return False
    return True


def _chosen_row(args, rows):
    for types in rows:
        if _fits(args, types):
            return types
    raise TypeError("ufunc not supported for the input types, and the inputs could not be safely coerced to any supported types")


def _values_at(arrays, place):
    values = ()
    for one in arrays:
        values = values + (one[place],)
    return values


def _at_each_place(loop, function, operands):
    """Calls the function with what the operands have at each place of their first axes, `loop`."""
    if len(loop) == 0:
        function(*operands)
    elif len(loop) == 1:
        for i in range(loop[0]):
            function(*_values_at(operands, i))
    elif len(loop) == 2:
        for i in range(loop[0]):
            for j in range(loop[1]):
                function(*_values_at(operands, (i, j)))
    elif len(loop) == 3:
        for i in range(loop[0]):
            for j in range(loop[1]):
                for k in range(loop[2]):
                    function(*_values_at(operands, (i, j, k)))
    else:
        raise NotImplementedError("ufuncs are called with up to three axes around theirs in translated functions; reshape the operands")


def _stored_value(pyfunc, types, *places):
    values = ()
    for x in places[:-1]:
        values = values + (x,)
    places[-1][0] = types[-1](pyfunc(*values))


def _value_of(pyfunc, types, args):
    """Of numbers."""
    values = ()
    for x, to in zip(args, types):
        values = values + (to(x),)
    return types[-1](pyfunc(*values))


def _of_elements(pyfunc, types, args):
    arrays = ()
    for x, to in zip(args, types):
        arrays = arrays + (np.asarray(x, dtype=to),)
    full = np.broadcast_arrays(*arrays)
    shape = full[0].shape
    if len(shape) <= 3:
        made = np.empty(shape + (1,), types[-1])
        _at_each_place(shape, functools.partial(_stored_value, pyfunc, types), full + (made,))
        return made[..., 0]
    flat = ()
    for one in full:
        flat = flat + (np.ravel(one),)
    values = np.empty((len(flat[0]), 1), types[-1])
    _at_each_place((len(flat[0]),), functools.partial(_stored_value, pyfunc, types), flat + (values,))
    return np.reshape(values, shape)


def _elements_of(pyfunc, rows, args):
    """By the first signature to which all operands can be cast safely."""
    types = _chosen_row(args, rows)
    rank = 0
    for x in args:
        rank = max(rank, np.ndim(x))
    if rank > 0:
        return _of_elements(pyfunc, types, args)
    return _value_of(pyfunc, types, args)


def _rows_that_give(args, rows, kind):
    """The first signature with this result to which the operands can be cast, as by NumPy's `dtype=`."""
    found = ()
    for types in rows:
        isFirst = len(found) == 0 and types[-1] == kind
        for x, to in zip(args, types):
            given = np.asarray(x).dtype
            isFirst = isFirst and (np.result_type(given, to) == to or _rank(given.kind) <= _rank(np.asarray(0, dtype=to).dtype.kind))
        if isFirst:
            found = (types,)
    if len(found) == 0:
        raise TypeError("no signature of the ufunc has the result that `dtype=` says, and operands to which these can be cast")
    return found


def _numba_vectorize(pyfunc, rows, identity, *args, out=None, where=True, dtype=None):
    if len(rows) == 0:
        raise NotImplementedError("a ufunc that translated functions call has signatures: `@vectorize(['f8(f8)'])`")
    if dtype is not None:
        operands = args[: len(rows[0]) - 1]
        chosen = _rows_that_give(operands, rows, np.asarray(0, dtype=dtype).dtype)
        cast = ()
        for x, to in zip(operands, chosen[0]):
            cast = cast + (np.asarray(x, dtype=to)[()],)
        return _numba_vectorize(pyfunc, chosen, identity, *cast, *args[len(cast) :], out=out, where=where)
    if len(args) == len(rows[0]) and out is None:
        return _into_out(pyfunc, rows, args[:-1], args[-1], where)
    if len(args) != len(rows[0]) - 1:
        raise TypeError("the ufunc takes %d operands, and `out`" % (len(rows[0]) - 1))
    if out is not None:
        return _into_out(pyfunc, rows, args, out, where)
    if np.ndim(where) > 0 or not where:
        raise NotImplementedError("`where=` without `out=` leaves the other elements undefined; give them with `out=`")
    return _elements_of(pyfunc, rows, args)


def _into_out(pyfunc, rows, args, out, where):
    into = out[0] if _is_sequence(out) else out
    np.copyto(into, _elements_of(pyfunc, rows, args), where=where)
    return into


def _fold_types(rows, a):
    """Of the first signature that folds such arrays: one type for its operands and its result."""
    folds = ()
    for types in rows:
        if len(types) != 3:
            raise ValueError("only supported for binary functions")
        if types[0] == types[1] and types[1] == types[2]:
            folds = folds + (types,)
    if len(folds) == 0:
        raise TypeError("no signature of the ufunc has one type for its operands and its result")
    return _chosen_row((a, a), folds)


def _fold_row(pyfunc, kind, begin, row, total):
    if begin is None:
        value = row[0]
        for i in range(1, len(row)):
            value = kind(pyfunc(value, row[i]))
        total[0] = value
    else:
        value = kind(begin)
        for i in range(len(row)):
            value = kind(pyfunc(value, row[i]))
        total[0] = value


def _fold_row_where(pyfunc, kind, begin, row, mask, total):
    value = kind(begin)
    for i in range(len(row)):
        if mask[i]:
            value = kind(pyfunc(value, row[i]))
    total[0] = value


def _fold_spans(pyfunc, kind, at, row, made):
    for k in range(len(at)):
        end = at[k + 1] if k + 1 < len(at) else len(row)
        value = row[at[k]]
        for i in range(at[k] + 1, end):
            value = kind(pyfunc(value, row[i]))
        made[k] = value


def _scan_row(pyfunc, kind, row, made):
    if len(row) > 0:
        value = row[0]
        made[0] = value
        for i in range(1, len(row)):
            value = kind(pyfunc(value, row[i]))
            made[i] = value


def _folded_axis(pyfunc, kind, a, axis, begin, where=None):
    rows = np.moveaxis(a, axis, -1)
    if where is not None:
        if begin is None:
            raise ValueError("reduction operation does not have an identity, so to use a where mask one has to specify 'initial'")
        masked = np.empty(rows.shape[:-1] + (1,), kind)
        mask = np.moveaxis(np.broadcast_to(where, a.shape), axis, -1)
        _at_each_place(rows.shape[:-1], functools.partial(_fold_row_where, pyfunc, kind, begin), (rows, mask, masked))
        return masked[..., 0]
    if begin is None and rows.shape[-1] == 0:
        raise ValueError("zero-size array to reduction operation which has no identity")
    made = np.empty(rows.shape[:-1] + (1,), kind)
    _at_each_place(rows.shape[:-1], functools.partial(_fold_row, pyfunc, kind, begin), (rows, made))
    return made[..., 0]


def _numba_vectorize_reduce(pyfunc, rows, identity, array, axis=0, dtype=None, out=None, keepdims=False, initial=None, where=True):
    a = np.asarray(array) if dtype is None else np.asarray(array, dtype=dtype)
    if np.ndim(where) == 0 and not where:
        raise NotImplementedError("`where=` is an array here")
    kind = _fold_types(rows, a)[-1]
    a = np.asarray(a, dtype=kind)
    rank = max(a.ndim, 1)
    a = np.reshape(a, (1,)) if a.ndim == 0 else a
    axes = _axes(axis, rank)
    if len(axes) > 1 and identity is None:
        raise ValueError("reduction operation is not reorderable, so at most one axis may be specified")
    unit = None if identity == "reorderable" else identity
    left = a
    for d in range(rank):  # from the last axis to the first
        at = rank - 1 - d
        if at in axes:
            begin = initial if at == min(axes) and initial is not None else unit
            mask = where if np.ndim(where) > 0 and at == max(axes) else None
            folded = _folded_axis(pyfunc, kind, left, at, begin, mask)
            left = np.expand_dims(folded, at) if keepdims else folded
    if out is None:
        return left[()]
    into = out[0] if _is_sequence(out) else out
    np.copyto(into, left)
    return into


def _put_out(made, out):
    if out is None:
        return made
    into = out[0] if _is_sequence(out) else out
    np.copyto(into, made)
    return into


def _numba_vectorize_accumulate(pyfunc, rows, identity, array, axis=0, dtype=None, out=None):
    a = np.asarray(array) if dtype is None else np.asarray(array, dtype=dtype)
    if a.ndim == 0:
        raise TypeError("cannot accumulate on a scalar")
    kind = _fold_types(rows, a)[-1]
    turned = np.moveaxis(np.asarray(a, dtype=kind), axis, -1)
    made = np.empty(turned.shape, kind)
    _at_each_place(turned.shape[:-1], functools.partial(_scan_row, pyfunc, kind), (turned, made))
    return _put_out(np.moveaxis(made, -1, axis), out)


def _numba_vectorize_reduceat(pyfunc, rows, identity, array, indices, axis=0, dtype=None, out=None):
    a = np.asarray(array) if dtype is None else np.asarray(array, dtype=dtype)
    if a.ndim == 0:
        raise TypeError("cannot reduceat on a scalar")
    at = np.asarray(indices)
    kind = _fold_types(rows, a)[-1]
    turned = np.moveaxis(np.asarray(a, dtype=kind), axis, -1)
    for k in range(len(at)):
        if at[k] < 0 or at[k] >= turned.shape[-1]:
            raise IndexError("index %d out-of-bounds in reduceat [0, %d)" % (at[k], turned.shape[-1]))
    made = np.empty(turned.shape[:-1] + (len(at),), kind)
    _at_each_place(turned.shape[:-1], functools.partial(_fold_spans, pyfunc, kind, at), (turned, made))
    return _put_out(np.moveaxis(made, -1, axis), out)


def _numba_vectorize_get_nin(pyfunc, rows, identity):
    return len(rows[0]) - 1


def _numba_vectorize_get_nout(pyfunc, rows, identity):
    return 1


def _numba_vectorize_get_nargs(pyfunc, rows, identity):
    return len(rows[0])


def _numba_vectorize_get_ntypes(pyfunc, rows, identity):
    return len(rows)


def _characters(types):
    text = ""
    for t in types:
        for char, known in (("?", np.bool_), ("b", np.int8), ("h", np.int16), ("i", np.int32), ("l", np.int64), ("B", np.uint8), ("H", np.uint16), ("I", np.uint32), ("L", np.uint64), ("f", np.float32), ("d", np.float64), ("F", np.complex64), ("D", np.complex128)):
            if t == known:
                text = text + char
    return text


def _numba_vectorize_get_types(pyfunc, rows, identity):
    return [_characters(types[:-1]) + "->" + _characters(types[-1:]) for types in rows]


def _numba_vectorize_get_identity(pyfunc, rows, identity):
    return None if identity == "reorderable" else identity


def _numba_vectorize_outer(pyfunc, rows, identity, A, B, out=None):
    if len(rows[0]) != 3:
        raise ValueError("outer product only supported for binary functions")
    first = np.asarray(A)
    for d in range(np.ndim(B)):
        first = np.expand_dims(first, -1)
    if out is None:
        return _elements_of(pyfunc, rows, (first, B))
    return _into_out(pyfunc, rows, (first, B), out, True)


def _numba_vectorize_at(pyfunc, rows, identity, a, indices, b=None):
    """In the order of the indices, of which each sees what those before it have stored."""
    if len(rows[0]) != (2 if b is None else 3):
        raise ValueError("`at` of a ufunc of one or two operands takes an array, indices and, of two, a second operand")
    each = ()
    for one in indices if isinstance(indices, tuple) else (indices,):
        each = each + (np.asarray(one),)
    if len(each) == 1 and each[0].dtype == np.bool_:
        each = np.nonzero(each[0])
    places = np.broadcast_arrays(*each)
    shape = places[0].shape + a.shape[len(places):]
    flat = ()
    for one in places:
        flat = flat + (np.ravel(one),)
    if b is not None:
        values = np.reshape(np.broadcast_to(b, shape), (len(flat[0]),) + a.shape[len(places):])
    for k in range(len(flat[0])):
        at = _values_at(flat, k)
        if b is None:
            made = _elements_of(pyfunc, rows, (a[at],))
        else:
            made = _elements_of(pyfunc, rows, (a[at], values[k]))
        a[at] = made


def vectorize(pyfunc, rows=(), identity=None):
    if not _is_function(pyfunc):
        raise NotImplementedError("decorate the function with it: `@vectorize([...])` above its `def`")
    return functools.partial(_numba_vectorize, pyfunc, rows, identity)


def _known_extents(operands, axes, text):
    """Of the axes of a layout, by their numbers: inputs name them in this order."""
    extents = ()
    for k in range(len(operands)):
        outer = operands[k].ndim - len(axes[k])
        if outer < 0:
            raise ValueError("Input operand %d does not have enough dimensions (has %d, gufunc core with signature %s requires %d)" % (k, operands[k].ndim, text, len(axes[k])))
        for d in range(len(axes[k])):
            extent = operands[k].shape[outer + d]
            if axes[k][d] == len(extents):
                extents = extents + (extent,)
            elif extents[axes[k][d]] != extent:
                raise ValueError("Input operand %d has a mismatch in its core dimension %d, with gufunc signature %s (size %d is different from %d)" % (k, d, text, extent, extents[axes[k][d]]))
    return extents


def _numba_guvectorize(pyfunc, rows, vectors, layout, *args, out=None):
    """`vectors`: of a signature, which operands without axes in the layout are arrays of one element."""
    inputs, outputs, text = layout
    count = len(inputs)
    if len(args) < count or len(args) > count + len(outputs):
        raise TypeError("the ufunc takes %d operands, and outputs" % count)
    given = args[count:] if len(args) > count else out if _is_sequence(out) else (out,)
    types = _chosen_row(args[:count], rows)
    isVector = vectors[0]
    for row, ranks in zip(rows, vectors):
        if row == types:
            isVector = ranks
    operands = ()
    for x, to in zip(args[:count], types):
        operands = operands + (np.asarray(x, dtype=to),)
    extents = _known_extents(operands, inputs, text)
    loops = ()
    for x, axes in zip(operands, inputs):
        loops = loops + (x.shape[: x.ndim - len(axes)],)
    for x, axes in zip(given, outputs):
        if x is not None:
            loops = loops + (x.shape[: x.ndim - len(axes)],)
    loop = np.broadcast_shapes(*loops)
    passed = ()
    for k in range(count):
        core = operands[k].shape[operands[k].ndim - len(inputs[k]) :]
        full = np.broadcast_to(operands[k], loop + core)
        passed = passed + (np.expand_dims(full, -1) if isVector[k] else full,)
    made = ()
    for k in range(len(outputs)):
        shape = loop
        for axis in outputs[k]:
            shape = shape + (extents[axis],)
        kind = types[count + k]
        place = given[k] if len(given) > k else None
        if place is not None and place.shape != shape:
            raise ValueError("`out` has another shape than the result")
        if place is not None and place.dtype == kind and _are_apart(place, args[:count]):
            into = place
        elif place is not None:
            into = np.array(place, dtype=kind)
        else:
            into = np.empty(shape, kind)
        made = made + (into,)
        passed = passed + (np.expand_dims(into, -1) if len(outputs[k]) == 0 else into,)
    _at_each_place(loop, pyfunc, passed)
    results = ()
    for k in range(len(outputs)):
        place = given[k] if len(given) > k else None
        if place is None:
            results = results + (made[k][()],)
        else:
            if place.dtype != types[count + k] or not _are_apart(place, args[:count]):
                np.copyto(place, made[k])
            results = results + (place,)
    return results[0] if len(results) == 1 else results


def _numba_guvectorize_get_nin(pyfunc, rows, vectors, layout):
    return len(layout[0])


def _numba_guvectorize_get_nout(pyfunc, rows, vectors, layout):
    return len(layout[1])


def _numba_guvectorize_get_nargs(pyfunc, rows, vectors, layout):
    return len(layout[0]) + len(layout[1])


def _numba_guvectorize_get_ntypes(pyfunc, rows, vectors, layout):
    return len(rows)


def guvectorize(pyfunc, rows=(), vectors=(), layout=()):
    if not _is_function(pyfunc):
        raise NotImplementedError("decorate the function with it: `@guvectorize([...], '(n)->(n)')` above its `def`")
    return functools.partial(_numba_guvectorize, pyfunc, rows, vectors, layout)


def literal_unroll(container):
    return container


def get_num_threads():
    return 1


def set_num_threads(n):
    pass


def _around(x, is_relative, spans, place):
    """What a stencil sees of an array: its element 0 is the one at the place, and elements before count from -1, as from an end."""
    if not is_relative:
        return x
    if len(spans) == 1:
        lo, hi = spans[0]
        return np.roll(x[place[0] + lo : place[0] + hi + 1], lo)
    if len(spans) == 2:
        (lo, hi), (lo1, hi1) = spans
        part = x[place[0] + lo : place[0] + hi + 1, place[1] + lo1 : place[1] + hi1 + 1]
        return np.roll(np.roll(part, lo, axis=0), lo1, axis=1)
    if len(spans) == 3:
        (lo, hi), (lo1, hi1), (lo2, hi2) = spans
        part = x[place[0] + lo : place[0] + hi + 1, place[1] + lo1 : place[1] + hi1 + 1, place[2] + lo2 : place[2] + hi2 + 1]
        return np.roll(np.roll(np.roll(part, lo, axis=0), lo1, axis=1), lo2, axis=2)
    (lo, hi), (lo1, hi1), (lo2, hi2), (lo3, hi3) = spans
    part = x[place[0] + lo : place[0] + hi + 1, place[1] + lo1 : place[1] + hi1 + 1, place[2] + lo2 : place[2] + hi2 + 1,
             place[3] + lo3 : place[3] + hi3 + 1]
    return np.roll(np.roll(np.roll(np.roll(part, lo, axis=0), lo1, axis=1), lo2, axis=2), lo3, axis=3)


def _stencil_at(func, spans, relative, args, place):
    seen = ()
    for x, is_relative in zip(args, relative):
        seen = seen + (_around(x, is_relative, spans, place),)
    return func(*seen)


def _stencil_kind(func, spans, relative, args):
    """The type of what it makes of arrays that are as large as it sees."""
    shape = ()
    place = ()
    for lo, hi in spans:
        shape = shape + (hi - lo + 1,)
        place = place + (-lo,)
    parts = ()
    for x, is_relative in zip(args, relative):
        parts = parts + (np.zeros(shape, x.dtype) if is_relative else x,)
    return np.asarray(_stencil_at(func, spans, relative, parts, place)).dtype


def _numba_stencil(func, spans, relative, cval, *args, out=None):
    first = args[0]
    if len(spans) == 0 or len(spans) > 4:
        raise NotImplementedError("a stencil sees an array of one to four axes; write a loop")
    for x, is_relative in zip(args, relative):
        if is_relative:
            if x.ndim != len(spans):
                raise ValueError("the stencil's arrays have as many axes as its subscripts")
            for d in range(len(spans)):
                if x.shape[d] < first.shape[d]:
                    raise ValueError("Secondary stencil array does not have some dimension bigger or equal the first array.")
    if out is None:
        made = np.zeros(first.shape, _stencil_kind(func, spans, relative, args))
    else:
        made = out
    if cval is not None:
        made[...] = cval
    lo, hi = spans[0]
    if len(spans) == 1:
        for i in range(-lo, first.shape[0] - hi):
            made[i] = _stencil_at(func, spans, relative, args, (i,))
    elif len(spans) == 2:
        lo1, hi1 = spans[1]
        for i in range(-lo, first.shape[0] - hi):
            for j in range(-lo1, first.shape[1] - hi1):
                made[i, j] = _stencil_at(func, spans, relative, args, (i, j))
    elif len(spans) == 3:
        lo1, hi1 = spans[1]
        lo2, hi2 = spans[2]
        for i in range(-lo, first.shape[0] - hi):
            for j in range(-lo1, first.shape[1] - hi1):
                for k in range(-lo2, first.shape[2] - hi2):
                    made[i, j, k] = _stencil_at(func, spans, relative, args, (i, j, k))
    else:
        lo1, hi1 = spans[1]
        lo2, hi2 = spans[2]
        lo3, hi3 = spans[3]
        for i in range(-lo, first.shape[0] - hi):
            for j in range(-lo1, first.shape[1] - hi1):
                for k in range(-lo2, first.shape[2] - hi2):
                    for m in range(-lo3, first.shape[3] - hi3):
                        made[i, j, k, m] = _stencil_at(func, spans, relative, args, (i, j, k, m))
    return made


def stencil(func, spans=None, relative=(), cval=None):
    if spans is None:
        raise NotImplementedError("decorate the function with it: `@stencil` above its `def`")
    return functools.partial(_numba_stencil, func, spans, relative, cval)
