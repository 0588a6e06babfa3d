"""Kernels in Numba's notation (`@cuda.jit`), launched from functions with types."""
import math

import numpy as np
from numba import cuda, float32, int32, uint32
from numba.cuda import libdevice

TARGETS = ("cpu", "emulated", "checked")
SIZES = (1, 2, 3, 31, 33, 129)
N = 16
BINS = 8


def blocks(n, threads):
    return (n + threads - 1) // threads


#===--- positions, loads and stores ---


@cuda.jit
def saxpy_kernel(a, x, y, out):
    i = cuda.grid(1)
    if i < out.shape[0]:
        out[i] = a * x[i] + y[i]


#appyc: def saxpy(a: f32, x: f32[:], y: f32[:])
def saxpy(a, x, y):
    out = np.zeros_like(x)
    saxpy_kernel[blocks(x.shape[0], 32), 32](a, x, y, out)
    return out


def inputs_saxpy(size, rng):
    return np.float32(1.5), rng.random(size, dtype=np.float32), rng.random(size, dtype=np.float32)


@cuda.jit("void(f8[:,:], f8[:,:], f8[:,:], i4)")
def product_kernel(a, b, c, n):
    row = cuda.blockIdx.y * cuda.blockDim.y + cuda.threadIdx.y
    col = cuda.blockIdx.x * cuda.blockDim.x + cuda.threadIdx.x
    if row >= n or col >= n:
        return
    total = 0.0
    for k in range(n):
        total += a[row, k] * b[k, col]
    c[row, col] = total


#appyc: def product(a: f64[:, :], b: f64[:, :])
def product(a, b):
    n = a.shape[0]
    c = np.empty((n, n))
    product_kernel[(blocks(n, 8), blocks(n, 4)), (8, 4)](a, b, c, n)
    return c



sizes_product = (1, 2, 7, 17)


def inputs_product(size, rng):
    return rng.random((size, size)), rng.random((size, size))


@cuda.jit
def strided_kernel(x, out):
    start = cuda.grid(1)
    stride = cuda.gridsize(1)
    for i in range(start, x.shape[0], stride):
        if x[i] < 0:
            continue
        out[i] = math.sqrt(x[i]) + i


#appyc: def strided(x: f64[:], out: f64[:])
def strided(x, out):
    for _ in range(2):
        strided_kernel[2, 32](x, out)
    strided_kernel[(1, 1), (16,)](out, out)


def inputs_strided(size, rng):
    return rng.normal(size=size), np.zeros(size)


@cuda.jit(device=True)
def collatz(n):
    steps = 0
    while n != 1:
        if n % 2 == 0:
            n = n // 2
        else:
            n = 3 * n + 1
        steps += 1
    return steps


@cuda.jit
def collatz_kernel(out):
    x, y = cuda.grid(2)
    if x >= out.shape[1] or y >= out.shape[0]:
        return
    out[y, x] = collatz(x + y * out.shape[1] + 1)


#appyc: def collatz_steps(out: i32[:, :])
def collatz_steps(out):
    collatz_kernel[(blocks(out.shape[1], 8), blocks(out.shape[0], 4)), (8, 4)](out)


