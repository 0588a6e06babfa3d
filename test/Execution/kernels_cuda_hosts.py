"""What Numba's documentation has hosts do around kernels: events, reductions, streams, contexts of memory; and what lanes exchange."""
import math

import numpy as np
from numba import cuda, int32, njit

TARGETS = ("cpu", "emulated", "checked")
SIZES = (0, 1, 7, 33, 257)


@cuda.reduce
def sum_reduce(a, b):
    return a + b


max_reduce = cuda.Reduce(lambda a, b: a if a > b else b)
prod_reduce = cuda.reduce(lambda x, y: x * y)


#appyc: def reduced(x: f64[N])
def reduced(x):
    got = sum_reduce(x)
    dev = cuda.to_device(x)
    res = cuda.to_device(np.zeros(1))
    sum_reduce(dev, res=res)
    return got, sum_reduce(x, init=3.5), res.copy_to_host(), max_reduce(x, init=-1.0), prod_reduce(x, size=min(3, x.size), init=1.0)


def inputs_reduced(n, rng):
    return (rng.random(n),)


#appyc: def reduced_ints(x: i32[N])
def reduced_ints(x):
    return sum_reduce(x), max_reduce(x)


sizes_reduced_ints = (1, 7, 33, 257)


def inputs_reduced_ints(n, rng):
    return (rng.integers(0, 99, n).astype(np.int32),)


@cuda.jit
def increment_by_one(an_array):
    pos = cuda.grid(1)
    if pos < an_array.size:
        an_array[pos] += 1


@cuda.jit
def increment_a_2D_array(an_array):
    x, y = cuda.grid(2)
    if x < an_array.shape[0] and y < an_array.shape[1]:
        an_array[x, y] += 1


#appyc: def incremented(a: f64[N], b: f64[M, N])
def incremented(a, b):
    threadsperblock = 32
    blockspergrid = (a.size + (threadsperblock - 1)) // threadsperblock
    start = cuda.event()
    end = cuda.event(timing=True)
    start.record()
    increment_by_one[blockspergrid, threadsperblock](a)
    end.record()
    end.synchronize()
    start.wait()
    mapped = cuda.mapped_array(b.shape, dtype=np.float64)
    mapped[:] = b
    threadsperblock = (16, 16)
    blockspergrid_x = math.ceil(b.shape[0] / threadsperblock[0])
    blockspergrid_y = math.ceil(b.shape[1] / threadsperblock[1])
    blockspergrid = (blockspergrid_x, blockspergrid_y)
    increment_a_2D_array[blockspergrid, threadsperblock](mapped)
    return mapped + 0.0


def inputs_incremented(n, rng):
    return rng.random(n), rng.random((3, n))


@cuda.jit
def compact_by_mask(x, out, count):
    i = cuda.grid(1)
    keep = i < x.shape[0] and x[i] > 0.5
    mask = cuda.ballot_sync(0xffffffff, keep)
    below = cuda.popc(mask & cuda.lanemask_lt())
    start = cuda.shared.array(1, int32)
    if cuda.threadIdx.x == 0:
        start[0] = cuda.atomic.add(count, 0, cuda.popc(mask))
    cuda.syncthreads()
    if keep:
        out[start[0] + below] = x[i]


