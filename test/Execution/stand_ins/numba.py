"""What the tests use of Numba's names, with which functions run as CPython has them: Numba is no part of the tests."""
import ast
import builtins
import inspect
import re
import sys
import textwrap
import types as _types

import cuda_random_stand_in
import cuda_stand_in as cuda
import numpy as np

sys.modules["numba.cuda"] = cuda
sys.modules["numba.cuda.random"] = cuda.random = cuda_random_stand_in


def jit(*given, **options):
    if given and callable(given[0]) and not isinstance(given[0], cuda.Type):
        return given[0]
    given = given[0] if given else options.get("signature_or_function", [])
    return lambda function: cuda.converting(function, given if isinstance(given, list) else [given])


def _types_of(given):
    """The types of the parameters and, where the signature says one, of the result."""
    text = given[:given.index("(")].strip() if isinstance(given, str) else ""
    result = [cuda.type_named(text).dtype] if text and text not in ("void", "none") else []
    if isinstance(given, cuda.Signature) and given.result.dtype is not None:
        result = [given.result.dtype]
    return [p.dtype for p in cuda.signature_of(given)] + result


def _rows(signatures):
    return [_types_of(s) for s in (signatures if isinstance(signatures, list) else [signatures])]


def _first(rows, operands):
    """By the first signature to which all operands can be cast safely, as NumPy's ufuncs do."""
    for types in rows:
        if all(np.result_type(o, t) == t for o, t in zip(operands, types)):
            return types
    raise TypeError("no signature")


def vectorize(signatures, identity=None, **options):
    return lambda function: _Ufunc(function, _rows(signatures), identity)


class _Ufunc:
    def __init__(self, function, rows, identity):
        self.function, self.rows, self.unit = function, rows, identity
        self.identity = None if identity == "reorderable" else identity
        self.nin, self.nout, self.nargs, self.ntypes = len(rows[0]) - 1, 1, len(rows[0]), len(rows)
        characters = ["".join(np.dtype(t).char for t in types) for types in rows]
        self.types = [all[:-1] + "->" + all[-1] for all in characters]

    def __call__(self, *operands, out=None, where=True, dtype=None):
        nin = len(self.rows[0]) - 1
        out = operands[nin] if len(operands) > nin else out
        if dtype is not None:
            fits = [t for t in self.rows if np.dtype(t[-1]) == np.dtype(dtype) and all(np.can_cast(np.asarray(o).dtype, k, "same_kind") for o, k in zip(operands, t))]
            if not fits:
                raise TypeError("no signature")
        types = fits[0] if dtype is not None else _first(self.rows, operands[:nin])
        full = np.broadcast_arrays(*(np.asarray(o, t) for o, t in zip(operands[:nin], types)))
        values = np.array([self.function(*(f[at] for f in full)) for at in np.ndindex(full[0].shape)], types[-1]).reshape(full[0].shape)
        if out is None:
            return values[()]
        np.copyto(out, values, where=where)
        return out

    def _fold(self, row, begin):
        """What is there after each step."""
        kind = _first([t for t in self.rows if len(set(t)) == 1], (row[:0], row[:0]))[-1]
        steps = [] if begin is None else [kind(begin)]
        for x in row.astype(kind):
            steps.append(kind(self.function(steps[-1], x)) if steps else x)
        if not steps:
            raise ValueError("zero-size array to reduction operation which has no identity")
        return np.array(steps, kind)

    def reduce(self, array, axis=0, dtype=None, out=None, keepdims=False, initial=None, where=True):
        left = np.atleast_1d(np.asarray(array, dtype))
        axes = range(left.ndim) if axis is None else axis if isinstance(axis, tuple) else (axis,)
        axes = sorted(a % left.ndim for a in axes)
        mask = np.broadcast_to(where, left.shape)
        if len(axes) > 1 and self.unit is None:
            raise ValueError("not reorderable")
        for a in axes[::-1]:
            begin = initial if a == axes[0] and initial is not None else self.identity
            if where is not True and begin is None:
                raise ValueError("to use a where mask one has to specify 'initial'")
            rows, kept = np.moveaxis(left, a, -1), np.moveaxis(mask, a, -1) if a == axes[-1] else None
            made = np.array([self._fold(rows[at] if kept is None else rows[at][kept[at]], begin)[-1] for at in np.ndindex(rows.shape[:-1])]).reshape(rows.shape[:-1])
            left = np.expand_dims(made, a) if keepdims else made
        if out is None:
            return left[()]
        np.copyto(out, left)
        return out

    def accumulate(self, array, axis=0, dtype=None, out=None):
        rows = np.moveaxis(np.asarray(array, dtype), axis, -1)
        made = [self._fold(rows[at], None) for at in np.ndindex(rows.shape[:-1])] if rows.shape[-1] else []
        back = np.moveaxis(np.array(made, made[0].dtype if made else rows.dtype).reshape(rows.shape), -1, axis)
        if out is None:
            return back
        np.copyto(out, back)
        return out

    def reduceat(self, array, indices, axis=0, dtype=None, out=None):
        rows = np.moveaxis(np.asarray(array, dtype), axis, -1)
        starts, n = list(indices), rows.shape[-1]
        if any(not 0 <= k < n for k in starts):
            raise IndexError("out-of-bounds in reduceat")
        ends = [e if e > s else s + 1 for s, e in zip(starts, starts[1:] + [n])]
        made = [[self._fold(rows[at][s:e], None)[-1] for s, e in zip(starts, ends)] for at in np.ndindex(rows.shape[:-1])]
        kind = _first([t for t in self.rows if len(set(t)) == 1], (rows, rows))[-1]
        back = np.moveaxis(np.array(made, kind).reshape(rows.shape[:-1] + (len(starts),)), -1, axis)
        if out is None:
            return back
        np.copyto(out, back)
        return out

    def outer(self, a, b, out=None):
        a = np.asarray(a)
        return self(a.reshape(a.shape + (1,) * np.ndim(b)), b, out=out)

    def at(self, a, indices, *b):
        places = np.arange(a.size).reshape(a.shape)[indices]
        values = [np.broadcast_to(x, places.shape).ravel() for x in b]
        for k, place in enumerate(places.ravel()):
            at = np.unravel_index(place, a.shape)
            np.copyto(a[at + (None,)], self(a[at], *(v[k] for v in values)))


