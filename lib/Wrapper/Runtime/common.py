# Support of the generated wrappers, whatever the target: what they share in `appyc_runtime.py`. A wrapper that stands alone
# contains the definitions that it uses: they stand two blank lines apart; this comment is left out.
import builtins as _builtins
import collections as _collections
import ctypes as _ctypes
import dataclasses as _dataclasses
import os as _os
import random as _random
import shlex as _shlex
import struct as _struct
import sys as _sys
import threading as _threading

import numpy as _np


_bool = _np.dtype("bool")


_int8 = _np.dtype("int8")


_int16 = _np.dtype("int16")


_int32 = _np.dtype("int32")


_int64 = _np.dtype("int64")


_uint8 = _np.dtype("uint8")


_uint16 = _np.dtype("uint16")


_uint32 = _np.dtype("uint32")


_uint64 = _np.dtype("uint64")


_float32 = _np.dtype("float32")


_float64 = _np.dtype("float64")


_complex64 = _np.dtype("complex64")


_complex128 = _np.dtype("complex128")


_min = min


_max = max


_int = int


_float = float


_select = (lambda condition, value, otherwise: value if condition else otherwise)


class _Complex64(_ctypes.Structure):
    _fields_ = [("re", _ctypes.c_float), ("im", _ctypes.c_float)]


class _Complex128(_ctypes.Structure):
    _fields_ = [("re", _ctypes.c_double), ("im", _ctypes.c_double)]


_ERRORS = {1: ValueError, 2: IndexError, 3: ZeroDivisionError, 4: TypeError, 5: MemoryError, 6: RuntimeError,
           7: OverflowError, 8: UnboundLocalError,
           9: NotImplementedError, 10: AssertionError, 11: ArithmeticError, 12: FloatingPointError, 13: LookupError,
           14: KeyError, 15: AttributeError, 16: NameError, 17: OSError, 18: EOFError, 19: BufferError,
           20: StopIteration, 21: RecursionError, 22: Exception, 23: _np.linalg.LinAlgError}


class _Exports:
    """What a library exports, as attributes."""


def _library(file, stem, build, abi, prefix, exports):
    """Loads the library that lies beside `file`."""
    name = {"win32": f"{stem}.dll", "darwin": f"lib{stem}.dylib"}.get(_sys.platform, f"lib{stem}.so")
    path = _os.path.join(_os.path.dirname(_os.path.abspath(file)), name)
    folder = _shlex.quote(_os.path.dirname(path))
    try:
        library = _ctypes.CDLL(path)
    except OSError as error:
        text = f"cannot load {path}: {error}"
        raise ImportError(f"{text}\nbuild it with\n    cd {folder} && {build}") from None
    try:
        identify = library[f"{prefix}abi"]
        identify.restype = _ctypes.c_char_p
        found = identify().decode()
    except AttributeError:
        found = "none"
    if found != abi:
        text = f"{path} was not built from the code that was written with {_os.path.basename(file)} ({found}, not {abi})"
        raise ImportError(f"{text}\nrebuild it with\n    cd {folder} && {build}")
    result = _Exports()
    for name, (kind, arguments) in exports.items():
        function = library[prefix + name]
        function.restype, function.argtypes = kind, arguments
        setattr(result, name, function)
    return result


def _real_of(bits):
    """The double of these bits."""
    return _struct.unpack("d", _struct.pack("q", bits))[0]


_printing = _threading.local()


def _printer(show):
    """What a library calls to print: `show` with a number and values; what that raises ends the call."""

    def run(number, values):
        try:
            show(number, values)
            return 0
        except BaseException as error:
            _printing.raised, _printing.elements = error, []
            return 1

    return _ctypes.CFUNCTYPE(_ctypes.c_int, _ctypes.c_int64, _ctypes.POINTER(_ctypes.c_int64))(run)


def _show(element):
    """One of an array in the text that is printed next."""
    vars(_printing).setdefault("elements", []).append(element)


def _shown(dtype, shape):
    """The array of the elements that have been shown first."""
    elements = vars(_printing).setdefault("elements", [])
    count = 1
    for extent in shape:
        count *= extent
    array = _np.array(elements[:count], dtype).reshape(shape)
    del elements[:count]
    return array


