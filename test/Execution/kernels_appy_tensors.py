"""APPy's pragmas on array statements: every property and its spellings."""
from __future__ import annotations

import numpy as np
import appy


@appy.jit
def product(a: f64[R], b: f64[R], c: f64[R]):
    R = a.shape[0]
    #pragma :R=>parallel
    c[:R] = a[:R] * b[:R]


@appy.jit
def difference(u: f64[R], d: f64[R], e: f64[R]):
    """A dimension is named by the slice that uses it; the others are shifted by constants."""
    R = u.shape[0]
    if R > 2:
        #pragma 1:R-1=>parallel
        d[1:R-1] = u[2:R] - u[:R-2] + e[1:R-1]


@appy.jit
def tile_and_reduce(w: f64[R, C], x: f64[C]) -> f64[R]:
    R, C = w.shape
    s = np.empty(R)
    #pragma :R=>parallel,block(4) :C=>reduce(sum)
    s[:R] = appy.sum(w[:R, :C] * x[:C], axis=1)
    return s


@appy.jit
def prose_spellings(w: f64[R, C], x: f64[C]):
    R, C = w.shape
    s = np.empty(R)
    t = np.empty(R)
    #pragma :R=>parallel, simd(256) :C=>reduction(sum:s)
    s[:R] = np.sum(w[:R, :C] * x[:C], axis=1)
    #pragma :R=>parallel :C=>block(2048), in_reg, reduction(max:t)
    t[:R] = np.max(w[:R, :C], axis=1)
    return s, t


@appy.jit
def single_block_spellings(a: f64[R, C]):
    R, C = a.shape
    #pragma :R=>parallel :C=>block(512), single_block
    a[:R, :C] = a[:R, :C] + 1.0
    #pragma :R=>parallel :C=>block(512),in_reg
    a[:R, :C] = a[:R, :C] * 2.0
    #pragma :R=>le(300),parallel :C=>le(512)
    a[:R, :C] = a[:R, :C] - 3.0


@appy.jit
def no_property(a: f64[R, C], b: f64[R, C]):
    R, C = a.shape
    #pragma :R=>parallel :C=>
    b[:R, :C] = a[:R, :C]


@appy.jit
def blanks(a: f64[R, C], b: f64[R, C]):
    R, C = a.shape
    #pragma   :R  =>  parallel , block (4)    :C => simd
    b[:R, :C] = a[:R, :C] * 3.0


@appy.jit
def constants(a: f64[R, C], b: f64[R, C], BM=2, BN=64):
    R, C = a.shape
    #pragma :R=>parallel,block(BM) :C=>parallel,block(BN)
    b[:R, :C] = a[:R, :C] * 3.0


@appy.jit
def bounds_with_offsets(a: f64[R, C], b: f64[R, C]):
    R, C = a.shape
    if R > 1:
        #pragma 1:R=>parallel :C-1=>parallel
        b[1:R, :C-1] = a[:R-1, 1:C] + a[1:R, :C-1]
        #pragma 0:R-1=>parallel 1:C-1=>parallel
        b[:R-1, 1:C-1] = a[1:R, 2:C] - b[0:R-1, 1:C-1]


@appy.jit
def new_axes(a: f64[R], b: f64[C], D: f64[R, C]):
    """Both spellings of a new axis."""
    R, C = D.shape
    #pragma :R=>parallel :C=>parallel
    D[:R, :C] = a[:R][:, None] + b[:C][None, :]
    #pragma :R=>parallel :C=>parallel
    D[:R, :C] = D[:R, :C] * a[:R, None] - b[None, :C]


@appy.jit
def all_to_one(a: f64[R, C]) -> f64[1]:
    R, C = a.shape
    s = np.empty(1)
    #pragma :R=>parallel,reduce(sum:s) :C=>reduce(sum:s)
    s[0] = np.sum(a[:R, :C])
    return s


@appy.jit
def parallel_reduction(a: f64[R]):
    """A parallel dimension that is reduced: partial results and their fold."""
    R = a.shape[0]
    s = np.zeros(1)
    #pragma :R=>parallel,reduce(sum:s)
    s[0] = np.sum(a[:R])
    t = np.zeros(1)
    #pragma :R=>parallel,block(64),reduce(sum:t)
    t[0] += np.sum(a[:R] * a[:R])
    return s, t


@appy.jit
def parallel_reduction_of_columns(a: f64[R, C]):
    R, C = a.shape
    s = np.zeros(C)
    #pragma :R=>parallel,block(32),reduce(sum:s) :C=>parallel
    s[:C] = np.sum(a[:R, :C], axis=0)
    return s


@appy.jit
def scalar_targets(a: f64[R]):
    R = a.shape[0]
    #pragma :R=>parallel,reduce(sum:s)
    s = np.sum(a[:R])
    #pragma :R=>reduce(sum)
    t = appy.sum(a[:R] * 2.0)
    return s, t