def guvectorize(signatures, layout, **options):
    rows = _rows(signatures)
    inputs, outputs = ([part.strip("()") for part in side.replace(" ", "").split("),(")] for side in layout.split("->"))
    axes = [[name for name in part.split(",") if name] for part in inputs + outputs]

    def is_vector(given, k):
        text = re.split(r",(?![^\[]*\])", given[given.index("(") + 1:given.rindex(")")])[k] if isinstance(given, str) else None
        return "[" in text if text is not None else (given.params if isinstance(given, cuda.Signature) else given)[k].is_array

    def made(function):
        def called(*operands, out=None):
            nin = len(inputs)
            types = _first(rows, operands[:nin])
            given = (signatures if isinstance(signatures, list) else [signatures])[rows.index(types)]
            arrays = [np.asarray(o, t) for o, t in zip(operands[:nin], types)]
            outs = list(operands[nin:]) or list(out if isinstance(out, tuple) else [out])
            sizes = {}
            for x, names in zip(arrays, axes):
                for name, n in zip(names, x.shape[x.ndim - len(names):]):
                    if sizes.setdefault(name, n) != n:
                        raise ValueError("mismatch in its core dimension")
            loops = [x.shape[:x.ndim - len(names)] for x, names in zip(arrays + outs, axes) if x is not None]
            loop = np.broadcast_shapes(*loops)
            full = [np.broadcast_to(x, loop + x.shape[x.ndim - len(names):]) for x, names in zip(arrays, axes)]
            results = []
            for k, kind in enumerate(types[nin:]):
                o = outs[k] if k < len(outs) else None
                shape = loop + tuple(sizes[a] for a in axes[nin + k])
                results.append(np.empty(shape, kind) if o is None else np.array(o, kind))
            for at in np.ndindex(loop):
                parts = [x[at].reshape(1) if not names and is_vector(given, k) else x[at] for k, (x, names) in enumerate(zip(full, axes))]
                into = [r[at + (None,)] if not names else r[at] for r, names in zip(results, axes[nin:])]
                function(*parts, *into)
            for k, r in enumerate(results):
                if k < len(outs) and outs[k] is not None:
                    np.copyto(outs[k], r)
                    results[k] = outs[k]
                else:
                    results[k] = r[()]
            return results[0] if len(results) == 1 else tuple(results)

        return called

    return made


