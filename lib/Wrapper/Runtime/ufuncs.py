# Support of the wrappers of files with ufuncs. See common.py.


class _Span:
    """The memory from the first to the last element of an array, as a vector."""

    def __init__(self, owner, address, dtype, count, attribute, writeable):
        self.owner = owner
        interface = {"version": 3, "data": (address, not writeable), "typestr": dtype.str, "shape": (count,)}
        setattr(self, attribute, interface)


class _HostArrays:
    """What a ufunc has to know of arrays in host memory."""

    in_pieces = True  # a worker's, of long rows

    @staticmethod
    def find(arrays):
        return _HostArrays()

    @staticmethod
    def layouts(operands):
        """By which a call is known, and the addresses of its operands; nothing where they have to be looked at."""
        return None

    def keywords(self):
        return {}

    def view(self, x):
        """`x` as a NumPy array, of which only the layout may be used."""
        return _as_numpy(x, "out") if hasattr(x, "__dlpack_device__") else _np.asarray(x)

    def convert(self, x, dtype):
        return self.view(x).astype(dtype)

    def copy(self, x):
        return self.view(x).copy()

    def empty(self, shape, dtype):
        return _np.empty(shape, dtype)

    def assign(self, x, value):
        self.view(x)[...] = value

    def vector(self, owner, address, view, count):
        return _np.asarray(_Span(owner, address, view.dtype, count, "__array_interface__", view.flags.writeable))


class _DeviceArrays(_HostArrays):
    """Of arrays of which some are on the device."""

    in_pieces = False

    @staticmethod
    def find(arrays):
        kind, like = _caller(*arrays)
        made = _HostArrays() if like is None else _DeviceArrays(kind, like)
        made.in_pieces = _DeviceArrays.in_pieces
        return made

    @staticmethod
    def layouts(operands):
        key, addresses, kind = [], [], None
        for x in operands:
            own = type(x)
            if own is float or own is int:
                key += own, x if x > 0 or x < 0 else repr(x)  # zeros of both signs are equal, and no nan is
                addresses.append(None)
                continue
            found = _KINDS.get(own)
            if kind is not found:
                if kind is not None:
                    return None
                kind = found
            if kind is _CuPy:
                key += x.dtype, x.shape, x.strides
                addresses.append(x.data.ptr)
            elif kind is _Torch and not x.is_conj() and not x.is_neg():
                key += x.dtype, x.shape, x.stride()
                addresses.append(x.data_ptr())
            else:
                return None
        return None if kind is None else (tuple(key), addresses, kind)

    def __init__(self, kind, like):
        self.kind, self.like = kind, like

    def keywords(self):
        return {"stream": self.kind.stream(self.like)}

    def plan(self, *given):
        return _Plan(*given)

    def is_host(self, x):
        return (_KINDS.get(type(x)) or _kind_of(x)) is _NumPy

    def view(self, x):
        return _HostArrays.view(self, x) if self.is_host(x) else (_KINDS.get(type(x)) or _kind_of(x)).place(x)

    def convert(self, x, dtype):
        if self.is_host(x):
            return _HostArrays.convert(self, x, dtype)
        if hasattr(x, "astype"):
            return x.astype(dtype)
        if hasattr(x, "to") and hasattr(x, "data_ptr"):
            return x.to(getattr(_sys.modules["torch"], dtype.name))
        raise TypeError(f"an array of {self.view(x).dtype} on the device cannot be converted: pass one of {dtype}")

    def copy(self, x):
        return x.clone() if hasattr(x, "data_ptr") else x.copy()

    def empty(self, shape, dtype):
        return self.kind.empty(shape, dtype, self.like, self.kind.stream(self.like))

    def assign(self, x, value):
        x[...] = value

    def vector(self, owner, address, view, count):
        if self.is_host(owner):
            return _HostArrays.vector(self, owner, address, view, count)
        return _Span(owner, address, view.dtype, count, "__cuda_array_interface__", True)


def _shared(a, b):
    """Whether two layouts may have memory in common."""
    return a.size > 0 and b.size > 0 and _np.may_share_memory(a, b)


def _bounds(view):
    """Where the elements begin, from the first one on, and where the last one begins, in bytes."""
    low, high = 0, 0
    for count, step in zip(view.shape, view.strides):
        low, high = low + _min(0, step * (count - 1)), high + _max(0, step * (count - 1))
    return low, high


