"""What APPy's papers exclude and appyc takes: subscripts, branches, nests, reductions anywhere, fusion."""
from __future__ import annotations

import numpy as np
import appy


@appy.jit
def neighbours(A: f64[N], B: f64[N]):
    """Offsets in any order."""
    N = A.shape[0]
    #pragma parallel for simd
    for i in range(2, N - 2):
        B[i] = A[i-1] + A[i+1] + A[1+i] + A[-2+i] + A[2*i - i] + A[N-1-i]


@appy.jit
def nested_subscripts(x: f64[N], col: i32[M], row: i32[N]):
    out = np.zeros(col.shape[0])
    #pragma parallel for simd
    for j in range(col.shape[0]):
        out[j] = x[col[j]] + x[row[col[j]]]
    return out


@appy.jit
def strides(A: f64[N]) -> f64[N]:
    N = A.shape[0]
    B = np.zeros(N)
    #pragma parallel for simd
    for i in range(0, N, 3):
        B[i] = A[i]
    #pragma parallel for
    for i in range(N // 2):
        B[2*i + 1] = A[2*i] * 2.0
    return B


@appy.jit
def strided_slices(A: f64[N], m: f64[N, N]) -> f64[N]:
    N = A.shape[0]
    B = np.zeros(N)
    B[::2] = A[::2] + 1.0
    B[1::2] = A[:N - N % 2:2] - 1.0
    m[::3, 1::2] *= 2.0
    return B


@appy.jit
def strided_pragmas(A: f64[N], m: f64[N, N]):
    N = A.shape[0]
    #pragma :N:2=>parallel
    A[:N:2] = A[:N:2] + 1.0
    #pragma :N:2=>parallel 1:N:3=>parallel,block(32)
    m[::2, 1:N:3] = m[::2, 1:N:3] * 2.0
    #pragma :N=>parallel
    A[::-1] = A * 3.0


@appy.jit
def negative_steps(A: f64[N], B: f64[N]):
    N = A.shape[0]
    #pragma parallel for simd
    for i in range(N - 1, -1, -1):
        B[i] = A[i] + 1.0
    A[:] = B[::-1]
    if N > 3:
        #pragma sequential for
        for i in range(N - 2, 0, -2):
            B[i] += 0.5 * B[i + 1]


@appy.jit
def diagonals(A: f64[N, N], b: f64[N]):
    N = A.shape[0]
    #pragma parallel for simd
    for i in range(N):
        b[i] = A[i, i] + A[i, N - 1 - i] + A[N - 1 - i, i]
    #pragma parallel for simd
    for i in range(N - 1):
        A[i, i + 1] = b[i]
        A[i + 1, i] = -b[i]


@appy.jit
def last_elements(A: f64[M, N], b: f64[M]):
    #pragma parallel for
    for i in range(A.shape[0]):
        b[-1 - i] = A[i, -1] + A[-1 - i, -2]


@appy.jit
def branches_under_simd(A: f64[M, N], c: f64) -> f64[M]:
    M, N = A.shape
    out = np.zeros(M)
    #pragma parallel for
    for i in range(M):
        t = 0.0
        #pragma simd
        for j in range(N):
            if A[i, j] > c:
                t += A[i, j]
            elif A[i, j] > 0.5 * c:
                A[i, j] = c
            else:
                t -= 1.0
        out[i] = t
    return out


@appy.jit
def branches_in_vectors(a: f64[N], b: f64[N], c: f64):
    #pragma parallel for simd
    for i in range(a.shape[0]):
        if a[i] > c:
            b[i] = a[i]
            if b[i] > 0.9:
                b[i] = 0.9
        else:
            x = a[i] * a[i]
            b[i] = x - c


@appy.jit
def tuples(a: f64[N], b: f64[N]):
    #pragma parallel for simd
    for i in range(a.shape[0]):
        lo, hi = min(a[i], b[i]), max(a[i], b[i])
        lo, hi = hi, lo
        a[i], b[i] = hi, lo


@appy.jit
def swaps_of_elements(a: f64[N]):
    n = a.shape[0]
    #pragma parallel for
    for i in range(n // 2):
        a[i], a[n - 1 - i] = a[n - 1 - i], a[i]


@appy.jit
def chained_targets(a: f64[N], b: f64[N]):
    #pragma parallel for simd
    for i in range(a.shape[0]):
        a[i] = b[i] = a[i] + b[i]


@appy.jit
def arrays_in_tuples(a: f64[N], b: f64[N]):
    """The right side is computed before the first target changes."""
    a[:], b[:] = a + b, a - b
    a[:] = b[:] = a * b


@appy.jit
def index_arrays(A: f64[N, N], rows: i64[K], columns: i64[K]):
    """Several index arrays are broadcast together, as in NumPy."""
    d = A[rows, columns]
    outer = A[rows[:, None], columns[None, :]]
    A[rows, columns] = 2.0 * d
    return d, outer, A[rows], A[:, columns], A[rows, 1:], A[rows, None, columns], A[0, rows]


@appy.jit
def negative_index_arrays(a: f64[N]):
    N = a.shape[0]
    return a[N - 1 - np.arange(N)], a[-1 - np.arange(N)]


def inputs_index_arrays(size, rng):
    n = size + 1
    return rng.random((n, n)), rng.permutation(n)[:size], rng.integers(-n, n, size)


@appy.jit
def imperfect_nest(m: f64[M, N], s: f64[M], t: f64[M]):
    #pragma parallel for
    for i in range(m.shape[0]):
        s[i] = m[i, 0] * 2.0
        #pragma parallel for
        for j in range(m.shape[1]):
            m[i, j] = m[i, j] + s[i]
        t[i] = m[i, 1] + s[i]


@appy.jit
def imperfect_nest_of_two(m: f64[M, N], p: f64[M, N]):
    #pragma parallel for
    for i in range(m.shape[0]):
        #pragma parallel for
        for j in range(m.shape[1]):
            p[i, j] = m[i, j] * 2.0
        total = 0.0
        #pragma parallel for
        for j in range(m.shape[1]):
            total += p[i, j]
        #pragma parallel for
        for j in range(m.shape[1]):
            m[i, j] = p[i, m.shape[1] - 1 - j] / total


@appy.jit
def while_in_a_worker(a: f64[N]) -> i64[N]:
    steps = np.zeros(a.shape[0], dtype=np.int64)
    #pragma parallel for
    for i in range(a.shape[0]):
        x = a[i] + 1.0
        k = 0
        while x < 100.0 and k < 50:
            x = x * 1.5
            k += 1
        steps[i] = k
    return steps


@appy.jit
def while_with_lanes(m: f64[M, N]) -> i64[M]:
    M, N = m.shape
    steps = np.zeros(M, dtype=np.int64)
    #pragma parallel for
    for i in range(M):
        k = 0
        top = 1.0
        while top > 0.1 and k < 20:
            #pragma simd
            for j in range(N):
                m[i, j] *= 0.5
            top = np.max(m[i, :])
            k += 1
        steps[i] = k
    return steps


@appy.jit
def while_around(a: f64[N]) -> i64:
    N = a.shape[0]
    k = 0
    while np.sum(a) > 1.0 and k < 30:
        #pragma :N=>parallel
        a[:] = a * 0.5
        k += 1
    return k


@appy.jit
def reductions_in_expressions(a: f64[M, N], x: f64[N]) -> f64[M]:
    M, N = a.shape
    out = np.empty(M)
    #pragma :M=>parallel :N=>reduce(sum)
    out[:M] = 1.0 + 2.0 * np.sum(a[:M, :N] * x[:N], axis=1) / (1.0 + np.sum(a[:M, :N], axis=1))
    return out


@appy.jit
def several_reductions(a: f64[M, N]) -> f64[M]:
    M, N = a.shape
    out = np.empty(M)
    #pragma :M=>parallel :N=>reduce(max),reduce(sum)
    out[:M] = np.max(a[:M, :N], axis=1) * np.sum(a[:M, :N], axis=1)
    return out


@appy.jit
def reductions_of_reductions(a: f64[M, N]):
    M, N = a.shape
    #pragma parallel for
    for i in range(M):
        #pragma :N=>simd
        a[i, :N] = np.exp(a[i, :N] - np.max(a[i, :N])) / np.sum(np.exp(a[i, :N] - np.max(a[i, :N])))


@appy.jit
def mean_and_deviation(a: f64[N]):
    N = a.shape[0]
    #pragma :N=>parallel
    a[:N] = (a[:N] - np.mean(a[:N])) / (1.0 + np.sum((a[:N] - np.mean(a[:N])) ** 2) / N)


@appy.jit
def two_levels(a: f64[M, N]):
    M, N = a.shape
    s = np.zeros(1)
    t = np.zeros(1)
    #pragma :M=>parallel,reduce(sum) :N=>parallel,reduce(sum)
    s[0] = np.sum(a[:M, :N] * a[:M, :N])
    #pragma :M=>parallel,block(8),reduce(max) :N=>reduce(max)
    t[0] = np.max(a[:M, :N])
    return s, t


@appy.jit
def fusion(a: f64[M, N], b: f64[M, N], c: f64[M, N]):
    M, N = a.shape
    #pragma :M=>parallel :N=>parallel
    b[:M, :N] = a[:M, :N] * 2.0
    #pragma :M=>parallel :N=>parallel
    c[:M, :N] = b[:M, :N] + a[:M, :N]
    t = np.exp(b)
    #pragma :M=>parallel :N=>parallel
    a[:M, :N] = t[:M, :N] - c[:M, :N]


@appy.jit
def four_dimensions(a: f64[K, L, M, N]):
    for i in appy.prange(a.shape[0]):
        for j in appy.prange(a.shape[1]):
            for k in appy.prange(a.shape[2]):
                for l in appy.prange(a.shape[3]):
                    a[i, j, k, l] = a[i, j, k, l] * 2.0 + i + 10.0 * j - k * l


@appy.jit
def five_tensor_dimensions(a: f64[H, K, L, M, N], b: f64[H, K, L, M, N]):
    H, K, L, M, N = a.shape
    #pragma :H=>parallel :K=>parallel :L=>parallel :M=>parallel :N=>parallel
    b[:H, :K, :L, :M, :N] = a[:H, :K, :L, :M, :N] + 1.0


@appy.jit
def four_tensor_dimensions(a: f64[K, L, M, N], s: f64[K, L]):
    K, L, M, N = a.shape
    #pragma :K=>parallel :L=>parallel :M=>reduce(sum) :N=>reduce(sum)
    s[:K, :L] = np.sum(a[:K, :L, :M, :N], axis=(2, 3))


@appy.jit
def square_matrices(A: f64[N, N], B: f64[N, N]):
    """One name for two dimensions."""
    N = A.shape[0]
    #pragma :N=>parallel :N=>parallel,block(32)
    B[:N, :N] = A[:N, :N].T + 1.0


@appy.jit
def whole_slices(A: f64[M, N], B: f64[M, N]):
    """Open slices need no dim_info; dimensions may stay unnamed."""
    M, N = A.shape
    #pragma :M=>parallel
    B[:, :] = A[:, :] + 1.0
    #pragma 1:M-1=>parallel 1:N-1=>parallel
    B[1:-1, 1:-1] = A[1:-1, 2:] - A[1:-1, :-2]


@appy.jit
def arrays_made_inside(A: f64[M, N]) -> f64[M]:
    M, N = A.shape
    out = np.empty(M)
    #pragma parallel for
    for i in range(M):
        row = np.zeros(N)
        row[:] = A[i, :] * 2.0
        other = A[i, :] + row
        out[i] = np.sum(row * other)
    return out


def row_norm(row):
    return np.sqrt(np.sum(row * row))


def clamp(x, lo, hi):
    if x < lo:
        return lo
    if x > hi:
        return hi
    return x


@appy.jit
def functions_inside(A: f64[M, N]) -> f64[M]:
    out = np.empty(A.shape[0])
    #pragma parallel for
    for i in range(A.shape[0]):
        out[i] = clamp(row_norm(A[i, :]), 0.5, 2.5)
    return out


def inputs_two(size, rng):
    return rng.random(size), rng.random(size)


def inputs_matrix(size, rng):
    return (rng.random((size, size + 2)),)


def inputs_square(size, rng):
    return (rng.random((size, size)),)


def inputs_vector_square(size, rng):
    return rng.random(size), rng.random((size, size))


def inputs_two_matrices(size, rng):
    return rng.random((size, size + 2)), rng.random((size, size + 2))


def inputs_nested_subscripts(size, rng):
    n = size + 1
    return rng.random(n), rng.integers(0, n, size).astype(np.int32), rng.integers(0, n, n).astype(np.int32)


def inputs_diagonals(size, rng):
    return rng.random((size, size)), rng.random(size)


def inputs_last_elements(size, rng):
    return rng.random((size, size + 2)), rng.random(size)


def inputs_branches_under_simd(size, rng):
    return rng.random((size, size + 2)), 0.4


def inputs_branches_in_vectors(size, rng):
    return rng.random(size), rng.random(size), 0.4


def inputs_imperfect_nest(size, rng):
    return rng.random((size, size + 2)), rng.random(size), rng.random(size)


def inputs_reductions_in_expressions(size, rng):
    return rng.random((size, size + 2)), rng.random(size + 2)


def inputs_fusion(size, rng):
    return tuple(rng.random((size, size + 2)) for _ in range(3))


def inputs_four_dimensions(size, rng):
    return (rng.random((3, size, 4, size + 1)),)


def inputs_four_tensor_dimensions(size, rng):
    return rng.random((3, size, 4, size + 1)), np.zeros((3, size))


def inputs_five_tensor_dimensions(size, rng):
    return rng.random((3, size, 2, 4, 5)), rng.random((3, size, 2, 4, 5))


def inputs_square_matrices(size, rng):
    return rng.random((size, size)), rng.random((size, size))


inputs_neighbours = inputs_negative_steps = inputs_tuples = inputs_arrays_in_tuples = inputs_chained_targets = inputs_two
inputs_strided_slices = inputs_strided_pragmas = inputs_vector_square
inputs_imperfect_nest_of_two = inputs_whole_slices = inputs_two_matrices
inputs_while_with_lanes = inputs_several_reductions = inputs_reductions_of_reductions = inputs_matrix
inputs_two_levels = inputs_arrays_made_inside = inputs_functions_inside = inputs_matrix
sizes_two_levels = (1, 2, 3, 33, 129)
sizes_four_dimensions = sizes_four_tensor_dimensions = (0, 1, 2, 3, 33)
SIZES = (0, 1, 2, 3, 4, 31, 33, 129, 257)
sizes_arrays_made_inside = (*SIZES, 258)  # whose rows are kept


def make_inputs(size, rng):
    return (rng.random(size),)
