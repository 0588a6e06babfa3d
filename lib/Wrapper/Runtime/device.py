# Support of the wrappers of libraries that work in CUDA device memory. See common.py.
# A kind is a class of static methods for the arrays of one producer:
#   read(x, name, copies)              address, dtype, shape, whether the kernels can use it as it lies
#   address(x)                         the address alone, of an array that `empty` made
#   stream(x)                          the stream its producer works on
#   empty(shape, dtype, like, stream)  a new array
#   pack(x, name)                      a C-contiguous copy
#   assign(x, packed)                  puts the copy back
#   place(x)                           a NumPy array at the same addresses; never read, only compared
from operator import attrgetter as _attrgetter


class _Memory:
    """Device memory, freed with its last reference."""

    def __init__(self, c, size):
        self.c, self.size = c, size
        self.address = c.device_alloc(max(size, 1))
        if not self.address:
            raise MemoryError(c.error().decode(errors="replace"))

    def __del__(self):
        if getattr(self, "address", None):
            self.c.device_free(self.address)


class _Upload:
    """A NumPy array and the device memory that stands for it during the call."""

    def __init__(self, c, name, x, written, copies):
        self.name, self.x, self.written, self.new = name, x, written, False
        usable = x.flags.c_contiguous and x.flags.aligned
        self.packed = x if usable else _np.array(x, order="C")
        self.host = self.packed.__array_interface__["data"][0]
        for other in copies:
            # An array that lies inside another one stays inside it on the device.
            if isinstance(other, _Upload) and other.host <= self.host <= other.end - x.nbytes:
                self.memory, self.address = other.memory, other.address + self.host - other.host
                break
        else:
            self.memory = _Memory(c, x.nbytes)
            self.address = self.memory.address
        self.end = self.host + x.nbytes

    def start(self, c, stream):
        if not self.new:
            _check(c, c.copy_to_device(self.address, self.host, self.packed.nbytes))

    def finish(self, c, stream):
        if self.written:
            _check(c, c.copy_to_host(self.host, self.address, self.packed.nbytes))
            if self.packed is not self.x:
                self.x[...] = self.packed

    def place(self):
        return self.x


class _Packed:
    """A device array that is not C-contiguous, and the packed copy that stands for it."""

    def __init__(self, name, x, written, kind):
        self.name, self.x, self.written, self.kind, self.memory = name, x, written, kind, None
        self.packed = kind.pack(x, name)

    def start(self, c, stream):
        self.waits = stream != self.kind.stream(self.x)
        if self.waits:
            _check(c, c.synchronize(self.kind.stream(self.x)))

    def finish(self, c, stream):
        if self.written:
            if self.waits:
                _check(c, c.synchronize(stream))
            self.kind.assign(self.x, self.packed)

    def place(self):
        return self.kind.place(self.x)


class _Wait:
    """Work of a producer on another stream, to be waited for before the call; of the call, after it."""

    def __init__(self, producer, after=False):
        self.producer, self.after, self.written = producer, after, False

    def start(self, c, stream):
        if self.producer != stream:
            _check(c, c.synchronize(self.producer))

    def finish(self, c, stream):
        if self.after:
            _check(c, c.synchronize(stream))

    def place(self):
        return None


def _check(c, status):
    if status:
        raise _error(c, status)


class _NumPy:
    """Arrays in host memory."""

    @staticmethod
    def read(x, name, copies):
        x = x if type(x) is _np.ndarray else _as_numpy(x, name)
        return 0, x.dtype, x.shape, False

    @staticmethod
    def stream(x):
        return 0

    @staticmethod
    def place(x):
        return x if isinstance(x, _np.ndarray) else _as_numpy(x, "argument")


class _CuPy:
    # `flags` takes as long as all the rest: what it asks is asked directly where it is there.
    contiguous = _attrgetter("flags.c_contiguous")
    array = None  # its class, once one has been met that has `_c_contiguous`

    @staticmethod
    def read(x, name, copies):
        return x.data.ptr, x.dtype, x.shape, _CuPy.contiguous(x)

    @staticmethod
    def address(x):
        return x.data.ptr

    @staticmethod
    def stream(x):
        return _sys.modules["cupy"].cuda.get_current_stream().ptr

    @staticmethod
    def empty(shape, dtype, like, stream):
        cupy = _sys.modules["cupy"]
        if stream is None or stream == _CuPy.stream(like):
            return cupy.ndarray(shape, dtype)  # as `cupy.empty`, in less time
        with cupy.cuda.ExternalStream(stream):
            return cupy.ndarray(shape, dtype)

    @staticmethod
    def pack(x, name):
        return x.copy(order="C")

    @staticmethod
    def assign(x, packed):
        x[...] = packed

    @staticmethod
    def place(x):
        return _view(x.data.ptr, x.dtype, x.shape, x.strides)