def _message(text):
    """What the exception says that the library raises next."""
    _printing.message = text


def _raise(error):
    """For where an expression stands."""
    raise error


def _raised(error):
    """The exception of a call that failed: what a print has raised, or else the error with the text made for it."""
    raised, message = _printing.__dict__.pop("raised", None), _printing.__dict__.pop("message", None)
    return raised or (error if message is None else type(error)(message))


def _error(c, status):
    """The exception for the status of a function of the library `c`."""
    return _ERRORS.get(status, RuntimeError)(c.error().decode(errors="replace"))


def _typename(x):
    kind = type(x)
    return kind.__qualname__ if kind.__module__ == "builtins" else f"{kind.__module__}.{kind.__qualname__}"


def _mismatch(name, axis, got, size, expected, source=""):
    """Two extents that must be equal are not."""
    want = f"its type says {size}" if size.isdigit() else f"`{size}` is {expected}"
    return ValueError(f"`{name}` has {got} elements on axis {axis}, but {want}{source}")


def _wrong_array(name, got, rank, dtype, expected_rank):
    if rank != expected_rank:
        return ValueError(f"`{name}` must have {expected_rank} dimensions, not {rank}")
    if got is not None and got == dtype.newbyteorder():
        return TypeError(f"`{name}` must be an array of {dtype} in native byte order")
    return TypeError(f"`{name}` must be an array of {dtype}, not of {got}")


def _number(value, name, dtype):
    """Python's own number for a Python or NumPy scalar, or an array of rank 0."""
    if not isinstance(value, (int, float, complex)):
        if getattr(value, "shape", None) == () and hasattr(value, "item"):
            number = value.item()
            if isinstance(number, (int, float, complex)):
                return number
        text = _typename(value)
        raise TypeError(f"`{name}` must be a number ({dtype}), not {text}")
    return value


def _integer(value, name, dtype, low, high):
    """`value` as an int that fits the type."""
    if type(value) is not int:
        value = _number(value, name, dtype)
        if not isinstance(value, int):
            text = _typename(value)
            raise TypeError(f"`{name}` must be an integer ({dtype}), not {text}")
        value = int(value)
    if not low <= value <= high:
        raise OverflowError(f"`{name}` is {value}, which does not fit {dtype}")
    return value


def _real(value, name, dtype):
    """`value` as a float."""
    if type(value) is float:
        return value
    value = _number(value, name, dtype)
    if isinstance(value, complex):
        raise TypeError(f"`{name}` must be a real number ({dtype}), not complex")
    try:
        return float(value)
    except OverflowError:
        raise OverflowError(f"`{name}` does not fit {dtype}") from None


def _real32(value, name, dtype):
    """`value` as a float in the range of float32."""
    if type(value) is float and -3e38 < value < 3e38:
        return value
    value = _real(value, name, dtype)
    # Half a step above the largest float32 is the least that rounds to infinity.
    if abs(value) >= 3.4028235677973366e38 and value - value == 0:
        raise OverflowError(f"`{name}` is {value}, which does not fit {dtype}")
    return value


def _complex(value, name, structure, part):
    """`value` as the C structure of a complex number, each part by `part`."""
    value = complex(_number(value, name, "complex"))
    return structure(part(value.real, name, "complex"), part(value.imag, name, "complex"))


def _flag(value, name, dtype):
    """`value` as 0 or 1."""
    if value is True or value is False:
        return value
    value = _number(value, name, dtype)
    if value != 0 and value != 1 or not isinstance(value, int):
        raise TypeError(f"`{name}` must be a bool, not {value!r}")
    return int(value)


def _bits_of_system():
    return int.from_bytes(_os.urandom(8), "little")


def _bits_of_numpy():
    return int.from_bytes(_np.random.bytes(8), "little")


def _bits_of_python():
    return _random.getrandbits(64)


def _as_numpy(x, name):
    """`x` as a NumPy array on the same memory."""
    if isinstance(x, _np.ndarray):
        # These two give operators another meaning.
        if not isinstance(x, (_np.ma.MaskedArray, _np.matrix)):
            return x.view(_np.ndarray)
    elif hasattr(x, "__dlpack_device__") and x.__dlpack_device__()[0] in (1, 3):
        return _np.from_dlpack(x)
    text = _typename(x)
    raise TypeError(f"`{name}` must be a NumPy array, not {text}")


