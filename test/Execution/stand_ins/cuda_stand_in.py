"""numba.cuda as its documentation has it, under CPython: threads of a block take turns at barriers, blocks run one by one."""
import contextlib
import functools
import importlib
import pathlib
import re
import sys
import threading
import time
import types as _types

import numpy as np


class Type:
    """A type of Numba's: a call converts a number, or makes a signature; subscripts make arrays of it."""

    def __init__(self, dtype=None, is_array=False):
        self.dtype, self.is_array = dtype, is_array

    def __getitem__(self, dimensions):
        return Type(self.dtype, True)

    def __call__(self, *given):
        if self.dtype is not None and len(given) == 1 and not isinstance(given[0], Type):
            return self.dtype(given[0])
        return Signature(given, self)


class Signature(Type):
    def __init__(self, params, result):
        super().__init__()
        self.params, self.result = params, result


SHORT = {"b1": "bool_", "i1": "int8", "i2": "int16", "i4": "int32", "i8": "int64", "u1": "uint8", "u2": "uint16", "u4": "uint32",
         "u8": "uint64", "f4": "float32", "f8": "float64", "c8": "complex64", "c16": "complex128", "boolean": "bool_"}


def type_named(text):
    name = text.split("[")[0].split(".")[-1].strip()
    return Type(getattr(np, SHORT.get(name, name)), "[" in text)


def signature_of(given):
    """What converts the numbers among the arguments; none: nothing does."""
    if isinstance(given, str):
        inside = given[given.index("(") + 1:given.rindex(")")]
        return [type_named(part) for part in re.split(r",(?![^\[]*\])", inside) if part.strip()]
    if isinstance(given, Signature):
        return list(given.params)
    return list(given) if isinstance(given, tuple) else None


def _as_declared(types, values):
    def converted(kind, x):
        return np.array(x).astype(kind.dtype)[()] if isinstance(x, (bool, int, float, complex, np.generic)) else x

    return tuple(converted(kind, x) for kind, x in zip(types, values))


def converting(function, signatures):
    """The function with numbers converted as the signature says that is nearest to what is given; of numbers and arrays."""
    def read(given):
        if not isinstance(given, str):
            return [p for p in signature_of(given)], [given.result] if isinstance(given, Signature) and given.result.dtype else []
        given = re.sub(r"optional\((\w+)\)", r"\1", given)
        begin = max(k for k in range(len(given)) if given[k] == "(" and given[k:].count("(") == given[k:].count(")"))
        result = given[:begin].strip().removeprefix("Tuple((").removesuffix("))")
        if result.startswith("UniTuple("):
            of, count = result[9:-1].split(",")
            result = ",".join([of] * int(count))
        return signature_of(given[begin:]), [type_named(t) for t in result.split(",") if t.strip() not in ("", "void", "none")]

    try:
        rows = [read(s) for s in signatures]
    except (AttributeError, ValueError):  # Python's lists and texts
        return function

    def far(types, given):
        kinds = [(np.result_type(x), np.dtype(t.dtype)) for x, t in zip(given, types) if np.ndim(x) == 0]
        return max([0 if x == t else 1 if np.result_type(x, t) == t and x.kind == t.kind else 2 if np.result_type(x, t) == t else 3 for x, t in kinds] + [0])

    @functools.wraps(function)
    def called(*given, **named):
        params, results = min(rows, key=lambda row: far(row[0], given))
        made = function(*(_as_declared(params, given)), *given[len(params):], **named)
        if isinstance(made, tuple) or not results:
            return _as_declared(results, made) if results else made
        return _as_declared(results, [made])[0]

    return called if rows else function


class Axes(_types.SimpleNamespace):
    pass


class Here(threading.local):
    """Where the running thread of the kernel is, and what its block has in common."""


here = Here()


class _Position:
    def __init__(self, name):
        self._name = name

    def __getattr__(self, axis):
        return getattr(getattr(here, self._name), axis)


threadIdx, blockIdx, blockDim, gridDim = (_Position(name) for name in ("threadIdx", "blockIdx", "blockDim", "gridDim"))
warpsize = 32


def _axes(given):
    given = tuple(given) if isinstance(given, (tuple, list)) else (given,)
    given = tuple(int(x) for x in given) + (1,) * (3 - len(given))
    return Axes(x=given[0], y=given[1], z=given[2])