#appyc: def with_lanemask(x: f64[N])
def with_lanemask(x):
    out = np.zeros_like(x)
    count = np.zeros(1, np.int32)
    compact_by_mask[(x.shape[0] + 31) // 32, 32](x, out, count)
    return np.sort(out), count


def inputs_with_lanemask(n, rng):
    return (rng.random(n),)


#appyc: def many_streams(x: f64[K, N])
def many_streams(x):
    streams = [cuda.stream() for _ in range(3)]
    out = np.zeros_like(x)
    for k in range(3):
        d = cuda.to_device(x[k], stream=streams[k])
        increment_by_one[(x.shape[1] + 31) // 32, 32, streams[k]](d)
        d.copy_to_host(out[k], stream=streams[k])
    cuda.synchronize()
    return out


def inputs_many_streams(n, rng):
    return (rng.random((3, n)),)


#appyc: def device_methods(x: f64[M, N])
def device_methods(x):
    d = cuda.to_device(x)
    y = d.reshape(d.size)
    increment_by_one.forall(len(y))(y)
    s = d.size + d.ndim + d.shape[0]
    return y.copy_to_host(), s, d.nbytes


def inputs_device_methods(n, rng):
    return (rng.random((2, n)),)


@cuda.jit
def axpy_k(r, a, x, y):
    i = cuda.grid(1)
    if i < len(r):
        r[i] = a * x[i] + y[i]


#appyc: def configured(x: f32[N], y: f32[N])
def configured(x, y):
    r = np.empty_like(x)
    launch = axpy_k[32, 32]
    launch(r, 2.0, x, y)
    run = axpy_k.forall(len(r))
    run(r, 3.0, r, y)
    with cuda.defer_cleanup():
        pass
    s = cuda.default_stream()
    axpy_k[32, 32, 0](r, 1.0, r, y)
    axpy_k[32, 32, s](r, 1.0, r, y)
    return r


def inputs_configured(n, rng):
    return rng.random(n, dtype=np.float32), rng.random(n, dtype=np.float32)


@cuda.jit
def dot_kernel(a, b, out):
    cache = cuda.shared.array(32, np.float64)
    t = cuda.threadIdx.x
    acc = 0.
    for i in range(cuda.grid(1), a.size, cuda.gridsize(1)):
        acc += a[i] * b[i]
    cache[t] = acc
    cuda.syncthreads()
    half = cuda.blockDim.x // 2
    while half != 0:
        if t < half:
            cache[t] += cache[t + half]
        cuda.syncthreads()
        half //= 2
    if t == 0:
        cuda.atomic.add(out, 0, cache[0])


#appyc: def dot_by_blocks(a: f64[N], b: f64[N])
def dot_by_blocks(a, b):
    stream = cuda.stream()
    with cuda.pinned(a, b):
        da = cuda.to_device(a, stream=stream)
        db = cuda.to_device(b, stream=stream)
        out = cuda.to_device(np.zeros(1), stream=stream)
        dot_kernel[4, 32, stream](da, db, out)
        host = out.copy_to_host(stream=stream)
    stream.synchronize()
    return host[0]


def inputs_dot_by_blocks(n, rng):
    return rng.random(n), rng.random(n)


@cuda.jit
def busy_compaction(x, threshold, out, count):
    i = cuda.grid(1)
    keep = i < x.shape[0] and x[i] > threshold
    mask = cuda.ballot_sync(0xffffffff, keep)
    lane = cuda.laneid
    leader = 0
    base = int32(0)
    if lane == leader:
        base = cuda.atomic.add(count, 0, cuda.popc(mask))
    base = cuda.shfl_sync(0xffffffff, base, leader)
    if keep:
        out[base + cuda.popc(mask & ((1 << lane) - 1))] = x[i]


#appyc: def compaction(x: f64[N], t: f64)
def compaction(x, t):
    out = np.zeros_like(x)
    count = np.zeros(1, np.int32)
    busy_compaction[(x.shape[0] + 31) // 32, 32](x, t, out, count)
    return np.sort(out), count


def inputs_compaction(n, rng):
    return rng.random(n), 0.4


class Model:
    """Kernels and functions of Numba's among a class's methods."""

    @staticmethod
    @njit(fastmath=True)
    def rate(x, k):
        return x * k + 1

    @staticmethod
    @cuda.jit(device=True)
    def square(x):
        return x * x

    @staticmethod
    @cuda.jit
    def steps(a, k):
        i = cuda.grid(1)
        if i < a.size:
            a[i] = Model.rate(a[i], k) + Model.square(a[i])

    def __init__(self, k):
        self.k = k

    def run(self, a):
        Model.steps[(a.size + 31) // 32, 32](a, self.k)
        self.steps.forall(a.size)(a, self.k)


@cuda.jit(device=True)
def added(a, b):
    return a + b


@cuda.jit(device=True)
def multiplied(a, b):
    return a * b


OPERATIONS = {"+": added, "*": multiplied}
COUNTS = {"few": 2, "many": 20}


def kernel_of(operation, count):
    @cuda.jit
    def applied(a, b):
        i = cuda.grid(1)
        if i < a.size:
            for k in range(count):
                a[i] = operation(a[i], b[i])
    return applied


plus = kernel_of(OPERATIONS["+"], COUNTS["many"])
times = kernel_of(OPERATIONS["*"], COUNTS["few"])


#appyc: def through_methods(a: f64[N])
def through_methods(a):
    b = a.copy()
    Model(0.5).run(a)
    plus.forall(a.size)(a, b)
    times.forall(a.size)(a, b)


def inputs_through_methods(n, rng):
    return (rng.random(n),)