_LITERALS = (list, tuple, bool, int, float, complex)


def _from_literal(x, name, dtype, written):
    """`np.asarray` of what callers write as lists, tuples and numbers, where NumPy casts its type so; other `x` as it is."""
    if type(x) not in _LITERALS:
        return x
    if written:
        text = f"`{name}` is a {_typename(x)}, and the function writes into it, which the caller would not see"
        raise TypeError(f"{text}: pass an array")
    given = _np.asarray(x)
    if given.size and given.dtype.kind in "iu" and dtype.kind in "iu":
        limits = _np.iinfo(dtype)
        if given.min() < limits.min or given.max() > limits.max:
            raise OverflowError(f"`{name}` has an element that does not fit {dtype}")
    elif given.size and not _np.can_cast(given.dtype, dtype, "same_kind"):
        raise TypeError(f"`{name}` must be an array of {dtype}, not a {_typename(x)} of {given.dtype}")
    return _np.asarray(x, dtype)


_LISTED = {"int": (int, "int64"), "float": ((float, int), "float64"), "bool": (bool, "bool"), "complex": ((complex, float, int), "complex128")}


def _taken(value, name, kind):
    """The numbers, and arrays of the numbers in lists, of which a list or tuple is made."""
    if isinstance(kind, str):
        return (value,)
    expected, *parts = kind
    if _typename(value) != expected:
        raise TypeError(f"`{name}` must be a {expected}, not {_typename(value)}")
    if expected == "tuple":
        if len(value) != len(parts):
            raise TypeError(f"`{name}` must be a tuple of {len(parts)}, not of {len(value)}")
        return tuple(number for item, part in zip(value, parts) for number in _taken(item, name, part))
    return _listed(value, f"an item of `{name}`", parts[0])


def _listed(items, name, kind):
    """An array of the items, or for each part of them."""
    if isinstance(kind, str):
        wanted, dtype = _LISTED[kind]
        for item in items:
            if not isinstance(item.item() if isinstance(item, _np.generic) else item, wanted):
                raise TypeError(f"{name} must be of type {kind}, not {_typename(item)}")
        try:
            return (_np.array(items, dtype),)
        except OverflowError:
            raise OverflowError(f"{name} does not fit {dtype}") from None
    expected, *parts = kind
    for item in items:
        if _typename(item) != expected or expected == "tuple" and len(item) != len(parts):
            what = f"a tuple of {len(parts)}" if expected == "tuple" else "a list"
            raise TypeError(f"{name} must be {what}, not {_typename(item)}")
    if expected == "list":
        lengths = _np.array([len(item) for item in items], "int64")
        return (lengths, *_listed([x for item in items for x in item], name, parts[0]))
    columns = zip(*items) if items else [()] * len(parts)
    return tuple(array for column, part in zip(columns, parts) for array in _listed(column, name, part))


def _transposed(x):
    """Of an array that is stored by columns, its columns as rows."""
    return x.T if hasattr(x, "T") else _np.array(x).T


def _share_memory(a, b):
    """Whether an element of one array lies in the other."""
    try:
        return _np.shares_memory(a, b, max_work=10000)
    except RuntimeError:
        return True  # too hard to tell


def _overlaps_itself(x):
    """Whether two elements of a NumPy array share memory, as those of an array of stride 0 do."""
    if x.flags.c_contiguous:
        return False
    reach = x.itemsize - 1
    for step, count in sorted((abs(s), n) for s, n in zip(x.strides, x.shape) if n != 1):
        if step <= reach and x.size:
            break
        reach += step * (count - 1)
    else:
        return False
    places = _np.zeros(1, _np.int64)
    for step, count in zip(x.strides, x.shape):
        places = (places[:, None] + step * _np.arange(count)).ravel()
    places.sort()
    return bool((_np.diff(places) < x.itemsize).any())


def _along(start, count, step):
    """The slice of `count` elements from `start` on."""
    stop = start + count * step
    return slice(start, None if stop < 0 else stop, step) if count > 0 else slice(0, 0)