def inputs_collatz_steps(size, rng):
    return (np.zeros((max(1, size // 7), size % 7 + 1), np.int32),)


@cuda.jit
def shifted_kernel(x, out, by):
    i = cuda.grid(1)
    if i < x.shape[0]:
        out[i] = x[i - by]


#appyc: def shifted(x: i64[:], rows: i64[:, :])
def shifted(x, rows):
    for k in range(rows.shape[0]):
        if k == 0:
            shifted_kernel.forall(x.shape[0], tpb=64)(x, rows[k], k % 2)
        elif k == 1:
            shifted_kernel.configure((x.shape[0] + 31) // 32, 32)(x, rows[k], k % 2)
        else:
            shifted_kernel.forall(x.shape[0])(x, rows[k], k % 2)
    return rows.sum()


def inputs_shifted(size, rng):
    return rng.integers(0, 9, size), np.zeros((3, size), np.int64)


#===--- blocks ---


@cuda.jit
def block_sums_kernel(x, out):
    tile = cuda.shared.array(N, float32)
    t = cuda.threadIdx.x
    i = cuda.grid(1)
    tile[t] = x[i] if i < x.shape[0] else 0.0
    cuda.syncthreads()
    half = N // 2
    while half > 0:
        if t < half:
            tile[t] += tile[t + half]
        cuda.syncthreads()
        half //= 2
    if t == 0:
        out[cuda.blockIdx.x] = tile[0]


#appyc: def block_sums(x: f32[:])
def block_sums(x):
    out = np.zeros(blocks(x.shape[0], N), np.float32)
    block_sums_kernel[out.shape[0], N](x, out)
    return out


def inputs_block_sums(size, rng):
    return (rng.random(size, dtype=np.float32),)


@cuda.jit
def transpose_kernel(a, out):
    tile = cuda.shared.array((8, 9), float32)
    x, y = cuda.grid(2)
    tx, ty = cuda.threadIdx.x, cuda.threadIdx.y
    if y < a.shape[0] and x < a.shape[1]:
        tile[ty, tx] = a[y, x]
    cuda.syncthreads()
    row = cuda.blockIdx.x * 8 + ty
    column = cuda.blockIdx.y * 8 + tx
    if row < out.shape[0] and column < out.shape[1]:
        out[row, column] = tile[tx, ty]


#appyc: def transposed(a: f32[:, :])
def transposed(a):
    m, n = a.shape
    out = np.empty((n, m), np.float32)
    transpose_kernel[(blocks(n, 8), blocks(m, 8)), (8, 8)](a, out)
    return out


sizes_transposed = (1, 3, 9, 17)


def inputs_transposed(size, rng):
    return (rng.random((size, size + 3), dtype=np.float32),)


@cuda.jit
def local_kernel(x, out):
    last = cuda.local.array((3,), dtype=np.float64)
    i = cuda.grid(1)
    for k in range(3):
        last[k] = x[(i + k) % x.shape[0]] if i < x.shape[0] else 0.0
    if i >= x.shape[0]:
        return
    for k in range(2):
        for j in range(2 - k):
            if last[j] > last[j + 1]:
                last[j], last[j + 1] = last[j + 1], last[j]
    out[i] = last[1]


#appyc: def medians(x: f64[:], out: f64[:])
def medians(x, out):
    local_kernel[blocks(x.shape[0], 64), 64](x, out)


def inputs_medians(size, rng):
    return rng.random(size), np.zeros(size)


#===--- atomics ---


@cuda.jit
def histogram_kernel(data, bins, places):
    i = cuda.grid(1)
    if i < data.shape[0]:
        places[i] = cuda.atomic.add(bins, data[i] % BINS, 1) * 0 + data[i]
        cuda.atomic.max(bins, BINS, data[i])
        cuda.atomic.sub(bins, BINS + 1, 2)


#appyc: def histogram(data: i32[:], bins: i32[:], places: i32[:])
def histogram(data, bins, places):
    histogram_kernel[blocks(data.shape[0], 32), 32](data, bins, places)


def inputs_histogram(size, rng):
    return rng.integers(0, 100, size).astype(np.int32), np.zeros(BINS + 2, np.int32), np.zeros(size, np.int32)


@cuda.jit
def many_atomics_kernel(x, ints, wide, reals, counts):
    i = cuda.grid(1)
    if i >= x.shape[0]:
        return
    v = int32(i % 7)
    cuda.atomic.and_(ints, 0, ~(1 << v))
    cuda.atomic.or_(ints, 1, int32(1) << v)
    cuda.atomic.xor(ints, 2, v)
    cuda.atomic.min(ints, (3,), v - 3)
    cuda.atomic.add(wide, 0, i)
    cuda.atomic.max(wide, 1, i)
    cuda.atomic.min(wide, 2, -i)
    cuda.atomic.max(reals, 0, x[i])
    cuda.atomic.min(reals, 1, x[i])
    cuda.atomic.nanmax(reals, 2, x[i])
    cuda.atomic.inc(counts, 0, 4)
    cuda.atomic.dec(counts, 1, 4)
    if cuda.atomic.cas(ints, 4, 0, 5) == 0:
        cuda.atomic.exch(ints, 5, 9)
    if cuda.atomic.compare_and_swap(wide, -1, 3) == -77:  # a sum in no order
        wide[3] = 1


#appyc: def many_atomics(x: f64[:], ints: i32[:], wide: i64[:], reals: f64[:], counts: u32[:])
def many_atomics(x, ints, wide, reals, counts):
    many_atomics_kernel[blocks(x.shape[0], 32), 32](x, ints, wide, reals, counts)


def inputs_many_atomics(size, rng):
    return (rng.normal(size=size), np.array([-1, 0, 0, 9, 0, 0], np.int32), np.zeros(4, np.int64),
            np.array([-1.0, 1.0, np.nan]), np.zeros(2, np.uint32))


#===--- warps ---


@cuda.jit
def warp_sums_kernel(x, sums, votes):
    i = cuda.grid(1)
    value = x[i] if i < x.shape[0] else 0.0
    offset = 16
    while offset > 0:
        value += cuda.shfl_down_sync(0xffffffff, value, offset)
        offset //= 2
    vote = cuda.ballot_sync(0xffffffff, i < x.shape[0])
    together = cuda.syncthreads_count(i < x.shape[0])
    if cuda.laneid == 0:
        sums[i // cuda.warpsize] = value
        votes[i // 32] = vote + together
    cuda.syncwarp()


#appyc: def warp_sums(x: f64[:])
def warp_sums(x):
    n = blocks(x.shape[0], 64)
    sums, votes = np.zeros(2 * n), np.zeros(2 * n, np.int64)
    warp_sums_kernel[n, 64](x, sums, votes)
    return sums, votes


def inputs_warp_sums(size, rng):
    return (rng.random(size),)


#===--- hosts ---


@cuda.jit
def step_kernel(a, b):
    i = cuda.grid(1)
    n = a.shape[0]
    if 0 < i < n - 1:
        b[i] = (a[i - 1] + a[i] + a[i + 1]) / 3.0
    elif i < n:
        b[i] = a[i]


#appyc: def smoothed(a: f64[:], steps: i64)
def smoothed(a, steps):
    x = a * 2.0
    y = np.empty_like(x)
    for _ in range(steps):
        step_kernel[blocks(x.shape[0], 32), 32](x, y)
        x, y = y, x
    return x + 1.0


def inputs_smoothed(size, rng):
    return rng.random(size), 5


@cuda.jit
def twice_kernel(x, y):
    i = cuda.grid(1)
    if i < x.shape[0]:
        y[i] = x[i] * 2.0


#appyc: def in_place(x: f64[:])
def in_place(x):
    twice_kernel[blocks(x.shape[0], 32), 32](x, x)
    if x[0] > 0.5:
        twice_kernel[1, 1](x, x)
    return x.sum()


def inputs_in_place(size, rng):
    return (rng.random(size),)


#===--- bits, and functions of CUDA's by name ---

WEIGHTS = np.array([0.5, -1.0, 2.0, 4.0])


@cuda.jit
def bits_kernel(x, wide, counts, turned):
    weights = cuda.const.array_like(WEIGHTS)
    i = cuda.grid(1)
    if i < x.shape[0]:
        v = x[i]
        counts[i, 0] = cuda.popc(v)
        counts[i, 1] = cuda.clz(v)
        counts[i, 2] = cuda.ffs(v)
        counts[i, 3] = cuda.popc(wide[i]) + 100 * cuda.clz(wide[i]) + 10000 * cuda.ffs(wide[i])
        counts[i, 4] = libdevice.popc(v) + libdevice.clz(v)
        turned[i, 0] = cuda.brev(uint32(v))
        turned[i, 1] = cuda.selp(v > 0, v & 7, 9)
        counts[i, 5] = weights[i % 4] * 2
        cuda.nanosleep(10)


#appyc: def bits(x: i32[:], wide: i64[:], counts: i64[:, :], turned: u32[:, :])
def bits(x, wide, counts, turned):
    bits_kernel[blocks(x.shape[0], 32), 32](x, wide, counts, turned)


def inputs_bits(size, rng):
    x = rng.integers(-2**31, 2**31, size).astype(np.int32)
    x[:1] = 0
    return x, x.astype(np.int64) << rng.integers(0, 30, size), np.zeros((size, 6), np.int64), np.zeros((size, 2), np.uint32)


@cuda.jit
def device_functions_kernel(x, out, narrow):
    i = cuda.grid(1)
    if i >= x.shape[0]:
        return
    out[i, 0] = cuda.fma(x[i], x[i], -x[i])
    out[i, 1] = cuda.cbrt(x[i])
    out[i, 2] = libdevice.hypot(x[i], 2.0) + libdevice.fdim(x[i], 0.25)
    s, c = libdevice.sincos(x[i])
    out[i, 3] = s * 2 + c
    narrow[i, 0] = libdevice.sqrtf(x[i] * x[i]) + libdevice.fast_expf(narrow[i, 0])
    narrow[i, 1] = libdevice.fmaf_rn(narrow[i, 0], narrow[i, 0], -narrow[i, 1])
    narrow[i, 2] = libdevice.double2int_rz(x[i] * 10) + libdevice.roundf(x[i] * 10)


#appyc: def device_functions(x: f64[:], out: f64[:, :], narrow: f32[:, :])
def device_functions(x, out, narrow):
    device_functions_kernel[blocks(x.shape[0], 32), 32](x, out, narrow)


def inputs_device_functions(size, rng):
    return rng.normal(size=size), np.zeros((size, 4)), rng.random((size, 3), dtype=np.float32)


@cuda.jit
def groups_kernel(x, out, same):
    i = cuda.grid(1)
    v = x[i % x.shape[0]] % 3
    mask = cuda.match_any_sync(0xffffffff, v)
    whole, is_one = cuda.match_all_sync(0xffffffff, v)
    out[i] = cuda.popc(mask) + 100 * (cuda.ffs(mask) - 1)
    same[i] = whole + is_one + 2 * cuda.eq_sync(0xffffffff, v < 3)


#appyc: def groups(x: i32[:], out: i64[:], same: i64[:])
def groups(x, out, same):
    groups_kernel[2, 32](x, out, same)


def inputs_groups(size, rng):
    return rng.integers(0, 9, size).astype(np.int32), np.zeros(64, np.int64), np.zeros(64, np.int64)


#===--- memory of the launch, and all threads of it ---


@cuda.jit
def turned_kernel(x, out):
    values = cuda.shared.array(0, float32)
    places = cuda.shared.array(0, int32)[cuda.blockDim.x:]
    t = cuda.threadIdx.x
    i = cuda.grid(1)
    if i < x.shape[0]:
        values[t] = x[i]
    places[t] = cuda.blockDim.x - 1 - t
    cuda.syncthreads()
    if i < x.shape[0]:
        out[i] = places[t] + (values[t ^ 1] if i ^ 1 < x.shape[0] else 0.0) + values.shape[0]


#appyc: def turned(x: f32[:], n: i64)
def turned(x, n):
    out = np.zeros_like(x)
    turned_kernel[blocks(x.shape[0], n), n, 0, n * 8](x, out)
    turned_kernel[1, 16, 0, 128](out, out)
    return out


def inputs_turned(size, rng):
    return rng.random(size, dtype=np.float32), 32


@cuda.jit
def waves_kernel(a, b, steps):
    grid = cuda.cg.this_grid()
    i = cuda.grid(1)
    n = a.shape[0]
    for _ in range(steps):
        if i < n:
            b[i] = a[(i + 1) % n] + a[(i + n - 1) % n]
        grid.sync()
        if i < n:
            a[i] = b[i] * 0.5
        grid.sync()


#appyc: def waves(a: f64[:], steps: i32)
def waves(a, steps):
    b = np.zeros_like(a)
    waves_kernel[2, 32](a, b, steps)
    return a.sum()


sizes_waves = (1, 2, 31, 60)


def inputs_waves(size, rng):
    return rng.random(size), 3


@cuda.jit
def columns_kernel(a, out):
    i, j = cuda.grid(2)
    if i < a.shape[0] and j < a.shape[1]:
        out[i, j] = a[i, j] * 10 + i


#appyc: def by_columns(a: f64[:, :])
def by_columns(a):
    given = cuda.to_device(a)
    columns = cuda.device_array(a.shape, np.float64, order="F")
    shape = (blocks(a.shape[0], 8), blocks(a.shape[1], 8)), (8, 8)
    columns_kernel[shape[0], shape[1]](given, columns)
    columns_kernel[shape[0], shape[1]](given, columns)
    return columns.copy_to_host()


sizes_by_columns = (1, 3, 9)


def inputs_by_columns(size, rng):
    return (rng.random((size, size + 2)),)
