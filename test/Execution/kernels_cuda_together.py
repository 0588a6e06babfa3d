"""Kernels whose threads work together: lanes of a part of a warp, selection by votes, scans and sorting in a block, carries between blocks."""
import math

import numpy as np
from numba import cuda, float32, float64, int64

TARGETS = ("cpu", "emulated", "checked")
SIZES = (1, 7, 33, 130)
THREADS = 64


@cuda.jit
def halves_kernel(x, out):
    s = cuda.shared.array(32, float64)
    t = cuda.threadIdx.x
    s[t] = x[t]
    if t < 16:
        cuda.syncwarp(0xffff)
        out[t] = s[15 - t]
        cuda.syncwarp(0xffff)
    else:
        cuda.syncwarp(0xffff0000)
        out[t] = s[47 - t]
    cuda.syncwarp()


#appyc: def halves(x: f64[32])
def halves(x):
    out = np.zeros(32)
    halves_kernel[1, 32](x, out)
    return out


sizes_halves = (1,)


def inputs_halves(n, rng):
    return (rng.random(32),)


@cuda.jit
def compact_kernel(x, out, count):
    i = cuda.grid(1)
    keep = i < x.shape[0] and x[i] > 0.5
    mask = cuda.ballot_sync(0xffffffff, keep)
    lane = cuda.laneid
    before = cuda.popc(mask & cuda.lanemask_lt())
    base = 0
    if lane == 0:
        base = cuda.atomic.add(count, 0, cuda.popc(mask))
    base = cuda.shfl_sync(0xffffffff, base, 0)
    if keep:
        out[base + before] = x[i]


#appyc: def compacted(x: f64[N])
def compacted(x):
    out = np.zeros_like(x)
    count = np.zeros(1, np.int64)
    compact_kernel[(x.shape[0] + 127) // 128 + 1, 128](x, out, count)
    out[:count[0]].sort()
    return out, count


def inputs_compacted(n, rng):
    return (rng.random(n),)


@cuda.jit
def scan_block(x, out, sums):
    temp = cuda.shared.array(THREADS * 2, float64)
    t = cuda.threadIdx.x
    base = cuda.blockIdx.x * THREADS * 2
    i0, i1 = base + 2 * t, base + 2 * t + 1
    temp[2 * t] = x[i0] if i0 < x.size else 0.0
    temp[2 * t + 1] = x[i1] if i1 < x.size else 0.0
    offset = 1
    d = THREADS
    while d > 0:
        cuda.syncthreads()
        if t < d:
            ai = offset * (2 * t + 1) - 1
            bi = offset * (2 * t + 2) - 1
            temp[bi] += temp[ai]
        offset <<= 1
        d >>= 1
    cuda.syncthreads()
    if t == 0:
        sums[cuda.blockIdx.x] = temp[2 * THREADS - 1]
        temp[2 * THREADS - 1] = 0
    d = 1
    while d < THREADS * 2:
        offset >>= 1
        cuda.syncthreads()
        if t < d:
            ai = offset * (2 * t + 1) - 1
            bi = offset * (2 * t + 2) - 1
            temp[ai], temp[bi] = temp[bi], temp[bi] + temp[ai]
        d *= 2
    cuda.syncthreads()
    if i0 < x.size:
        out[i0] = temp[2 * t]
    if i1 < x.size:
        out[i1] = temp[2 * t + 1]


@cuda.jit
def add_carry(out, carry):
    for k in range(2):
        i = cuda.blockIdx.x * THREADS * 2 + 2 * cuda.threadIdx.x + k
        if i < out.shape[0]:
            out[i] += carry[cuda.blockIdx.x]


#appyc: def exclusive(x: f64[N])
def exclusive(x):
    nb = (x.size + 2 * THREADS - 1) // (2 * THREADS)
    out = cuda.device_array_like(x)
    sums = cuda.device_array(nb, np.float64)
    scan_block[nb, THREADS](x, out, sums)
    h = sums.copy_to_host()
    carry = np.concatenate((np.zeros(1), np.cumsum(h)[:-1]))
    add_carry[nb, THREADS](out, cuda.to_device(carry))
    return out.copy_to_host()


def inputs_exclusive(n, rng):
    return (rng.random(n),)


@cuda.jit
def bitonic(a):
    s = cuda.shared.array(64, float32)
    t = cuda.threadIdx.x
    n = a.shape[0]
    s[t] = a[t] if t < n else np.float32(np.inf)
    cuda.syncthreads()
    k = 2
    while k <= 64:
        j = k // 2
        while j > 0:
            ixj = t ^ j
            if ixj > t:
                up = (t & k) == 0
                if (up and s[t] > s[ixj]) or (not up and s[t] < s[ixj]):
                    tmp = s[t]
                    s[t] = s[ixj]
                    s[ixj] = tmp
            cuda.syncthreads()
            j //= 2
        k *= 2
    if t < n:
        a[t] = s[t]


#appyc: def sort64(a: f32[N])
def sort64(a):
    d = cuda.to_device(a)
    bitonic[1, 64](d)
    return d.copy_to_host()


def inputs_sort64(n, rng):
    return (rng.random(n, dtype=np.float32),)


@cuda.jit
def argmax_kernel(x, best):
    i = cuda.grid(1)
    if i >= x.size:
        return
    packed = (int64(x[i]) << 32) | int64(i)
    cuda.atomic.max(best, 0, packed)


#appyc: def argmax(x: i32[N])
def argmax(x):
    best = np.full(1, -1, np.int64)
    argmax_kernel[(x.size + 31) // 32, 32](x, best)
    return best[0] >> 32, best[0] & 0xffffffff


def inputs_argmax(n, rng):
    return (rng.integers(0, 1000, n).astype(np.int32),)


@cuda.jit("void(f4[:,:], f4[:,:])")
def transpose_kernel(a, out):
    tile = cuda.shared.array(shape=(32, 33), dtype=float32)
    bx, by = cuda.blockIdx.x * 32, cuda.blockIdx.y * 32
    tx, ty = cuda.threadIdx.x, cuda.threadIdx.y
    for j in range(0, 32, 8):
        if by + ty + j < a.shape[0] and bx + tx < a.shape[1]:
            tile[ty + j, tx] = a[by + ty + j, bx + tx]
    cuda.syncthreads()
    for j in range(0, 32, 8):
        if bx + ty + j < a.shape[1] and by + tx < a.shape[0]:
            out[bx + ty + j, by + tx] = tile[tx, ty + j]


#appyc: def transposed(a: f32[M, N])
def transposed(a):
    out = cuda.device_array((a.shape[1], a.shape[0]), np.float32)
    grid = (math.ceil(a.shape[1] / 32), math.ceil(a.shape[0] / 32))
    transpose_kernel[grid, (32, 8)](a, out)
    return out.copy_to_host()


sizes_transposed = (1, 33, 70)


def inputs_transposed(n, rng):
    return (rng.random((n, n // 2 + 1), dtype=np.float32),)
