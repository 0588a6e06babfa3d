"""Where APPy's first implementation went wrong: here each shows the right result."""
from __future__ import annotations

import numpy as np
import appy


@appy.jit(auto_simd=True)
def padded_lanes(a: f64[M, N]):
    """1: sum(exp(a - m)) and the maximum of negatives, with N no multiple of a block."""
    M, N = a.shape
    s = np.empty(M)
    m = np.empty(M)
    #pragma parallel for
    for i in range(M):
        #pragma :N=>block(512),reduce(max)
        top = np.max(a[i, :N])
        #pragma :N=>block(512),reduce(sum)
        s[i] = np.sum(np.exp(a[i, :N] - top))
        m[i] = top
    return s, m


@appy.jit
def shifted_masks(a: f64[N], b: f64[N]):
    """2: neighbours of a block's last lanes stay within the array."""
    N = a.shape[0]
    if N > 2:
        #pragma 1:N-1=>parallel,block(128)
        b[1:N-1] = a[:N-2] + a[1:N-1] + a[2:N]


@appy.jit
def shifted_vector_indices(a: f64[N], b: f64[N]):
    """2, with vector indices: stores at `c + v`."""
    N = a.shape[0]
    #pragma parallel for
    for i in range(0, N - 2, 128):
        v = appy.vidx(i, 128, bound=N - 2)
        b[1 + v] = a[v] + a[1 + v] + a[2 + v]


@appy.jit
def update_by_mv(A: f64[M, N], x: f64[N], y: f64[M]):
    """4: the old y counts once, however many blocks there are."""
    M, N = A.shape
    #pragma :M=>parallel :N=>block(32),reduce(sum)
    y[:M] += A[:M, :N] @ x[:N]


@appy.jit
def diagonal_of_a_loop(A: f64[N, N]):
    """5: one index twice is the diagonal."""
    #pragma parallel for simd
    for i in range(A.shape[0]):
        A[i, i] = A[i, i] * 2.0 + 1.0


@appy.jit
def diagonal_of_vector_indices(A: f64[N, N]) -> f64[N]:
    N = A.shape[0]
    d = np.empty(N)
    #pragma parallel for
    for i in range(0, N, 64):
        v = appy.vidx(i, 64, bound=N)
        d[v] = A[v, v]
        A[v, v] = 0.5 * d[v]
    return d


@appy.jit
def single_runs_in_order(h: f64[N], c: f64):
    """6: one worker runs every iteration."""
    #pragma parallel for single
    for t in range(1, h.shape[0]):
        h[t] = c * h[t - 1] + h[t]


@appy.jit
def atomic_extrema(a: f64[N]):
    """6: atomic maximum and minimum in vector form."""
    N = a.shape[0]
    high = np.full(1, -np.inf)
    low = np.full(1, np.inf)
    #pragma parallel for simd
    for i in range(N):
        #pragma atomic
        high[0] = max(high[0], a[i])
        #pragma atomic
        low[0] = min(low[0], a[i])
    return high, low


@appy.jit
def simd_multiplies(a: f64[M, N]) -> f64[M]:
    """6: `*=` in a vector body is a reduction, too."""
    out = np.empty(a.shape[0])
    #pragma parallel for
    for i in range(a.shape[0]):
        p = 1.0
        #pragma simd
        for j in range(a.shape[1]):
            p *= 1.0 + a[i, j] / 64.0
        out[i] = p
    return out


@appy.jit(dim_info={'a': ('M', 'N'), 'b': ('M', 'N'), 'x': ('K',), 'names_with_N_and_n': ('N',)})
def slice_completion(a: f64[P, Q], b: f64[P, Q], x: f64[K], y: f64[K], names_with_N_and_n: f64[Q]):
    """7: constant ends stay, one dimension counts, negative lower bounds are understood."""
    M, N = a.shape
    K = x.shape[0]
    if M > 4 and N > 4:
        #pragma :4=>parallel 1:N-1=>parallel
        b[:4, 1:-1] = a[:4, :-2] + a[:4, 2:]
        #pragma :K-1=>parallel
        y[:-1] = x[1:] - x[:-1]
        #pragma M-2:M=>parallel :N=>parallel
        b[-2:, :] = a[-2:, :] + names_with_N_and_n[None, :]


@appy.jit
def accumulate_in_parallel(k: i32[N], v: f64[N], s: f64[4]):
    """8: an atomic accumulation in a parallel loop stays on the device."""
    #pragma parallel for
    for i in range(k.shape[0]):
        #pragma atomic
        s[k[i]] += v[i]
        #pragma atomic
        s[0] += v[i]


@appy.jit
def floyd_warshall(path: f64[M, N]):
    """10: in place, with a row and a column that the step does not change."""
    M, N = path.shape
    for k in range(min(M, N)):
        #pragma :M=>parallel,block(2) :N=>parallel
        path[:M, :N] = np.minimum(path[:M, :N], path[:M, k][:, None] + path[k, :N][None, :])


@appy.jit
def in_place_neighbours(a: f64[M, N]):
    """10: the right side is read before the left is written."""
    M, N = a.shape
    if M > 2 and N > 2:
        #pragma 1:M-1=>parallel 1:N-1=>parallel
        a[1:M-1, 1:N-1] = a[:M-2, 1:N-1] + a[2:M, 1:N-1] + a[1:M-1, :N-2] + a[1:M-1, 2:N]
    if M > 0:
        #pragma :N-1=>parallel
        a[0, 1:N] = a[0, :N-1]


def inputs_shifted_masks(size, rng):
    return rng.random(size), np.zeros(size)


def inputs_update_by_mv(size, rng):
    return rng.random((size, size + 2)), rng.random(size + 2), rng.random(size)


def inputs_diagonal_of_a_loop(size, rng):
    return (rng.random((size, size)),)


def inputs_single_runs_in_order(size, rng):
    return rng.random(size), 0.75


def inputs_atomic_extrema(size, rng):
    return (rng.random(size) - 5.0,)


def inputs_slice_completion(size, rng):
    return rng.random((size, size + 2)), np.zeros((size, size + 2)), rng.random(size), np.zeros(size), rng.random(size + 2)


def inputs_accumulate_in_parallel(size, rng):
    return rng.integers(0, 4, size).astype(np.int32), rng.random(size), np.zeros(4)


def inputs_floyd_warshall(size, rng):
    return (rng.integers(1, 100, (size, size)).astype(np.float64),)


sizes_floyd_warshall = (0, 1, 2, 3, 33, 65)
inputs_shifted_vector_indices = inputs_shifted_masks
inputs_diagonal_of_vector_indices = inputs_diagonal_of_a_loop
SIZES = (0, 1, 2, 3, 31, 33, 127, 129, 257)


def make_inputs(size, rng):
    return (rng.random((size, size + 2)) - 3.0,)
