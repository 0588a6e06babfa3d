# Support of the wrappers of libraries that work in host memory. See common.py.


def _host_array(x, name, dtype, rank, written, copies):
    """Address and shape of `x`, or of a packed copy of it, which goes into `copies`."""
    if type(x) in _LITERALS:
        x = _from_literal(x, name, dtype, written)
        copies.append((name, x, x, False))
    elif type(x) is not _np.ndarray:
        x = _as_numpy(x, name)
    shape = x.shape
    if x.dtype != dtype or len(shape) != rank:
        raise _wrong_array(name, x.dtype, len(shape), dtype, rank)
    flags = x.flags
    if written and not flags.writeable:
        raise ValueError(f"`{name}` is read-only, but the function writes into it")
    if not (flags.c_contiguous and flags.aligned):
        if written and _overlaps_itself(x):
            raise ValueError(f"elements of `{name}` share memory, and the function writes into it: pass a copy")
        original, x = x, _np.array(x, order="C")
        copies.append((name, original, x, written))
    return x.__array_interface__["data"][0], shape


def _check_host_copies(copies, arguments):
    """Refuses arguments that share memory where only one of them would see what is written."""
    for name, original, _, written in copies:
        for other, x, other_written in arguments:
            if other == name or type(x) in _LITERALS:
                continue
            if (written or other_written) and _share_memory(original, _as_numpy(x, other)):
                text = f"`{name}` is not C-contiguous and shares memory with `{other}`"
                raise ValueError(f"{text}: pass a copy of one")


def _copy_back(copies):
    for _, original, packed, written in copies:
        if written:
            original[...] = packed


def _host_stopped(c, status, copies):
    """The exception of a call; what it had written before is brought back."""
    _copy_back(copies)
    return _error(c, status)


def _host_result(shape, dtype):
    """A new array and its address."""
    x = _np.empty(shape, dtype)
    return x, x.__array_interface__["data"][0]


def _host_kind(x):
    """What tells signatures apart: dtype and rank of an array, the type of a scalar."""
    if isinstance(x, _np.ndarray) and x.ndim:
        return x.dtype.name, x.ndim
    if hasattr(x, "__dlpack_device__") and not isinstance(x, _np.generic):
        x = _as_numpy(x, "argument")
        return x.dtype.name, x.ndim
    if type(x) is list or type(x) is tuple:
        return _kind_of_literal(x)
    return _kind_of_scalar(x)