class _Torch:
    tensor, dtypes = None, {}

    @staticmethod
    def meet(torch):
        """Takes from the module what every call asks. The current stream's handle alone takes a tenth of the time of the object."""
        names = "bool int8 int16 int32 int64 uint8 uint16 uint32 uint64 float32 float64 complex64 complex128"
        _Torch.dtypes = {getattr(torch, n): _np.dtype(n) for n in names.split() if hasattr(torch, n)}
        _Torch.tensor = torch.Tensor
        _Torch.device = getattr(torch._C, "_cuda_getDevice", torch.cuda.current_device)
        _Torch.handle = getattr(torch._C, "_cuda_getCurrentRawStream", lambda device: torch.cuda.current_stream(device).cuda_stream)

    @staticmethod
    def read(x, name, copies):
        if not x.is_cuda or x.requires_grad:
            need = "x.detach()" if x.is_cuda else "x.cuda() or x.numpy()"
            raise TypeError(f"`{name}` must be a tensor on a CUDA device without requires_grad: pass {need}")
        usable = x.is_contiguous() and not x.is_conj() and not x.is_neg()
        return x.data_ptr(), _Torch.dtypes.get(x.dtype, x.dtype), x.shape, usable

    @staticmethod
    def address(x):
        return x.data_ptr()

    @staticmethod
    def stream(x):
        device = x.get_device()
        if device != _Torch.device():
            raise ValueError(f"a tensor is on {x.device}, not on the current device: use torch.cuda.device")
        return _Torch.handle(device)

    @staticmethod
    def empty(shape, dtype, like, stream):
        torch = _sys.modules["torch"]
        dtype = getattr(torch, dtype.name)
        if stream is None or stream == _Torch.stream(like):
            return torch.empty(shape, dtype=dtype, device=like.device)
        with torch.cuda.stream(torch.cuda.ExternalStream(stream, like.device)):
            return torch.empty(shape, dtype=dtype, device=like.device)

    @staticmethod
    def pack(x, name):
        return x.resolve_conj().resolve_neg().contiguous()

    @staticmethod
    def assign(x, packed):
        x.copy_(packed)

    @staticmethod
    def place(x):
        strides = [step * x.element_size() for step in x.stride()]
        return _view(x.data_ptr(), _Torch.dtypes[x.dtype], tuple(x.shape), strides)


class _Foreign:
    """Whatever has `__cuda_array_interface__`."""

    @staticmethod
    def read(x, name, copies):
        interface = x.__cuda_array_interface__
        if interface.get("mask") is not None:
            raise TypeError(f"`{name}` has a mask")
        if interface.get("stream") is not None:
            copies.append(_Wait(interface["stream"]))
        dtype, shape = _np.dtype(interface["typestr"]), tuple(interface["shape"])
        address, strides = interface["data"][0], interface.get("strides")
        usable = strides is None or _view(address, dtype, shape, strides).flags.c_contiguous
        return address, dtype, shape, usable

    @staticmethod
    def address(x):
        return x.__cuda_array_interface__["data"][0]

    @staticmethod
    def stream(x):
        return x.__cuda_array_interface__.get("stream") or 0

    @staticmethod
    def empty(shape, dtype, like, stream):
        text = _typename(like)
        raise TypeError(f"cannot make a result as {text}: pass NumPy, CuPy, PyTorch, JAX or Numba arrays")

    @staticmethod
    def pack(x, name):
        raise ValueError(f"`{name}` must be C-contiguous")

    @staticmethod
    def place(x):
        interface = x.__cuda_array_interface__
        dtype, shape = _np.dtype(interface["typestr"]), tuple(interface["shape"])
        return _view(interface["data"][0], dtype, shape, interface.get("strides"))


class _Numba(_Foreign):
    @staticmethod
    def empty(shape, dtype, like, stream):
        return _sys.modules["numba"].cuda.device_array(shape, dtype)