def grid(ndim):
    all_axes = tuple(getattr(blockIdx, a) * getattr(blockDim, a) + getattr(threadIdx, a) for a in "xyz"[:ndim])
    return all_axes[0] if ndim == 1 else all_axes


def gridsize(ndim):
    all_axes = tuple(getattr(gridDim, a) * getattr(blockDim, a) for a in "xyz"[:ndim])
    return all_axes[0] if ndim == 1 else all_axes


class Block:
    """The threads of a block. One runs at a time: whose turn it is goes round where they wait for each other."""

    def __init__(self, count):
        self.count, self.turn = count, threading.Condition()
        self.current, self.ended, self.waiting, self.round = 0, [False] * count, 0, 0
        self.shared, self.votes, self.values, self.lanes = {}, {}, {}, {}

    def pass_on(self, own):
        """Goes on when it is this thread's turn again."""
        with self.turn:
            self._next(own)
            self.turn.wait_for(lambda: self.current == own)

    def _next(self, own):
        for step in range(1, self.count + 1):
            other = (own + step) % self.count
            if not self.ended[other]:
                self.current = other
                break
        self.turn.notify_all()

    def start(self, own):
        with self.turn:
            self.turn.wait_for(lambda: self.current == own)

    def end(self, own):
        with self.turn:
            self.ended[own] = True
            self._next(own)

    def barrier(self):
        round_ = self.round
        self.waiting += 1
        while round_ == self.round and self.waiting < self.ended.count(False):
            self.pass_on(here.number)
        if round_ == self.round:
            self.waiting, self.round = 0, self.round + 1

    def exchange(self, mask, value):
        """What the lanes of the mask give, by lane."""
        warp, lane = divmod(here.number, 32)
        call = self.lanes.setdefault(here.number, 0)
        self.lanes[here.number] += 1
        self.values.setdefault((warp, call), {})[lane] = value
        members = [k for k in range(32) if int(mask) >> k & 1 and warp * 32 + k < self.count]
        while any(k not in self.values[warp, call] for k in members if not self.ended[warp * 32 + k]):
            self.pass_on(here.number)
        return self.values[warp, call]


def syncthreads():
    here.block.barrier()


def syncwarp(mask=0xffffffff):
    here.block.exchange(mask, None)


def threadfence():
    pass


threadfence_block = threadfence_system = threadfence


def _votes(p):
    call = here.calls
    here.calls += 1
    here.block.votes.setdefault(call, []).append(bool(p))
    here.block.barrier()
    return here.block.votes[call]


def syncthreads_count(p):
    return sum(_votes(p))


def syncthreads_and(p):
    return int(all(_votes(p)))


def syncthreads_or(p):
    return int(any(_votes(p)))


def _lane():
    return here.number % 32


class _Lane:
    def __getattr__(self, name):
        if name == "laneid":
            return _lane()
        raise AttributeError(name)


def lanemask_lt():
    return (1 << _lane()) - 1


def shfl_sync(mask, value, lane):
    return here.block.exchange(mask, value)[lane % 32]


def _taken(mask, value, lane):
    return here.block.exchange(mask, value).get(lane, value)


def shfl_up_sync(mask, value, delta):
    return _taken(mask, value, _lane() - delta)


def shfl_down_sync(mask, value, delta):
    return _taken(mask, value, _lane() + delta)


def shfl_xor_sync(mask, value, lane_mask):
    return _taken(mask, value, _lane() ^ lane_mask)


def ballot_sync(mask, p):
    values = here.block.exchange(mask, bool(p))
    return sum(1 << lane for lane, value in values.items() if value and int(mask) >> lane & 1)


def all_sync(mask, p):
    values = here.block.exchange(mask, bool(p))
    return all(value for lane, value in values.items() if int(mask) >> lane & 1)


def any_sync(mask, p):
    return ballot_sync(mask, p) != 0


def _dtype(given):
    return given.dtype if isinstance(given, Type) else given


