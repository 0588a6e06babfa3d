# Support of the wrappers of files with generalised ufuncs. See common.py.


class _Gufunc(_UfuncBase):
    """A function of small arrays that is called with arrays of them, as NumPy's generalised ufuncs are."""

    def __init__(self, name, rows, memory, module, doc, layout, inputs, outputs):
        _UfuncBase.__init__(self, name, rows, memory, module)
        self.signature, self._inputs, self._outputs, self.__doc__ = layout, inputs, outputs, doc

    def _along(self, axis, args, out):
        """NumPy's `axis=`: where the one axis is that the operands' small arrays have."""
        cores = [*self._inputs, *self._outputs]
        names = {name for axes in cores for name in axes}
        if any(len(axes) > 1 for axes in cores) or len(names) != 1:
            text = f"{self.__name__}: axis can only be used with a single shared core dimension, not with the {len(names)} distinct ones "
            raise TypeError(text + f"implied by signature {self.signature}.")
        inputs, given = self._split(args, out)
        inputs = [_moved(x, axis, -1) if axes else x for x, axes in zip(inputs, self._inputs)]
        into = tuple(_moved(x, axis, -1) if axes and x is not None else x for x, axes in zip(given, self._outputs))
        made = self(*inputs, out=None if all(x is None for x in into) else into)
        made = (made,) if self.nout == 1 else made
        made = [x if x is not None else _moved(m, -1, axis) if axes else m for x, m, axes in zip(given, made, self._outputs)]
        return made[0] if self.nout == 1 else tuple(made)

    def __call__(self, *args, out=None, axis=None, **options):
        if options:
            self._refuse(options)
        if axis is not None:
            return self._along(axis, args, out)
        inputs, given = self._split(args, out)
        used = [x for x in (*inputs, *given) if x is not None and not isinstance(x, (int, float, complex))]
        arrays = self._arrays.find(used)
        ins, outs, entry, vectors = _row_of(self.__name__, self._rows, inputs)
        operands = [_operand(arrays, x, dtype) for x, dtype in zip(inputs, ins)]
        extents, loops = {}, []
        for k, ((_, view), axes) in enumerate(zip(operands, self._inputs)):
            if view.ndim < len(axes):
                text = f"{self.__name__}: Input operand {k} does not have enough dimensions (has {view.ndim}, "
                raise ValueError(text + f"gufunc core with signature {self.signature} requires {len(axes)})")
            split = view.ndim - len(axes)
            loops.append(view.shape[:split])
            for axis, n in zip(axes, view.shape[split:]):
                if extents.setdefault(axis, n) != n:
                    text = f"{self.__name__}: Input operand {k} has a mismatch in its core dimension `{axis}`, "
                    raise ValueError(text + f"with gufunc signature {self.signature} (size {n} is different from "
                                     f"{extents[axis]})")
        loop = _np.broadcast_shapes(*loops)
        made = [self._result(arrays, o, loop + tuple(extents[a] for a in axes), dtype)
                for o, axes, dtype in zip(given, self._outputs, outs)]
        self._apart(arrays, operands, [view for _, view in made])
        count = int(_np.prod(loop, dtype=int))
        passed, copies = [], []
        for (x, view), axes, part, is_vector in zip(operands, self._inputs, loops, vectors):
            core = view.shape[len(part):] or ((1,) if is_vector else ())
            single = all(n == 1 for n in part)
            if not single and part != loop:
                if type(arrays) is not _HostArrays:
                    raise ValueError("on the device, all operands have the loop's dimensions or none: pass copies")
                x = _np.broadcast_to(view, loop + view.shape[len(part):])
            passed += [_reshaped(x, (1 if single else count, *core)), 0 if single else 1]
        for (x, view), axes in zip(made, self._outputs):
            core = view.shape[len(loop):] or (1,)
            flat = x.reshape((count, *core)) if view.flags.c_contiguous else arrays.empty((count, *core), view.dtype)
            copies.append((x, flat, view.flags.c_contiguous))
            passed.append(flat)
        if count:
            entry(count, *passed, **arrays.keywords())
        for x, flat, is_same in copies:
            if not is_same:
                arrays.assign(x, flat.reshape(tuple(x.shape)))
        results = tuple(self._hand(arrays, o, x) for o, (x, _) in zip(given, made))
        return results[0] if self.nout == 1 else results


def _reshaped(x, shape):
    return _np.ascontiguousarray(x).reshape(shape) if isinstance(x, _np.ndarray) else x.reshape(shape)


def _moved(x, begin, end):
    """The array with one axis somewhere else."""
    begin, end = _axis_of(begin, x.ndim), _axis_of(end, x.ndim)
    order = [axis for axis in range(x.ndim) if axis != begin]
    order.insert(end, begin)
    return x.permute(order) if hasattr(x, "permute") else x.transpose(order)