class _Jax(_Foreign):
    @staticmethod
    def read(x, name, copies):
        copies.append(_Wait(0, after=True))
        return _Foreign.read(x.block_until_ready(), name, copies)

    @staticmethod
    def empty(shape, dtype, like, stream):
        x = _sys.modules["jax"].numpy.empty(shape, dtype).block_until_ready()
        if x.dtype != dtype:
            raise TypeError(f"JAX makes no arrays of {dtype} unless jax_enable_x64 is on")
        return x


class _Capsule(_Foreign):
    """Whatever has only DLPack."""

    @staticmethod
    def tensor(x):
        if x.__dlpack_device__()[0] not in (2, 13):
            raise TypeError("DLPack: the array is not in CUDA memory")
        capsule = x.__dlpack__()  # ready for the legacy default stream
        pointer = _ctypes.pythonapi.PyCapsule_GetPointer
        pointer.restype, pointer.argtypes = _ctypes.c_void_p, [_ctypes.py_object, _ctypes.c_char_p]
        tensor = _DLTensor.from_address(pointer(capsule, b"dltensor"))
        kind = {0: "i", 1: "u", 2: "f", 5: "c", 6: "b"}.get(tensor.code)
        if kind is None or tensor.lanes != 1 or tensor.bits % 8:
            raise TypeError("DLPack: the array's elements are not of a NumPy type")
        dtype = _np.dtype(f"{kind}{tensor.bits // 8}")
        shape = tuple(tensor.shape[axis] for axis in range(tensor.rank))
        steps = tensor.strides
        strides = [steps[axis] * dtype.itemsize for axis in range(tensor.rank)] if steps else None
        return _view((tensor.data or 0) + tensor.offset, dtype, shape, strides), capsule

    @staticmethod
    def read(x, name, copies):
        view, capsule = _Capsule.tensor(x)
        wait = _Wait(0)
        wait.capsule = capsule  # an unused capsule frees what it holds when it goes
        copies.append(wait)
        return view.__array_interface__["data"][0], view.dtype, view.shape, view.flags.c_contiguous

    @staticmethod
    def stream(x):
        return 0

    @staticmethod
    def place(x):
        return _Capsule.tensor(x)[0]


class _DLTensor(_ctypes.Structure):
    _fields_ = [
        ("data", _ctypes.c_void_p),
        ("device_type", _ctypes.c_int32),
        ("device_id", _ctypes.c_int32),
        ("rank", _ctypes.c_int32),
        ("code", _ctypes.c_uint8),
        ("bits", _ctypes.c_uint8),
        ("lanes", _ctypes.c_uint16),
        ("shape", _ctypes.POINTER(_ctypes.c_int64)),
        ("strides", _ctypes.POINTER(_ctypes.c_int64)),
        ("offset", _ctypes.c_uint64),
    ]


class _View:
    def __init__(self, address, dtype, shape, strides):
        self.__array_interface__ = {
            "version": 3,
            "data": (address, False),
            "typestr": dtype.str,
            "shape": shape,
            "strides": None if strides is None else tuple(strides),
        }


def _view(address, dtype, shape, strides):
    """A NumPy array at a device address: its memory is never touched."""
    return _np.asarray(_View(address or 256, dtype, shape, strides))


_KINDS = {_np.ndarray: _NumPy}  # by type


def _kind_of(x):
    """The kind of an array of a type seen for the first time."""
    name, torch = type(x).__module__.partition(".")[0], _sys.modules.get("torch")
    if torch is not None and isinstance(x, torch.Tensor):
        _Torch.meet(torch)
        return _KINDS.setdefault(type(x), _Torch)
    if name == "cupy" and hasattr(x, "data"):
        if hasattr(x, "_c_contiguous"):
            _CuPy.contiguous, _CuPy.array = _attrgetter("_c_contiguous"), type(x)
        return _KINDS.setdefault(type(x), _CuPy)
    if name in ("jax", "jaxlib") and hasattr(x, "block_until_ready"):
        return _Jax if hasattr(x, "__cuda_array_interface__") else _NumPy
    if hasattr(x, "__cuda_array_interface__"):
        return _Numba if name in ("numba", "numba_cuda") else _Foreign
    if hasattr(x, "__dlpack_device__") and x.__dlpack_device__()[0] in (2, 13):
        return _Capsule
    return _NumPy


def _caller(*arrays):
    """The first array on the device and its kind: its stream is used, and results are made like it."""
    for x in arrays:
        kind = _KINDS.get(type(x)) or _kind_of(x)
        if kind is not _NumPy:
            return kind, x
    return _NumPy, None


