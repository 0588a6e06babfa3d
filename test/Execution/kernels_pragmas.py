"""APPy's annotations: every loop mark, statement mark and property; they change the mapping, never the result."""
from __future__ import annotations

import numpy as np
import appy


def parallel_rows(m: f64[M, N]):
    #pragma parallel for
    for i in range(m.shape[0]):
        for j in range(1, m.shape[1]):
            m[i, j] += 0.5 * m[i, j - 1]


def parallel_nest(m: f64[M, N]):
    #pragma parallel for
    for i in range(m.shape[0]):
        #pragma parallel for
        for j in range(m.shape[1]):
            m[i, j] = m[i, j] * 2.0 + i - j


def simd_reduction(m: f64[M, N]) -> f64[M]:
    out = np.empty(m.shape[0])
    #pragma parallel for
    for i in range(m.shape[0]):
        total = 0.0
        #pragma simd
        for j in range(m.shape[1]):
            total += m[i, j] * m[i, j]
        out[i] = np.sqrt(total)
    return out


def simd_with_a_length(a: f64[N]):
    #pragma parallel for simd(64)
    for i in range(a.shape[0]):
        a[i] = np.exp(a[i])


def lanes_exchange_values(m: f64[M, N], out: f64[M, N]):
    """The second inner loop reads what other lanes wrote: a barrier stands between the two."""
    #pragma parallel for
    for i in range(m.shape[0]):
        n = m.shape[1]
        #pragma simd
        for j in range(n):
            out[i, j] = m[i, j] * 2.0
        #pragma simd
        for j in range(n):
            m[i, j] = out[i, n - 1 - j]


def inputs_lanes_exchange_values(size, rng):
    return rng.random((size, size + 2)), np.zeros((size, size + 2))


def sequential_loop(a: f64[N]):
    #pragma sequential for
    for i in range(1, a.shape[0]):
        a[i] += 0.5 * a[i - 1]


def sequential_between_parallel(a: f64[N]) -> f64[N]:
    n = a.shape[0]
    scratch = np.zeros(n + 1)
    #pragma parallel for simd
    for i in range(n):
        scratch[i] = 2.0 * a[i]
    #pragma sequential for
    for i in range(1, n):
        scratch[i] += scratch[i - 1]
    out = np.empty(n)
    #pragma parallel for simd
    for i in range(n):
        out[i] = scratch[i] + a[i]
    return out


def warps(m: f64[M, N]) -> f64[M]:
    out = np.zeros(m.shape[0])
    #pragma parallel for num_warps(2)
    for i in range(m.shape[0]):
        #pragma simd
        for j in range(m.shape[1]):
            out[i] += m[i, j]
    return out


def atomic_updates(k: i32[N], v: f64[N]):
    sums = np.zeros(8)
    counts = np.zeros(8, dtype=np.int32)
    largest = np.full(8, -np.inf)
    smallest = np.full(8, np.inf)
    #pragma parallel for simd
    for i in range(k.shape[0]):
        b = k[i]
        #pragma atomic
        sums[b] += v[i]
        #pragma atomic
        counts[b] += 1
        #pragma atomic
        largest[b] = max(largest[b], v[i])
        #pragma atomic
        smallest[b] = min(smallest[b], v[i])
    return sums, counts, largest, smallest


def atomic_integers(k: i32[N], v: i64[N]):
    sums = np.zeros(8, dtype=np.int64)
    largest = np.full(8, -100, dtype=np.int64)
    narrow = np.zeros(8, dtype=np.float32)
    #pragma parallel for simd
    for i in range(k.shape[0]):
        b = k[i]
        #pragma atomic
        sums[b] -= v[i]
        #pragma atomic
        largest[b] = max(largest[b], v[i])
        #pragma atomic
        narrow[b] += 0.5
    return sums, largest, narrow


def inputs_atomic_updates(size, rng):
    return rng.integers(0, 8, size).astype(np.int32), rng.standard_normal(size)


def inputs_atomic_integers(size, rng):
    return rng.integers(0, 8, size).astype(np.int32), rng.integers(-50, 50, size)


def tensor_map(a: f64[M, N], b: f64[M, N]) -> f64[M, N]:
    M, N = a.shape
    c = np.empty((M, N))
    #pragma :M=>parallel :N=>parallel,block(64)
    c[:M, :N] = a[:M, :N] * b[:M, :N] + 1.0
    return c


