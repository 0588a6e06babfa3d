"""APPy as it is today: prange, shared, simd and workshare inner loops, buffers, array expressions in workers."""
from __future__ import annotations

import numpy as np
import appy
from appy import prange


@appy.jit
def by_prange(q: f64[N]):
    for i in appy.prange(q.shape[0]):
        q[i] *= 2


@appy.jit
def by_prange_bounds(q: f64[N]):
    for i in prange(1, q.shape[0] - 1):
        q[i] *= 2


@appy.jit
def by_prange_steps(q: f64[N]):
    for i in appy.prange(q.shape[0] - 1, 0, -2):
        q[i] *= 2


@appy.jit
def nested_prange(m: f64[M, N]):
    for i in appy.prange(m.shape[0]):
        for j in appy.prange(m.shape[1]):
            m[i, j] = m[i, j] * 2.0 + i - j


@appy.jit
def by_range_options(q: f64[N], r: f64[N]):
    for i in appy.range(q.shape[0], parallel=True, simd=True):
        q[i] *= 2
    for i in appy.range(q.shape[0], parallel=True):
        r[i] += q[i]
    for i in appy.range(1, q.shape[0]):
        r[i] += r[i - 1]


@appy.jit
def inner_range_simd(m: f64[M, N]) -> f64[M]:
    out = np.zeros(m.shape[0])
    for i in appy.range(m.shape[0], parallel=True):
        t = 0.0
        for j in appy.range(m.shape[1], simd=True):
            t += m[i, j]
        out[i] = t
    return out


@appy.jit
def shared_scalar(a: f64[L]) -> f64:
    n = 0.0
    #pragma parallel for simd shared(n)
    for i in range(a.shape[0]):
        n += a[i]
    return n


@appy.jit
def shared_scalars(a: f64[L]):
    n = 0.0
    top = -np.inf
    low = np.inf
    #pragma parallel for simd shared(n, top) shared(low)
    for i in range(a.shape[0]):
        n = a[i] + n
        top = np.maximum(top, a[i])
        low = np.minimum(a[i], low)
    return n, top, low


@appy.jit
def shared_integer(a: i64[L]):
    n = 0
    top = -1000
    #pragma parallel for shared(n, top)
    for i in range(a.shape[0]):
        n += a[i]
        top = max(top, a[i])
    return n, top


@appy.jit
def data_clauses(a: f64[N], b: f64[N]):
    """Version 0.2's clauses: data moves by itself, a reduction is checked."""
    s = 0.0
    #pragma parallel for to(a) tofrom(b) from(b) global(b) reduction(+:s)
    for i in range(a.shape[0]):
        b[i] += a[i]
        s += a[i]
    return s


@appy.jit
def reduction_clauses(a: f64[N]):
    s = 0.0
    m = -np.inf
    #pragma parallel for simd reduction(+:s) reduction(max:m)
    for i in range(a.shape[0]):
        s += a[i]
        m = np.maximum(m, a[i])
    return s, m


@appy.jit
def without_a_clause(a: f64[N]):
    """Reductions are found: names and elements at a constant index."""
    s = 0.0
    p = 1.0
    c = np.zeros(3)
    #pragma parallel for
    for i in range(a.shape[0]):
        s += a[i]
        p = p * (1.0 + a[i] / 512.0)
        c[0] += a[i]
        c[1] = max(c[1], a[i])
        c[2] = c[2] + 1.0
    return s, p, c


@appy.jit
def per_iteration_state(a: f64[N], m: f64[N, K]):
    """`y[i] += …` is the iteration's own."""
    y = np.zeros(a.shape[0])
    #pragma parallel for
    for i in range(a.shape[0]):
        for j in range(m.shape[1]):
            y[i] += m[i, j] * a[i]
        y[i] = max(y[i], 1.0)
    return y


@appy.jit
def simd_inner(m: f64[M, W], c: f64) -> f64[M]:
    out = np.zeros(m.shape[0])
    for i in appy.prange(m.shape[0]):
        t = 0.0
        #pragma simd
        for j in range(m.shape[1]):
            t += m[i, j]
        out[i] = t * c
    return out