class shared:
    @staticmethod
    def array(shape, dtype):
        if shape == 0:  # all such arrays begin at one address
            memory = here.block.shared.setdefault("launch", np.zeros(here.bytes, np.uint8))
            return memory[:here.bytes // np.dtype(_dtype(dtype)).itemsize * np.dtype(_dtype(dtype)).itemsize].view(_dtype(dtype))
        place = here.arrays
        here.arrays += 1
        return here.block.shared.setdefault(place, np.zeros(shape, _dtype(dtype)))


class const:
    @staticmethod
    def array_like(ary):
        return ary


class cg:
    """Of a kernel that calls this, all threads are one block to the stand-in."""

    @staticmethod
    def this_grid():
        return _types.SimpleNamespace(sync=syncthreads)


def match_any_sync(mask, value):
    values = here.block.exchange(mask, value)
    return sum(1 << lane for lane, other in values.items() if other == value and int(mask) >> lane & 1)


def match_all_sync(mask, value):
    same = match_any_sync(mask, value)
    return (mask, True) if same == mask else (0, False)


def eq_sync(mask, predicate):
    return match_any_sync(mask, bool(predicate)) == mask


def _of_library(name):
    """Of single threads, and of no others: as the library's own text has them."""
    return lambda *given: getattr(_library("numba_cuda"), name)(*given)


def _library(name):
    if str(LIBRARY) not in sys.path:
        sys.path.append(str(LIBRARY))
    return importlib.import_module("numpy_library." + name)


LIBRARY = pathlib.Path(__file__).parents[3] / "lib" / "Python"
popc, brev, clz, ffs, fma, cbrt, selp, nanosleep = (
    _of_library(name) for name in ("popc", "brev", "clz", "ffs", "fma", "cbrt", "selp", "nanosleep"))


class local:
    @staticmethod
    def array(shape, dtype):
        return np.zeros(shape, _dtype(dtype))


def _atomic(update):
    def operation(ary, idx, val):
        old = ary[idx]
        with np.errstate(all="ignore"):
            ary[idx] = update(old, ary.dtype.type(val))
        return old
    return staticmethod(operation)


class atomic:
    add = _atomic(lambda old, val: old + val)
    sub = _atomic(lambda old, val: old - val)
    max = _atomic(lambda old, val: val if val > old else old)
    min = _atomic(lambda old, val: val if val < old else old)
    nanmax = _atomic(np.fmax)
    nanmin = _atomic(np.fmin)
    and_ = _atomic(lambda old, val: old & val)
    or_ = _atomic(lambda old, val: old | val)
    xor = _atomic(lambda old, val: old ^ val)
    inc = _atomic(lambda old, val: 0 if old >= val else old + 1)
    dec = _atomic(lambda old, val: val if old == 0 or old > val else old - 1)
    exch = _atomic(lambda old, val: val)

    @staticmethod
    def cas(ary, idx, old, val):
        seen = ary[idx]
        if seen == old:
            ary[idx] = val
        return seen

    @staticmethod
    def compare_and_swap(ary, old, val):
        return atomic.cas(ary, (0,) * ary.ndim, old, val)


here_of_launch = {"bytes": 0}
WAITS = ("syncthreads", "syncwarp", "_sync", "shared")


def _waits(function, seen=None):
    """Does the code wait for other threads, or share memory with them?"""
    seen = set() if seen is None else seen
    if function in seen:
        return False
    seen.add(function)
    names = function.__code__.co_names
    if any(word in name for name in names for word in WAITS):
        return True
    others = (function.__globals__.get(name) for name in names)
    return any(_waits(other, seen) for other in others if isinstance(other, _types.FunctionType))


class Kernel:
    def __init__(self, function, types):
        self.function, self.types = function, types
        functools.update_wrapper(self, function)

    def __getitem__(self, shape):
        grid_, block = _axes(shape[0]), _axes(shape[1])
        threads = block.x * block.y * block.z
        if min(block.x, block.y, block.z) < 1 or threads > 1024:
            raise ValueError("the block")
        if min(grid_.x, grid_.y, grid_.z) < 0:
            raise ValueError("the grid")
        return functools.partial(self._launch, grid_, block, shape[3] if len(shape) == 4 else 0)

    def forall(self, ntasks, tpb=0, stream=0, sharedmem=0):
        return self[-(-ntasks // (tpb or 256)), tpb or 256, stream, sharedmem]

    def configure(self, griddim, blockdim, stream=0, sharedmem=0):
        return self[griddim, blockdim, stream, sharedmem]

    def _launch(self, grid_, block, shared_bytes, *args):
        here_of_launch["bytes"] = shared_bytes
        if self.types:
            args = [a if t.is_array or t.dtype is None else t.dtype(a) for a, t in zip(args, self.types)]
        if "this_grid" in self.function.__code__.co_names:
            return _run_grid(self.function, args, block, grid_)
        run = _run_together if _waits(self.function) else _run_alone
        for z in range(grid_.z):
            for y in range(grid_.y):
                for x in range(grid_.x):
                    run(self.function, args, Axes(x=x, y=y, z=z), block, grid_)


def _place(number, block):
    return Axes(x=number % block.x, y=number // block.x % block.y, z=number // (block.x * block.y))


def _enter(number, at, block, grid_):
    here.threadIdx, here.blockIdx, here.blockDim, here.gridDim = _place(number, block), at, block, grid_
    here.number, here.arrays, here.calls, here.bytes = number, 0, 0, here_of_launch["bytes"]


def _run_alone(function, args, at, block, grid_):
    for number in range(block.x * block.y * block.z):
        _enter(number, at, block, grid_)
        function(*args)


def _run_grid(function, args, block, grid_):
    each = block.x * block.y * block.z
    _run_threads(function, args, each * grid_.x * grid_.y * grid_.z,
                 lambda number: (_enter(number % each, _place(number // each, grid_), block, grid_), setattr(here, "number", number)))


def _run_together(function, args, at, block, grid_):
    _run_threads(function, args, block.x * block.y * block.z, lambda number: _enter(number, at, block, grid_))


def _run_threads(function, args, count, enter):
    team, errors = Block(count), []

    def work(number):
        enter(number)
        here.block = team
        team.start(number)
        try:
            with np.errstate(all="ignore"):
                function(*args)
        except Exception as error:
            errors.append(error)
        team.end(number)

    threads = [threading.Thread(target=work, args=(number,)) for number in range(team.count)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    if errors:
        raise errors[0]


def jit(*given, device=False, **options):
    if given and isinstance(given[0], _types.FunctionType):
        return Kernel(given[0], None)
    types = signature_of(given[0]) if given and not isinstance(given[0], list) else None
    if device and given:
        return lambda function: converting(function, given[0] if isinstance(given[0], list) else [given[0]])
    return lambda function: function if device else Kernel(function, types)


#===--- what the host calls ---


class DeviceArray(np.ndarray):
    def copy_to_host(self, ary=None, stream=0):
        if ary is None:
            return np.array(self)
        ary[...] = self
        return ary

    def copy_to_device(self, ary, stream=0):
        self[...] = ary


def to_device(obj, stream=0, copy=True, to=None):
    if to is not None:
        to[...] = obj
        return to
    return np.array(obj).view(DeviceArray)


def device_array(shape, dtype=np.float64, strides=None, order="C", stream=0):
    return np.zeros(shape, _dtype(dtype), order).view(DeviceArray)


def device_array_like(ary, stream=0):
    return np.zeros_like(ary).view(DeviceArray)


def pinned_array(shape, dtype=np.float64, strides=None, order="C"):
    return np.zeros(shape, _dtype(dtype), order)


mapped_array = managed_array = pinned_array


def synchronize():
    pass


class _Stream:
    def synchronize(self):
        pass

    def auto_synchronize(self):
        return contextlib.nullcontext(self)


def stream():
    return _Stream()


default_stream = legacy_default_stream = per_thread_default_stream = stream


class event:
    def __init__(self, timing=True):
        self.at = None

    def record(self, stream=0):
        self.at = time.perf_counter()

    def synchronize(self):
        pass

    def wait(self, stream=0):
        pass

    def query(self):
        return True

    def elapsed_time(self, evtend):
        return 1000 * (evtend.at - self.at)


def event_elapsed_time(evtstart, evtend):
    return evtstart.elapsed_time(evtend)


def pinned(*arrays):
    return contextlib.nullcontext()


def defer_cleanup():
    return contextlib.nullcontext()


class Reduce:
    """Folds the elements into the neutral value, in order."""

    def __init__(self, functor):
        self.functor = functor

    def __call__(self, arr, size=None, res=None, init=0, stream=0):
        arr = arr[:size]
        value = arr.dtype.type(init)
        for x in arr:
            value = self.functor(value, x)
        if res is None:
            return value
        res[0] = value


reduce = Reduce


def __getattr__(name):
    if name == "laneid":
        return _lane()
    if name == "libdevice":
        return _types.SimpleNamespace(**{**vars(_library("numba_cuda_libdevice")), **vars(_library("numba_cuda_libdevice_more"))})
    raise AttributeError(name)