njit = jit
prange = builtins.range
void = none = cuda.Type()
boolean, float32, float64, int8, int16, int32, int64, uint8, uint16, uint32, uint64, complex64, complex128 = (
    cuda.Type(t) for t in (np.bool_, np.float32, np.float64, np.int8, np.int16, np.int32, np.int64, np.uint8, np.uint16, np.uint32, np.uint64,
                           np.complex64, np.complex128))
f4, f8, i4, i8, u4, u8 = float32, float64, int32, int64, uint32, uint64
types = _types.SimpleNamespace(unicode_type=None, void=void, float64=float64, int64=int64, float32=float32, int32=int32, Array=lambda *_: float64)


def stand_in(path, **names):
    sys.modules[path] = _types.SimpleNamespace(**names)
    return sys.modules[path]


class _List(list):
    empty_list = classmethod(lambda cls, item_type, allocated=0: cls())


class _Dict(dict):
    empty = classmethod(lambda cls, key_type, value_type, n_keys=0: cls())


typed = stand_in("numba.typed", List=_List, Dict=_Dict)
experimental = stand_in("numba.experimental", jitclass=lambda given=None, **_: given if isinstance(given, type) else lambda cls: cls)
literal_unroll = tuple
get_num_threads, get_thread_id, set_num_threads = (lambda: 1), (lambda: 0), (lambda n: None)


class _Around:
    """An array whose subscripts count from a place."""

    def __init__(self, array, place):
        self.array, self.place = array, place

    def __getitem__(self, offsets):
        offsets = offsets if isinstance(offsets, tuple) else (offsets,)
        return self.array[tuple(p + o for p, o in zip(self.place, offsets))]


def _reaches(function, plain):
    tree = ast.parse(textwrap.dedent(inspect.getsource(function))).body[0]
    names = [p.arg for p in tree.args.args if p.arg not in plain]
    found = []
    for node in ast.walk(tree):
        if isinstance(node, ast.Subscript) and isinstance(node.value, ast.Name) and node.value.id in names:
            found.append(tuple(np.atleast_1d(ast.literal_eval(node.slice))))
    return [(min(0, *at), max(0, *at)) for at in zip(*found)]


def stencil(given=None, neighborhood=None, cval=None, standard_indexing=()):
    def made(function):
        reaches = list(neighborhood or _reaches(function, standard_indexing))
        names = list(inspect.signature(function).parameters)

        def called(*args, out=None):
            def at(place):
                return function(*(_Around(x, place) if np.ndim(x) and name not in standard_indexing else x for x, name in zip(args, names)))

            shape = args[0].shape
            places = list(np.ndindex(*(max(0, n - hi + lo) for n, (lo, hi) in zip(shape, reaches))))
            values = [at(tuple(p - lo for p, (lo, _) in zip(place, reaches))) for place in places]
            small = [np.zeros([hi - lo + 1 for lo, hi in reaches], x.dtype) if np.ndim(x) and name not in standard_indexing else x for x, name in zip(args, names)]
            kind = np.asarray(function(*(_Around(x, [-lo for lo, _ in reaches]) if np.ndim(x) and name not in standard_indexing else x
                                         for x, name in zip(small, names)))).dtype
            if out is None:
                out = np.zeros(shape, kind)
            if cval is not None:
                out[...] = cval
            for place, value in zip(places, values):
                out[tuple(p - lo for p, (lo, _) in zip(place, reaches))] = value
            return out

        return called

    return made(given) if callable(given) else made