def inputs_tensor_map(size, rng):
    return rng.random((size, size + 2)), rng.random((size, size + 2))


def tensor_reductions(a: f64[M, N]):
    M, N = a.shape
    sums = np.empty(M)
    largest = np.empty(N)
    #pragma :M=>parallel,block(2) :N=>reduce(sum:sums)
    sums[:M] = np.sum(a[:M, :N], axis=1)
    #pragma :N=>parallel :M=>reduce(max)
    largest[:N] = np.max(a[:M, :N], axis=0)
    return sums, largest


sizes_tensor_reductions = (1, 2, 3, 33, 129)


def tensor_in_a_worker(a: f64[M, N], out: f64[M, N]):
    M, N = a.shape
    #pragma parallel for
    for i in range(M):
        #pragma :N=>reduce(max)
        top = np.max(a[i, :N])
        #pragma :N=>simd(128)
        out[i, :N] = a[i, :N] / top


def inputs_tensor_in_a_worker(size, rng):
    return rng.random((size, size + 2)) + 0.1, np.zeros((size, size + 2))


def single_block(a: f64[M, N]):
    M, N = a.shape
    #pragma :M=>parallel :N=>le(256)
    a[:M, :N] = a[:M, :N] - 0.5


def atomic_vectors(labels: i32[N], rows: f64[N, C]) -> f64[4, C]:
    N, C = rows.shape
    sums = np.zeros((4, C))
    #pragma parallel for
    for i in range(N):
        k = labels[i]
        #pragma atomic :C=>le(128)
        sums[k, :C] += rows[i, :C]
    return sums


def inputs_atomic_vectors(size, rng):
    return rng.integers(0, 4, size).astype(np.int32), rng.random((size, 5))


def vector_indices(a: f64[N], b: f64[N]):
    N = a.shape[0]
    #pragma parallel for
    for i in range(0, N, 100):
        lanes = appy.vidx(i, 100, bound=N)
        b[lanes] = a[lanes] * 2.0 + b[lanes]


def vector_neighbours(a: f64[N]) -> f64[N]:
    n = a.shape[0]
    out = np.zeros(n)
    #pragma parallel for
    for i in range(1, n - 1, appy.MVL):
        here = appy.vidx(i, appy.MVL, n - 1)
        left = appy.vidx(i - 1, appy.MVL, n - 2)
        right = appy.vidx(i + 1, appy.MVL, n)
        out[here] = a[left] + a[here] + a[right]
    return out


def inputs_vector_indices(size, rng):
    return rng.random(size), rng.random(size)


def gather_and_scatter(index: i32[N], a: f64[N]) -> f64[N]:
    """The annotation is the user's word: the index is a permutation."""
    out = np.zeros(a.shape[0])
    #pragma parallel for simd
    for i in range(a.shape[0]):
        out[index[i]] = a[i] + a[index[i]]
    return out


def inputs_gather_and_scatter(size, rng):
    return rng.permutation(size).astype(np.int32), rng.random(size)


def private_scalars(a: f64[N]) -> f64[N]:
    out = np.empty_like(a)
    #pragma parallel for simd
    for i in range(a.shape[0]):
        x = a[i]
        if x > 0.5:
            x = 1.0 - x
        y = x * x
        out[i] = y + x
    return out


def last_reader_sees_the_sum(a: f64[N]) -> f64[N]:
    """A reduction over all workers, then workers that need its result: two kernels, or a grid barrier."""
    n = a.shape[0]
    total = np.zeros(1)
    #pragma parallel for simd
    for i in range(n):
        #pragma atomic
        total[0] += a[i]
    out = np.empty(n)
    #pragma parallel for simd
    for i in range(n):
        out[i] = a[i] / total[0]
    return out


def make_inputs_matrix(size, rng):
    return (rng.random((size, size + 2)),)


inputs_parallel_rows = inputs_parallel_nest = inputs_simd_reduction = inputs_warps = make_inputs_matrix
inputs_tensor_reductions = inputs_single_block = make_inputs_matrix
SIZES = (0, 1, 2, 3, 31, 33, 129, 257)
sizes_tensor_in_a_worker = (*SIZES, 258)  # whose rows are kept
sizes_single_block = (0, 1, 3, 33, 129)


def make_inputs(size, rng):
    return (rng.random(size),)