@appy.jit
def mean_of_rows(a: f64[R, C]):
    R, C = a.shape
    m = np.empty(R)
    #pragma :R=>parallel :C=>reduce(sum)
    m[:R] = appy.mean(a[:R, :C], axis=1)
    return m


@appy.jit
def update_by_a_reduction(a: f64[R, C], y: f64[R], x: f64[C]):
    """`y op= reduce(e)` reduces first and then updates once."""
    R, C = a.shape
    #pragma :R=>parallel,block(2) :C=>block(64),reduce(sum:y)
    y[:R] += appy.mv(a[:R, :C], x[:C])


@appy.jit
def atomic_statement(k: i32[R], row: f64[R, C]):
    R, C = row.shape
    sums = np.zeros((4, C))
    largest = np.full((4, C), -np.inf)
    #pragma parallel for
    for i in range(R):
        b = k[i]
        #pragma atomic :C=>le(300)
        sums[b, :C] += row[i, :C]
        #pragma atomic :C=>block(64)
        largest[b, :C] = np.maximum(largest[b, :C], row[i, :C])
    return sums, largest


def inputs_atomic_statement(size, rng):
    return rng.integers(0, 4, size).astype(np.int32), rng.random((size, 70)) - 3.0


@appy.jit
def in_a_worker(a: f64[R, C], out: f64[R, C]):
    R, C = a.shape
    #pragma parallel for
    for i in range(R):
        #pragma :C=>reduce(max)
        top = appy.max(a[i, :C])
        #pragma :C=>reduce(sum)
        total = appy.sum(appy.exp(a[i, :C] - top))
        #pragma :C=>simd
        out[i, :C] = appy.exp(a[i, :C] - top) / total


@appy.jit
def triangle(a: f64[N, N]):
    """Bounds that depend on the loop around, with promises that hold."""
    N = a.shape[0]
    for i in range(N):
        #pragma :i+1=>le(300)
        a[i, :i+1] = a[i, :i+1] * 2.0
        #pragma i:N=>block(300),single_block
        a[i, i:N] = a[i, i:N] + 1.0


@appy.jit
def syrk(alpha: f64, beta: f64, C: f64[N, N], A: f64[N, M]):
    N, M = A.shape
    #pragma parallel for
    for i in range(N):
        #pragma :i+1=>le(300)
        C[i, :i+1] *= beta
        for k in range(M):
            #pragma :i+1=>le(300)
            C[i, :i+1] += alpha * A[i, k] * A[:i+1, k]


@appy.jit
def implicit(a: f64[R, C]) -> f64[R]:
    """No pragma on the inner statements."""
    R, C = a.shape
    m = np.empty(R)
    #pragma parallel for
    for i in range(R):
        m[i] = np.max(a[i, :C])
    return m


@appy.jit(auto_simd=True)
def auto_simd(a: f64[R, C], b: f64[R, C]) -> f64[R]:
    R, C = a.shape
    s = np.empty(R)
    #pragma :R=>parallel :C=>
    b[:R, :C] = a[:R, :C] * 2.0
    #pragma :R=>parallel :C=>reduce(sum)
    s[:R] = np.sum(b[:R, :C], axis=1)
    return s


def inputs_vectors3(size, rng):
    return rng.random(size), rng.random(size), rng.random(size)


def inputs_matrix(size, rng):
    return (rng.random((size, size + 2)) - 2.0,)


def inputs_matrix_vector(size, rng):
    return rng.random((size, size + 2)) - 2.0, rng.random(size + 2)


def inputs_two_matrices(size, rng):
    return rng.random((size, size + 2)), rng.random((size, size + 2))


def inputs_new_axes(size, rng):
    return rng.random(size), rng.random(size + 2), rng.random((size, size + 2))


def inputs_update_by_a_reduction(size, rng):
    return rng.random((size, size + 2)), rng.random(size), rng.random(size + 2)


def inputs_triangle(size, rng):
    return (rng.random((size, size)),)


def inputs_syrk(size, rng):
    return 1.5, 1.2, rng.random((size, size)), rng.random((size, size + 3))


inputs_product = inputs_difference = inputs_vectors3
inputs_tile_and_reduce = inputs_prose_spellings = inputs_matrix_vector
inputs_single_block_spellings = inputs_all_to_one = inputs_parallel_reduction_of_columns = inputs_matrix
inputs_mean_of_rows = inputs_implicit = inputs_matrix
inputs_no_property = inputs_blanks = inputs_constants = inputs_bounds_with_offsets = inputs_two_matrices
inputs_in_a_worker = inputs_auto_simd = inputs_two_matrices
sizes_syrk = (0, 1, 2, 3, 33, 65)
SIZES = (0, 1, 2, 3, 31, 33, 129, 257)


def make_inputs(size, rng):
    return (rng.random(size),)