def _part(x, index, order=None):
    """A view of `x`; `order`: which of the axes left by `index` stands where, None for a new one."""
    x = x[(*index, ...)]
    if order is None:
        return x
    kept = tuple(axis for axis in order if axis is not None)
    x = x.permute(kept) if hasattr(x, "permute") else x.transpose(kept)
    return x[tuple(None if axis is None else slice(None) for axis in order)]


def _span(first, shape, strides):
    """How many elements of an array, from the first on, a view of it reaches."""
    return first + 1 + sum((count - 1) * step for count, step in zip(shape, strides) if step > 0) if all(shape) else 0


def _strided(x, first, shape, strides, dtype=None):
    """A view of the elements of `x`, in C's order: where it begins and by how many each of its axes steps; as those of `dtype`."""
    x = x.reshape(-1)
    if hasattr(x, "as_strided"):
        x = x if dtype is None else x.view(getattr(_sys.modules["torch"], dtype))
        return x[first:].as_strided(shape, strides)
    x = (x if dtype is None else x.view(dtype))[first:]
    library = _sys.modules[type(x).__module__.partition(".")[0]]
    view = library.lib.stride_tricks.as_strided(x, shape, [step * x.itemsize for step in strides])
    if library is _np and 0 in strides:
        view.flags.writeable = False
    return view


_classes = {}


def _class(module, name, fields, is_tuple):
    """The class of that name where its module has been imported, else one with the same fields."""
    found = getattr(_sys.modules.get(module), name, None)
    if getattr(found, "_fields", None) == fields or tuple(getattr(found, "__dataclass_fields__", ())) == fields:
        return found
    if (name, fields) not in _classes:
        make = _collections.namedtuple if is_tuple else _dataclasses.make_dataclass
        _classes[name, fields] = make(name, fields)
    return _classes[name, fields]


def _tuples(*fields):
    return list(zip(*fields))


def _extended(x, whole=int):
    if isinstance(x, _np.ndarray):
        return [_extended(item, whole) for item in x]
    return whole(x) if _np.isfinite(x) else float(x)


def _tuple(items):
    return tuple(items)


def _optional(nones, items):
    return [None if none else item for none, item in zip(nones, items)]


def _rows(lengths, items):
    rows, first = [], 0
    for length in lengths:
        rows.append(items[first:first + length])
        first += length
    return rows


def _floordiv(a, b):
    """NumPy's `//` of integers: 0 where Python's raises."""
    return a // b if b else 0


def _mod(a, b):
    """NumPy's `%` of integers: 0 where Python's raises."""
    return a % b if b else 0


def _wrap(value, bits, signed):
    """The integer that fixed-width arithmetic leaves of `value`."""
    value = int(value) & (1 << bits) - 1
    return value - (1 << bits) if signed and value >> bits - 1 else value


def _kind_of_literal(x):
    """What tells signatures apart: dtype and rank of a list as an array, and whether it has elements."""
    x = _np.asarray(x)
    return x.dtype.name, x.ndim, x.size > 0


def _kind_of_scalar(x):
    """What tells signatures apart: the name of a NumPy scalar's type or of Python's."""
    if type(x) is _ctypes.c_int64:  # of a launch
        return "int"
    return x.dtype.name if isinstance(x, (_np.generic, _np.ndarray)) else type(x).__name__


def _cost(kind, wanted):
    """How far an argument is from what a signature wants: 0 fits exactly, None not at all."""
    if kind == wanted:
        return 0
    if isinstance(kind, tuple) and len(kind) == 3:  # of lists, whose numbers adapt
        cost = _cost(kind[0], wanted[0]) if isinstance(wanted, tuple) and kind[1] == wanted[1] else None
        return cost if cost is None or kind[2] else 0
    if isinstance(kind, tuple) or isinstance(wanted, tuple) or kind == "NoneType" or wanted == "NoneType":
        return None
    ranks = {"bool": 0, "int": 1, "uint": 1, "float": 2, "complex": 3}
    have, want = ranks.get(kind.rstrip("0123456789")), ranks.get(wanted.rstrip("0123456789"))
    if have is None or have > want:
        return None
    natural = {"int": "int64", "float": "float64", "complex": "complex128"}.get(kind, kind)
    if natural == wanted:
        return 1
    return 4 * (want - have) + (2 if _np.can_cast(natural, wanted) else 3)