def _stream(stream):
    """The handle of a stream: an int, or an object of CuPy, PyTorch, Numba or cuda-python."""
    if isinstance(stream, int):
        return stream
    for attribute in ("ptr", "cuda_stream", "handle"):
        handle = getattr(stream, attribute, None)
        if handle is not None:
            return getattr(handle, "value", handle) or 0
    text = _typename(stream)
    raise TypeError(f"`stream` must be an int or an object with .ptr or .cuda_stream, not {text}")


def _array(c, x, name, dtype, rank, written, copies):
    """Device address and shape of `x`, or of what stands for it, which goes into `copies`."""
    if type(x) in _LITERALS:
        x = _from_literal(x, name, dtype, written)
    kind = _KINDS.get(type(x)) or _kind_of(x)
    if kind is _CuPy and x.dtype is dtype and _CuPy.contiguous(x):  # no further calls: most time is theirs
        shape = x.shape
        if len(shape) == rank:
            return x.data.ptr, shape
    address, got, shape, usable = kind.read(x, name, copies)
    if got != dtype or len(shape) != rank:
        raise _wrong_array(name, got, len(shape), dtype, rank)
    if written and (kind is _NumPy or issubclass(kind, _Foreign)):
        _check_writable(x, name, kind)
    if usable:
        return address, shape
    if written and _overlaps_itself(kind.place(x)):
        raise ValueError(f"elements of `{name}` share memory, and the function writes into it: pass a copy")
    if kind is _NumPy:
        copy = _Upload(c, name, kind.place(x), written, copies)
        address = copy.address
    else:
        copy = _Packed(name, x, written, kind)
        address = kind.read(copy.packed, name, copies)[0]
    copies.append(copy)
    return address, shape


def _arrays(c, copies, stream, wanted, *given):
    """The stream of a call that makes no arrays, and address and shape of each array, by `_array` with what is `wanted`."""
    kind, like = _caller(*given)
    found = [kind.stream(like) if stream is None else _stream(stream)]
    for x, row in zip(given, wanted):
        found += _array(c, x, *row, copies)
    return found


def _arrays_of(*wanted):
    """`_arrays` of arrays that are `wanted` so. Those of CuPy and PyTorch have code of their own, written out: a loop over them takes
    twice the time, and a call for each one three times."""
    numbers = range(len(wanted))
    given = ", ".join(f"x{k}" for k in numbers)
    usable = " and ".join(f"type(x{k}) is array and x{k}.dtype is d{k} and x{k}._c_contiguous" for k in numbers)
    shapes = "; ".join(f"s{k} = x{k}.shape" for k in numbers)
    ranks = " and ".join(f"len(s{k}) == {row[2]}" for k, row in enumerate(wanted))
    found = ", ".join(f"x{k}.data.ptr, s{k}" for k in numbers)
    in_order = " and ".join(f"type(x{k}) is tensor and dtypes.get(x{k}.dtype) is d{k} and x{k}.is_cuda and not x{k}.requires_grad "
                            f"and x{k}.is_contiguous() and not x{k}.is_conj() and not x{k}.is_neg()" for k in numbers)
    scope = {"_CuPy": _CuPy, "_Torch": _Torch, "_arrays": _arrays, "wanted": wanted, **{f"d{k}": row[1] for k, row in enumerate(wanted)}}
    exec(f"""
def arrays(c, copies, stream, {given}):
    array = _CuPy.array
    if stream is None and {usable}:
        {shapes}
        if {ranks}:
            return _CuPy.stream(None), {found}
    tensor, dtypes = _Torch.tensor, _Torch.dtypes
    if stream is None and {in_order}:
        {shapes}
        if {ranks}:
            return _Torch.stream(x0), {found.replace(".data.ptr", ".data_ptr()")}
    return _arrays(c, copies, stream, wanted, {given})
""", scope)
    return scope["arrays"]


def _check_writable(x, name, kind):
    if kind is _NumPy:
        readonly = not kind.place(x).flags.writeable
    else:
        interface = getattr(x, "__cuda_array_interface__", None)
        readonly = kind is _Jax or (interface is not None and interface["data"][1])
    if readonly:
        raise ValueError(f"`{name}` is read-only, but the function writes into it")