@appy.jit
def workshare(m: f64[M, W], c: f64) -> f64[M]:
    out = np.zeros(m.shape[0])
    #pragma parallel for
    for i in range(m.shape[0]):
        t = 0.0
        #pragma workshare
        for j in range(m.shape[1]):
            if m[i, j] > c:
                t += m[i, j]
        out[i] = t
    return out


@appy.jit
def workshare_twice(m: f64[M, W], c: f64):
    """What one inner loop stores the next one reads."""
    #pragma parallel for
    for i in range(m.shape[0]):
        n = m.shape[1]
        t = 0.0
        #pragma workshare
        for j in range(n):
            m[i, j] = m[i, j] * c
            t += m[i, j]
        #pragma workshare
        for j in range(n // 2):
            u = m[i, n - 1 - j]
            m[i, n - 1 - j] = m[i, j] / t
            m[i, j] = u / t


@appy.jit
def arrays_in_a_worker(A: f64[M, N], x: f64[N]):
    M, N = A.shape
    y = np.empty(M)
    z = np.empty(M)
    d = np.empty(M)
    for i in appy.prange(M):
        y[i] = np.sum(A[i, :] * x[:])
        z[i] = np.max(A[i, :]) - np.min(A[i, :])
        d[i] = A[i, :] @ x
        A[i, :] = A[i, :] / y[i]
    return y, z, d


@appy.jit
def read_after_write(A: f64[M, N], s: f64[M]):
    """An element that the worker stores is read again by all of its lanes."""
    M, N = A.shape
    #pragma parallel for
    for i in range(M):
        s[i] = np.sum(A[i, :])
        A[i, :] = A[i, :] / s[i]
        s[i] = np.max(A[i, :])
        A[i, :] += s[i]


@appy.jit
def seidel_in_slices(A: f64[M, N]):
    """In place with shifted operands: the right side first."""
    M, N = A.shape
    for i in appy.prange(M):
        A[i, 1:-1] = A[i, :-2] + A[i, 1:-1] + A[i, 2:]


@appy.jit
def trmm_over_columns(alpha: f64, A: f64[M, M], B: f64[M, N]):
    """The right one of the two: columns are independent."""
    M, N = B.shape
    for i in range(M):
        #pragma parallel for
        for j in range(N):
            t = 0.0
            for k in range(i + 1, M):
                t += A[k, i] * B[k, j]
            B[i, j] = alpha * (B[i, j] + t)


@appy.shader
def shader(m: f64[M, N]):
    for i in range(m.shape[0]):
        for j in range(m.shape[1]):
            m[i, j] = m[i, j] * 2.0 + i - j


@appy.cpu_shader
def shader_of_rows(m: f64[M, N], s: f64[M]):
    """A loop that is not directly in the outermost one is the worker's own."""
    for i in range(m.shape[0]):
        s[i] = m[i, 0]
        for j in range(1, m.shape[1]):
            m[i, j] += 0.5 * m[i, j - 1]


@appy.jit
def python_maximum(a: f64[M, N], top: f64[M]):
    """Python's max keeps the first value at a NaN; a reduction does, too."""
    high = -np.inf
    #pragma parallel for simd
    for i in range(top.shape[0]):
        high = max(high, top[i])
    #pragma parallel for
    for i in range(a.shape[0]):
        low = top[i]
        #pragma simd
        for j in range(a.shape[1]):
            low = min(low, a[i, j])
        top[i] = low
    return high


def inputs_python_maximum(size, rng):
    a, top = rng.random((size, size + 2)), rng.random(size)
    a[rng.random(a.shape) < 0.1] = np.nan
    top[rng.random(size) < 0.3] = np.nan
    return a, top


@appy.jit
def atomic_python_maximum(k: i32[N], v: f64[N]):
    largest = np.full(4, -np.inf)
    numpys = np.full(4, -np.inf)
    #pragma parallel for simd
    for i in range(k.shape[0]):
        #pragma atomic
        largest[k[i]] = max(largest[k[i]], v[i])
        #pragma atomic
        numpys[k[i]] = np.maximum(numpys[k[i]], v[i])
    return largest, numpys


def inputs_atomic_python_maximum(size, rng):
    v = rng.random(size)
    v[rng.random(size) < 0.05] = np.nan
    return rng.integers(0, 4, size).astype(np.int32), v


@appy.jit
def buffered_stencil(u: f64[N], out: f64[N]):
    """A tile with its halo on chip."""
    N = u.shape[0]
    for start in appy.prange(1, N - 64, 64):
        b = appy.buffer(66)
        b[:] = u[start-1:start+65]
        #pragma simd
        for k in range(64):
            out[start + k] = b[k] + b[k + 1] + b[k + 2]


@appy.jit
def buffered_reverse(a: f32[N]):
    N = a.shape[0]
    #pragma parallel for
    for start in range(0, N - 31, 32):
        tile = appy.buffer(32, dtype=np.float32)
        #pragma simd
        for k in range(32):
            tile[k] = a[start + k]
        #pragma simd
        for k in range(32):
            a[start + k] = tile[31 - k]


@appy.jit
def buffered_transpose(a: f64[M, N]) -> f64[N, M]:
    """Two dimensions, two buffers."""
    M, N = a.shape
    out = np.empty((N, M))
    for bi in appy.prange((M + 7) // 8):
        for bj in appy.prange((N + 7) // 8):
            tile = appy.buffer((8, 8))
            for r in range(min(8, M - 8 * bi)):
                #pragma simd
                for c in range(min(8, N - 8 * bj)):
                    tile[r, c] = a[8 * bi + r, 8 * bj + c]
            for c in range(min(8, N - 8 * bj)):
                #pragma simd
                for r in range(min(8, M - 8 * bi)):
                    out[8 * bj + c, 8 * bi + r] = tile[r, c]
    return out


@appy.jit
def buffered_histogram(k: i32[M, N]) -> i64[M, 16]:
    """Counts on chip, stored once."""
    M, N = k.shape
    out = np.empty((M, 16), dtype=np.int64)
    #pragma parallel for
    for i in range(M):
        count = appy.buffer(16, dtype=np.int64)
        count[:] = 0
        #pragma simd
        for j in range(N):
            #pragma atomic
            count[k[i, j]] += 1
        out[i, :] = count
    return out


def inputs_matrix(size, rng):
    return (rng.random((size, size + 2)),)


def inputs_two(size, rng):
    return rng.random(size), rng.random(size)


def inputs_limit(size, rng):
    return rng.random((size, size + 2)), 0.4


def inputs_shared_integer(size, rng):
    return (rng.integers(-50, 50, size),)


def inputs_per_iteration_state(size, rng):
    return rng.random(size), rng.random((size, 5))


def inputs_arrays_in_a_worker(size, rng):
    return rng.random((size, size + 2)) + 0.1, rng.random(size + 2)


def inputs_read_after_write(size, rng):
    return rng.random((size, size + 2)) + 0.1, np.zeros(size)


def inputs_trmm_over_columns(size, rng):
    return 1.5, rng.random((size, size)), rng.random((size, size + 2))


def inputs_buffered_stencil(size, rng):
    return rng.random(size), np.zeros(size)


def inputs_shader_of_rows(size, rng):
    return rng.random((size, size + 2)), np.zeros(size)


def inputs_buffered_reverse(size, rng):
    return (rng.random(size, dtype=np.float32),)


def inputs_buffered_histogram(size, rng):
    return (rng.integers(0, 16, (size, size + 2)).astype(np.int32),)


inputs_nested_prange = inputs_shader = inputs_inner_range_simd = inputs_seidel_in_slices = inputs_matrix
inputs_buffered_transpose = inputs_matrix
inputs_by_range_options = inputs_data_clauses = inputs_two
inputs_simd_inner = inputs_workshare = inputs_workshare_twice = inputs_limit
sizes_trmm_over_columns = (0, 1, 2, 3, 33, 65)
SIZES = (0, 1, 2, 3, 31, 33, 66, 129, 257)


def make_inputs(size, rng):
    return (rng.random(size),)