def _flat(arrays, owner, view):
    """The operand of an entry: its vector, and the offset of its first element."""
    if not view.size:
        return None, 0
    address, (low, high) = view.__array_interface__["data"][0], _bounds(view)
    size = view.itemsize
    return arrays.vector(owner, address + low, view, (high - low) // size + 1), -low // size


def _regular(arrays, x, view):
    """An array and its layout, whose steps are whole elements."""
    if view.flags.aligned and all(step % view.itemsize == 0 for step in view.strides):
        return x, view
    x = arrays.copy(x)
    return x, arrays.view(x)


def _collapsed(shape, steps, limit):
    """Fewer axes with the same elements: the outermost extents, then `limit` of them, and the steps of each operand."""
    axes = [(n, tuple(s[d] for s in steps)) for d, n in enumerate(shape) if n != 1]
    axes.sort(key=lambda axis: tuple(-abs(s) for s in axis[1][::-1]))
    joined = []
    for n, along in axes:
        if joined and all(outer == inner * n for outer, inner in zip(joined[-1][1], along)):
            joined[-1] = (joined[-1][0] * n, along)
        else:
            joined.append((n, along))
    while len(joined) < limit:
        joined.insert(0, (1, tuple(0 for _ in steps)))
    return joined[:-limit], joined[-limit:]


def _steps(view, shape):
    """The steps along the axes of a broadcast shape, in elements."""
    added = (0,) * (len(shape) - view.ndim)
    return added + tuple(0 if n == 1 else s // view.itemsize for n, s in zip(view.shape, view.strides))


def _counts(axes, in_pieces):
    """What an entry gets of three axes: their extents, and the pieces of a row, or 0."""
    n0, n1, n2 = (n for n, _ in axes)
    return n0, n1, n2, -(-n2 // 4096) if in_pieces else 0


def _each(outer):
    """The offsets of each operand at every point of the outermost axes."""
    for point in _np.ndindex(*(n for n, _ in outer)):
        yield [sum(i * s for i, s in zip(point, along)) for along in zip(*(steps for _, steps in outer))]


def _fits(x, dtype, weak):
    """Whether an operand may be converted to the type, as NumPy's ufuncs ask it."""
    if weak and type(x) in (int, float, complex):
        return dtype.kind in {int: "iufc", float: "fc", complex: "c"}[type(x)]
    return _np.can_cast(_dtype_of(x), dtype)


def _dtype_of(x):
    if type(x) in (bool, int, float, complex):
        return _np.dtype(type(x))
    return x.dtype if hasattr(x.dtype, "kind") else _np.dtype(str(x.dtype).rpartition(".")[2])  # "torch.float32"


def _row_of(name, rows, operands, wanted=None):
    """The first signature to which the operands may be converted safely; or that whose result is `wanted`, as NumPy's `dtype=`."""
    if wanted is not None:
        for row in rows:
            if row[1][0] == wanted and all(_np.can_cast(_dtype_of(x), dtype, "same_kind") for x, dtype in zip(operands, row[0])):
                return row
        raise TypeError(f"ufunc '{name}' has no signature whose result is {wanted} and to which its operands can be cast")
    ranks = {"b": 0, "u": 1, "i": 1, "f": 2, "c": 3}
    kinds = [(type(x) not in (bool, int, float, complex), ranks.get(_dtype_of(x).kind, 4)) for x in operands]
    arrays, scalars = [k for is_array, k in kinds if is_array], [k for is_array, k in kinds if not is_array]
    weak = arrays and scalars and _max(arrays) >= _max(scalars)
    for row in rows:
        if all(_fits(x, dtype, weak) for x, dtype in zip(operands, row[0])):
            return row
    given = ", ".join(str(_dtype_of(x)) for x in operands)
    known = ", ".join(" ".join(str(dtype) for dtype in row[0]) for row in rows)
    raise TypeError(f"ufunc '{name}' has no signature to which ({given}) can be cast safely; it has: {known}")


def _operand(arrays, x, dtype):
    """An operand in the type that a signature has, and its layout."""
    if type(x) in (bool, int, float, complex):
        x = _np.asarray(x, dtype) if x == x else _np.asarray(x).astype(dtype)
    view = arrays.view(x)
    if view.dtype != dtype:
        x = arrays.convert(x, dtype)
        view = arrays.view(x)
    return _regular(arrays, x, view)


def _given(x):
    """An argument, if it is an array or a number."""
    if type(x) in (bool, int, float, complex) or hasattr(x, "__cuda_array_interface__"):
        return x
    return x if hasattr(x, "__dlpack_device__") or hasattr(x, "data_ptr") else _np.asarray(x)


def _axis_of(axis, ndim):
    if not -ndim <= axis < ndim:
        raise _np.exceptions.AxisError(axis, ndim)
    return axis % ndim


class _UfuncBase:
    def __init__(self, name, rows, memory, module):
        self.__name__ = self.__qualname__ = name
        self.__module__ = module
        self._rows = [(tuple(map(_np.dtype, row[0])), tuple(map(_np.dtype, row[1])), *row[2:]) for row in rows]
        self._arrays = memory
        self.nin, self.nout, self.ntypes = len(rows[0][0]), len(rows[0][1]), len(rows)
        self.nargs = self.nin + self.nout
        self.types = ["".join(t.char for t in r[0]) + "->" + "".join(t.char for t in r[1]) for r in self._rows]
        self.signature = self.identity = None

    def __repr__(self):
        return f"<ufunc '{self.__name__}'>"

    def _split(self, args, out):
        """Inputs, and outputs where they are given."""
        outs = args[self.nin:] if len(args) > self.nin else out if isinstance(out, tuple) else (out,)
        if not self.nin <= len(args) <= self.nargs or len(args) > self.nin and out is not None:
            raise TypeError(f"{self.__name__}() takes {self.nin} operands and outputs, but {len(args)} were given")
        if len(outs) != self.nout and outs != (None,):
            raise ValueError(f"`out` of {self.__name__}() is a tuple of {self.nout}")
        return [_given(x) for x in args[:self.nin]], list(outs) if len(outs) == self.nout else [None] * self.nout

    def _result(self, arrays, out, shape, dtype):
        """The array that is computed into, and its layout: `out` itself where it can be."""
        if out is None:
            made = arrays.empty(shape, dtype)
            return made, arrays.view(made)
        view = arrays.view(out)
        if view.shape != shape:
            raise ValueError(f"`out` has the shape {view.shape}, the result {shape}")
        if not view.flags.writeable:
            raise ValueError("output array is read-only")
        if not _np.can_cast(dtype, view.dtype, "same_kind"):
            text = f"Cannot cast ufunc '{self.__name__}' output from {dtype} to {view.dtype} with casting rule 'same_kind'"
            raise TypeError(text)
        if view.dtype == dtype and _regular(arrays, out, view)[0] is out and not _overlaps_itself(view):
            return out, view
        made = arrays.empty(shape, dtype)
        return made, arrays.view(made)

    def _refuse(self, options):
        """Options of NumPy's ufuncs: their defaults say what is done anyway."""
        defaults = {"casting": "same_kind", "order": "K", "subok": True, "signature": None, "axes": None, "axis": None, "keepdims": False}
        for name, value in options.items():
            if name not in defaults:
                raise TypeError(f"{self.__name__}() got an unexpected keyword argument '{name}'")
            if value != defaults[name]:
                raise NotImplementedError(f"`{name}=` of `{self.__name__}` is not made: convert or arrange the operands before")

    def _hand(self, arrays, out, made):
        """What the call returns."""
        if out is None:
            return made[()] if isinstance(made, _np.ndarray) and made.ndim == 0 else made
        if made is not out:
            arrays.assign(out, made)
        return out

    def _apart(self, arrays, inputs, views):
        """Inputs that share no memory with what is written."""
        for k, (x, view) in enumerate(inputs):
            if any(_shared(view, written) for written in views):
                x = arrays.copy(x)
                inputs[k] = x, arrays.view(x)


class _Ufunc(_UfuncBase):
    """A function of numbers that is called with arrays, as NumPy's ufuncs are."""

    def __init__(self, name, rows, memory, module, doc, identity):
        _UfuncBase.__init__(self, name, rows, memory, module)
        self.identity, self._reorderable = (None, True) if identity == "reorderable" else (identity, identity is not None)
        self.__doc__, self._plans, self._again = doc, {}, None

    def _where(self, inputs, out, where, dtype):
        """Of the elements at which the mask holds: the function is called for no others."""
        where = _given(where)
        if not all(isinstance(x, (_np.ndarray, _np.generic, int, float, complex)) for x in (*inputs, where)):
            raise NotImplementedError("`where=` takes NumPy arrays; on the device call the function with the elements that are meant")
        where = _np.asarray(where)
        if where.dtype != bool:
            raise TypeError(f"Cannot cast array data from dtype('{where.dtype}') to dtype('bool') according to the rule 'safe'")
        shape = _np.broadcast_shapes(*map(_np.shape, inputs), where.shape) if out is None else _np.shape(out)
        where = _np.broadcast_to(where, shape)
        chosen = [x if type(x) in (bool, int, float, complex) else _np.broadcast_to(x, shape)[where] for x in inputs]
        row = _row_of(self.__name__, self._rows, inputs, dtype)
        made = self(*[_np.asarray(x).astype(t) for x, t in zip(chosen, row[0])])
        if out is None:
            out = _np.empty(shape, made.dtype)
        elif not _np.can_cast(made.dtype, out.dtype, "same_kind"):
            raise TypeError(f"Cannot cast ufunc '{self.__name__}' output from {made.dtype} to {out.dtype} with casting rule 'same_kind'")
        out[where] = made
        return out if shape else out[()]

    def __call__(self, *args, out=None, where=True, dtype=None, **options):
        if options:
            self._refuse(options)
        plain = where is True and dtype is None
        if plain and self._again is not None and len(args) == self.nin and self._again(*args, out):
            return out
        known = self._arrays.layouts((*args, out)) if out is not None and plain else None
        if known:
            key, addresses, kind = known
            plan = self._plans.get(key)
            if plan and plan.run(addresses, kind.stream(out)):
                self._again = plan.again
                return out
        inputs, (out,) = self._split(args, out)
        dtype = None if dtype is None else _np.dtype(dtype)
        if where is not True:
            return self._where(inputs, out, where, dtype)
        arrays = self._arrays.find([x for x in (*inputs, out) if x is not None and not isinstance(x, (int, float, complex))])
        ins, outs, entry, _ = _row_of(self.__name__, self._rows, inputs, dtype)
        operands = [_operand(arrays, x, kind) for x, kind in zip(inputs, ins)]
        shapes = [view.shape for _, view in operands]
        shape = _np.broadcast_shapes(*shapes) if out is None else _np.broadcast_shapes(*shapes, arrays.view(out).shape)
        made, into = self._result(arrays, out, shape, outs[0])
        self._apart(arrays, operands, [into])
        if into.size:
            self._run(arrays, entry, shape, [*operands, (made, into)])
            if known and made is out and all(x is given or known[1][k] is None for k, ((x, _), given) in enumerate(zip(operands, args))):
                self._keep(arrays, known[0], entry, shape, [*operands, (made, into)], (*args, out))
        return self._hand(arrays, out, made)

    def _keep(self, arrays, key, entry, shape, operands, given):
        outer, axes = _collapsed(shape, [_steps(view, shape) for _, view in operands], 3)
        c = entry.__globals__.get("_c")
        function = getattr(c, entry.__name__ + "_packed", None)
        if outer or function is None:
            return
        if len(self._plans) >= 64:
            self._plans.clear()
        steps = [[along[k] % 2**64 for _, along in axes] for k in range(len(operands))]
        plan = arrays.plan(c, function, _counts(axes, arrays.in_pieces), list(zip(steps, operands)))
        plan.write_out(given)
        self._plans[key] = plan

    def _run(self, arrays, entry, shape, operands):
        outer, axes = _collapsed(shape, [_steps(view, shape) for _, view in operands], 3)
        flat = [_flat(arrays, x, view) for x, view in operands]
        for offsets in _each(outer) if outer else [[0] * len(flat)]:
            passed = []
            for k, (vector, at) in enumerate(flat):
                steps = [along[k] % 2**64 for _, along in axes]
                passed += [vector, at + offsets[k], *steps]
            entry(*_counts(axes, arrays.in_pieces), *passed, **arrays.keywords())

    def _fold(self, array, what):
        """Arrays, the operand and the function of the signature that folds such an array."""
        if self.nin != 2:
            raise ValueError(f"{what} only supported for binary functions")
        array = _given(array)
        rows = [row for row in self._rows if row[3] is not None]
        if not rows:
            raise TypeError(f"no signature of '{self.__name__}' has one type for its operands and its result")
        row = _row_of(self.__name__, rows, [array, array])
        arrays = self._arrays.find([] if isinstance(array, (int, float, complex)) else [array])
        return arrays, _operand(arrays, array, row[0][0]), row[0][0], row[3]

    def _scan(self, arrays, fold, begin, x, into):
        """Folds the last axis of the layouts, each a pair with what owns the memory."""
        shape, n2 = x[1].shape[:-1], x[1].shape[-1]
        if not into[1].size or not n2:
            return
        last = [0] + [view.strides[-1] // view.itemsize for _, view in (x, into)]
        operands = [begin, (x[0], x[1][..., 0]), (into[0], into[1][..., 0])]
        outer, axes = _collapsed(shape, [_steps(view, shape) for _, view in operands], 2)
        flat = [_flat(arrays, *begin), _flat(arrays, *x), _flat(arrays, *into)]
        for offsets in _each(outer) if outer else [[0] * 3]:
            passed = []
            for k, (vector, at) in enumerate(flat):
                passed += [vector, at + offsets[k], *(along[k] % 2**64 for _, along in axes)]
                if k > 0:
                    passed.append(last[k] % 2**64)
            fold(axes[0][0] * axes[1][0], axes[1][0], n2, *passed, **arrays.keywords())

    def _chosen(self, array, axis, keepdims, initial, where):
        """The fold of the elements at which the mask holds."""
        x = _np.asarray(array)
        where = _np.broadcast_to(where, x.shape)
        if initial is None and self.identity is None:
            text = f"reduction operation '{self.__name__}' does not have an identity, so to use a where mask one has to specify 'initial'"
            raise ValueError(text)
        if self.identity is not None:
            return self.reduce(_np.where(where, x, x.dtype.type(self.identity)), axis, keepdims=keepdims, initial=initial)
        if isinstance(axis, tuple) and len(axis) != 1 or axis is None and x.ndim > 1:
            raise NotImplementedError("`reduce` with `where=` folds one axis, where there is no `identity=`")
        axis = _axis_of(axis[0] if isinstance(axis, tuple) else axis or 0, x.ndim)
        rows, masks = _np.moveaxis(x, axis, -1), _np.moveaxis(where, axis, -1)
        made = _np.empty(rows.shape[:-1], x.dtype)
        for point in _np.ndindex(made.shape):
            made[point] = self.reduce(rows[point][masks[point]], initial=initial)
        return _np.expand_dims(made, axis) if keepdims else made[()]

    def reduce(self, array, axis=0, dtype=None, out=None, keepdims=False, initial=None, where=True):
        if dtype is not None:
            array = _given(array).astype(dtype)
        if where is not True:
            made = self._chosen(array, axis, keepdims, initial, where)
            if out is None:
                return made
            out = out[0] if isinstance(out, tuple) else out
            out[...] = made
            return out
        arrays, (x, view), dtype, fold = self._fold(array, "reduce")
        if not view.ndim and axis in (None, 0, -1, ()):
            return self.reduce(_reshaped(x, (1,)), out=out, initial=initial)
        folded = range(view.ndim) if axis is None else axis if isinstance(axis, tuple) else (axis,)
        folded = sorted({_axis_of(a, view.ndim) for a in folded})
        if len(folded) > 1 and not self._reorderable:
            text = f"reduction operation '{self.__name__}' is not reorderable, so at most one axis may be specified"
            raise ValueError(text)
        if not folded:
            raise NotImplementedError("`reduce` folds one axis or more")
        for a in folded[:0:-1]:
            x = self.reduce(x, a, keepdims=keepdims)
        if len(folded) > 1:
            return self.reduce(x, folded[0], out=out, keepdims=keepdims, initial=initial)
        axis, out = folded[0], out[0] if isinstance(out, tuple) else out
        shape = view.shape[:axis] + view.shape[axis + 1:]
        made, into = self._result(arrays, out, shape[:axis] + (1,) + shape[axis:] if keepdims else shape, dtype)
        held = [(x, view)]
        self._apart(arrays, held, [into])
        x, view = held[0]
        moved, begin = _np.moveaxis(view, axis, -1), self.identity if initial is None else initial
        if begin is not None:
            start, first = (_np.asarray(begin, dtype),) * 2, begin
        elif moved.shape[-1]:
            start, moved = (x, moved[..., 0]), moved[..., 1:]
            first = x[(slice(None),) * axis + (slice(0, 1) if keepdims else 0,)]
        elif into.size:
            raise ValueError(f"zero-size array to reduction operation {self.__name__} which has no identity")
        if into.size and moved.shape[-1]:
            steps = into.reshape(shape).strides + (0,)
            target = _np.lib.stride_tricks.as_strided(into, moved.shape, steps)
            self._scan(arrays, fold, start, (x, moved), (made, target))
        elif into.size:
            made[...] = first
        return self._hand(arrays, out, made)

    def accumulate(self, array, axis=0, dtype=None, out=None):
        if dtype is not None:
            array = _given(array).astype(dtype)
        arrays, (x, view), dtype, fold = self._fold(array, "accumulate")
        if not view.ndim:
            raise TypeError("cannot accumulate on a scalar")
        axis, out = _axis_of(axis, view.ndim), out[0] if isinstance(out, tuple) else out
        made, into = self._result(arrays, out, view.shape, dtype)
        held = [(x, view)]
        self._apart(arrays, held, [into])
        x, view = held[0]
        moved, target = _np.moveaxis(view, axis, -1), _np.moveaxis(into, axis, -1)
        if target.size:
            first = (slice(None),) * axis + (0,)
            made[first] = x[first]
            self._scan(arrays, fold, (x, moved[..., 0]), (x, moved[..., 1:]), (made, target[..., 1:]))
        return self._hand(arrays, out, made)

    def outer(self, A, B, *, out=None):
        if self.nin != 2:
            raise ValueError("outer product only supported for binary functions")
        A, B = _np.asarray(A) if isinstance(A, (list, tuple)) else A, _given(B)
        if getattr(A, "ndim", 0) and getattr(B, "ndim", 0):
            A = A.reshape(tuple(A.shape) + (1,) * B.ndim)
        return self(A, B, out=out)

    def at(self, a, indices, b=None):
        """In rounds: in each, every place is met at most once, and each in the order of the indices."""
        if not isinstance(a, _np.ndarray):
            raise TypeError("first operand must be a NumPy array")
        if (b is None) != (self.nin == 1) or self.nin > 2:
            raise ValueError("second operand needed for ufunc" if self.nin == 2 else "only unary and binary ufuncs have `at`")
        places = _np.arange(a.size).reshape(a.shape)[indices]
        values = None if b is None else _np.broadcast_to(b, places.shape).ravel()
        places = places.ravel()
        order = _np.argsort(places, kind="stable")
        first = _np.r_[True, _np.diff(places[order]) != 0] if order.size else _np.zeros(0, bool)
        starts = _np.maximum.accumulate(_np.where(first, _np.arange(order.size), 0)) if order.size else order
        rounds = _np.empty(order.size, int)
        rounds[order] = _np.arange(order.size) - starts
        for r in range(int(rounds.max()) + 1 if order.size else 0):
            now = rounds == r
            where = _np.unravel_index(places[now], a.shape)
            made = self(a[where]) if b is None else self(a[where], values[now])
            if not _np.can_cast(made.dtype, a.dtype, "same_kind"):
                raise TypeError(f"Cannot cast ufunc '{self.__name__}' output from {made.dtype} to {a.dtype}")
            a[where] = made

    def reduceat(self, array, indices, axis=0, dtype=None, out=None):
        """The fold from each index up to the next one; where that is not above it, the one element."""
        array, out = _given(array), out[0] if isinstance(out, tuple) else out
        if dtype is not None:
            array = array.astype(dtype)
        arrays, (x, view), dtype, _ = self._fold(array, "reduceat")
        if not view.ndim:
            raise TypeError("cannot reduceat on a scalar")
        axis, places = _axis_of(axis, view.ndim), [int(i) for i in indices]
        count, front = view.shape[axis], (slice(None),) * axis
        for place in places:
            if not 0 <= place < count:
                raise IndexError(f"index {place} out-of-bounds in {self.__name__}.reduceat [0, {count})")
        made, into = self._result(arrays, out, view.shape[:axis] + (len(places),) + view.shape[axis + 1:], dtype)
        held = [(x, view)]
        self._apart(arrays, held, [into])
        x = held[0][0]
        for k, (start, end) in enumerate(zip(places, [*places[1:], count])):
            piece = self.reduce(x[front + (slice(start, end),)], axis) if start < end else x[front + (start,)]
            made[front + (k,)] = piece
        return self._hand(arrays, out, made)