def _choose(name, kinds, table, chosen):
    """The function for arguments of these kinds; remembered in `chosen`."""
    best, best_cost = None, None
    for wanted, function in table:
        costs = [_cost(kind, want) for kind, want in zip(kinds, wanted)]
        if None not in costs and (best is None or sum(costs) < best_cost):
            best, best_cost = function, sum(costs)
    if best is None:
        shown = [f"{kind[0]} array of rank {kind[1]}" if isinstance(kind, tuple) else kind for kind in kinds]
        got = ", ".join(shown)
        raise TypeError(f"no signature of `{name}` takes ({got})")
    chosen[kinds] = best
    return best


def _extents(given, what):
    """Along x, y and z."""
    extents = tuple(given) if isinstance(given, (tuple, list)) else (given,)
    if not 1 <= len(extents) <= 3:
        raise ValueError(f"the {what} of a launch is an integer or a tuple of up to three")
    return tuple(_integer(n, what, "int64", -(2**63), 2**63 - 1) for n in extents) + (1,) * (3 - len(extents))


class _Scheduled:
    """A function in several schedules, which `opts=` chooses by name or by what it says of the labels; else the first."""

    def __init__(self, name, schedules):
        self.__name__, self._schedules = name, schedules
        self._first = schedules[""][0]
        self.__doc__ = self._first.__doc__

    def __call__(self, *args, opts=None, **options):
        return (self._first if opts is None else self._chosen(opts))(*args, **options)

    def _chosen(self, opts):
        if isinstance(opts, str):
            if opts in self._schedules:
                return self._schedules[opts][0]
        elif hasattr(opts, "items"):
            wanted = {label: str(how) for label, how in opts.items()}
            for function, labels in self._schedules.values():
                if labels == wanted:
                    return function
        there = ", ".join(f"{name or 'by itself'!r}: {labels}" for name, (_, labels) in self._schedules.items())
        raise ValueError(f"`{self.__name__}` has not been translated with the schedule {opts!r}; there are {there}")


class _Kernel:
    """Launched by `kernel[grid, block](...)`, also `[grid, block, stream, bytes of shared memory]`, or `kernel.forall(n)(...)`."""

    def __init__(self, name, launch, count, takes_bytes=False):
        self.__name__, self._launch, self._count, self.__doc__ = name, launch, count, launch.__doc__
        self._takes_bytes, self._launches = takes_bytes, {}

    def __getitem__(self, given):
        try:
            return self._launches[given]
        except (KeyError, TypeError):  # an extent of another type than int may have no hash
            pass
        if not isinstance(given, tuple) or not 2 <= len(given) <= 4:
            raise ValueError(f"`{self.__name__}` is launched with a grid and a block: {self.__name__}[grid, block](...)")
        extents = _extents(given[0], "grid") + _extents(given[1], "block")
        if self._takes_bytes:  # others have no use for them
            extents += _extents(given[3], "shared memory")[:1] if given[3:] else (0,)
        launch = _launch(self, extents, *given[2:3])
        if len(given) == 2 and all(type(n) is int or type(n) is tuple for n in given):
            if len(self._launches) >= 64:
                self._launches.clear()
            self._launches[given] = launch
        return launch

    def forall(self, ntasks, tpb=0, stream=0, sharedmem=0):
        threads = tpb or 256
        blocks = -(-ntasks // threads)
        return self[blocks, threads, stream, sharedmem] if stream or sharedmem else self[blocks, threads]

    def __call__(self, *args):
        raise ValueError(f"`{self.__name__}` is a kernel, which is launched: {self.__name__}[grid, block](...)")


def _launch(kernel, extents, stream=None):
    """The kernel with its grid and its block, and what else stands in the brackets."""
    function, count = kernel._launch, kernel._count
    extents = [_ctypes.c_int64(n) for n in extents]  # ctypes takes its own types faster

    def refuse(args):
        raise TypeError(f"`{kernel.__name__}` takes {count} arguments, not {len(args)}")

    def launch(*args):
        if len(args) != count:
            refuse(args)
        return function(*args, *extents)

    def launch_on_stream(*args):
        if len(args) != count:
            refuse(args)
        return function(*args, *extents, stream=stream)

    return launch_on_stream if stream else launch