def _check_copies(copies, arguments):
    """Refuses arguments that share memory where only one of them would see what is written."""
    memory = {copy.name: copy.memory for copy in copies if not isinstance(copy, _Wait)}
    for copy in copies:
        place = copy.place()
        if place is None:
            continue
        for other, x, other_written in arguments:
            if other == copy.name or type(x) in _LITERALS or not (copy.written or other_written):
                continue
            if copy.memory is not None and memory.get(other) is copy.memory:
                continue
            if _share_memory(place, (_KINDS.get(type(x)) or _kind_of(x)).place(x)):
                text = f"`{copy.name}` cannot be used in place and shares memory with `{other}`"
                raise ValueError(f"{text}: pass a copy of one")


def _start(c, copies, stream):
    """Brings what is not used in place to the device, and waits for producers on other streams."""
    for copy in copies:
        copy.start(c, stream)
    if stream:
        _check(c, c.synchronize(None))  # copies to the device are work of the default stream


def _finish(c, copies, stream, rows=()):
    """Brings what was written back; `rows`: new arrays and how many of their rows are set, where these are not all."""
    if any(isinstance(copy, _Upload) for copy in copies):
        _check(c, c.synchronize(stream))
    for copy in copies:
        for x, count in rows:
            if copy.x is x:
                copy.x = copy.packed = x[:count]
        copy.finish(c, stream)


def _stopped(c, status, copies, stream):
    """The exception of a call; what it had written before is brought back."""
    error = _error(c, status)
    try:
        _finish(c, [copy for copy in copies if not (isinstance(copy, _Upload) and copy.new)], stream)
    except Exception:  # the device itself has failed
        pass
    return error


def _result(c, shape, dtype, kind, like, stream, copies):
    """A new array of the caller's kind, and its address, on `stream` or else on its own current stream."""
    if kind is _NumPy:
        x = _np.empty(shape, dtype)
        copy = _Upload(c, "", x, True, ())
        copy.new = True
        copies.append(copy)
        return x, copy.address
    x = kind.empty(shape, dtype, like, stream)
    return x, kind.address(x)


class _Workspace:
    """Device memory for the temporaries of a function, as much as the largest call has asked for."""

    def __init__(self):
        self.memory = self.address = self.sizes = None
        self.size, self.captured = 0, False

    def grow(self, c, size):
        if self.captured:
            _captured.append(self.memory)  # a graph that has been captured goes on using it
        room = _max(size, self.size * 5 // 4)
        self.memory = self.address = self.sizes = None  # freed before there is more, when the device is done with it
        self.size, self.captured = 0, False
        try:
            self.memory = _Memory(c, room)
        except MemoryError:
            self.memory = _Memory(c, size)
        self.address, self.size = self.memory.address, self.memory.size


class _OfThread(_threading.local):
    def __init__(self):
        self.unused = {}


_unused = {}  # lists of workspaces by library, function, stream and device: calls on one stream follow each other


_unused_of_thread = _OfThread()


_captured = []


def _workspace(c, entry, stream, *sizes):
    """A workspace that no call is using, and the list that gets it back when the call has been made."""
    unused = _unused_of_thread.unused if stream == 2 else _unused  # cudaStreamPerThread
    key = id(c), entry, stream, c.device()
    waiting = unused.get(key)
    if waiting is None:
        waiting = unused.setdefault(key, [])
    try:
        workspace = waiting.pop()
    except IndexError:
        workspace = _Workspace()
    if workspace.sizes != sizes:  # the library is not asked each time: a call costs 0.7 us
        size = getattr(c, f"{entry}_workspace")(*sizes)
        if size > workspace.size:
            workspace.grow(c, size)
        workspace.sizes = sizes
    if c.is_capturing(stream):
        workspace.captured = True
    return workspace, waiting


def _release(c):
    """Frees the workspaces of a library, and what it keeps itself."""
    for unused in (_unused, _unused_of_thread.unused):
        for key in [key for key in unused if key[0] == id(c)]:
            del unused[key]
    _captured[:] = [memory for memory in _captured if memory.c is not c]
    if hasattr(c, "release_plans"):
        c.release_plans()


def _kind(x):
    """What tells signatures apart: dtype and rank of an array, the type of a scalar."""
    if type(x) is list or type(x) is tuple:
        return _kind_of_literal(x)
    kind = _KINDS.get(type(x)) or _kind_of(x)
    if kind is _NumPy and not (isinstance(x, _np.ndarray) and x.ndim):
        if isinstance(x, (_np.generic, _np.ndarray)) or not hasattr(x, "__dlpack_device__"):
            return _kind_of_scalar(x)
    _, dtype, shape, _ = kind.read(x, "argument", [])
    return _np.dtype(dtype).name, len(shape)
