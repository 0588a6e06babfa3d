"""APPy's pragmas on loops: every spelling, and what the bodies may contain."""
from __future__ import annotations

import numpy as np
import appy


@appy.jit
def parallel_short(q: f64[R]) -> f64[R]:
    out = np.empty_like(q)
    #pragma parallel
    for r in range(q.shape[0]):
        out[r] = 2 * q[r]
    return out


@appy.jit
def parallel_short_simd(q: f64[R]) -> f64[R]:
    out = np.empty_like(q)
    #pragma parallel simd block(64)
    for r in range(q.shape[0]):
        out[r] = 2 * q[r]
    return out


@appy.jit
def block_of_a_loop(q: f64[R], BN=192) -> f64[R]:
    out = np.empty_like(q)
    #pragma parallel for block(BN)
    for r in range(q.shape[0]):
        out[r] = q[r] + 1
    return out


@appy.jit
def simd_of_a_constant(q: f64[R], BN=96) -> f64[R]:
    out = np.empty_like(q)
    #pragma parallel for simd(BN) num_warps(2)
    for r in range(q.shape[0]):
        out[r] = q[r] + 1
    return out


@appy.jit
def all_clauses(w: f64[R, C]) -> f64[R]:
    R, C = w.shape
    out = np.zeros(R)
    #pragma parallel for num_warps(4)
    for r in range(R):
        #pragma simd(96) reduction
        for c in range(C):
            out[r] += w[r, c]
    return out


@appy.jit
def simd_reduction_hint(q: f64[R]) -> f64[1]:
    total = np.zeros(1)
    #pragma parallel for simd reduction
    for r in range(q.shape[0]):
        #pragma atomic
        total[0] += q[r]
    return total


@appy.jit
def data_dependent_bounds(ptr: i32[R], w: f64[N]) -> f64[R]:
    """`simd` with bounds from memory, rows of no elements among them."""
    out = np.zeros(ptr.shape[0])
    #pragma parallel for
    for r in range(ptr.shape[0] - 1):
        acc = 0.0
        #pragma simd
        for p in range(ptr[r], ptr[r + 1]):
            acc += w[p]
        out[r] = acc
    return out


def inputs_data_dependent_bounds(size, rng):
    counts = rng.integers(0, 5, max(size - 1, 0))
    ptr = np.concatenate([[0], np.cumsum(counts)])[:size].astype(np.int32)
    return ptr, rng.random(int(counts.sum()))


@appy.jit
def parallel_for_single(a: f64[N]):
    #pragma parallel for single
    for i in range(1, a.shape[0]):
        a[i] += 0.5 * a[i - 1]


@appy.jit
def sequential_with_inner_vectors(m: f64[M, N]):
    #pragma sequential for
    for i in range(1, m.shape[0]):
        #pragma simd
        for j in range(m.shape[1]):
            m[i, j] += 0.5 * m[i - 1, j]


def inputs_matrix(size, rng):
    return (rng.random((size, size + 2)),)


inputs_all_clauses = inputs_sequential_with_inner_vectors = inputs_matrix


@appy.jit
def host_loop_around(a: f64[N], b: f64[N], steps: i64):
    n = a.shape[0]
    for t in range(steps):
        #pragma parallel for simd
        for i in range(1, n - 1):
            b[i] = (a[i - 1] + a[i] + a[i + 1]) / 3.0
        #pragma parallel for simd
        for i in range(1, n - 1):
            a[i] = (b[i - 1] + b[i] + b[i + 1]) / 3.0


def inputs_host_loop_around(size, rng):
    return rng.random(size), rng.random(size), 3


@appy.jit
def simd_maximum(a: f64[M, N]) -> f64[M]:
    """Rows of negative values: lanes without an element contribute the identity, not 0."""
    out = np.empty(a.shape[0])
    #pragma parallel for
    for i in range(a.shape[0]):
        m = -np.inf
        #pragma simd
        for j in range(a.shape[1]):
            m = np.maximum(m, a[i, j])
        out[i] = m
    return out


@appy.jit
def simd_minimum(a: f64[M, N]) -> f64[M]:
    out = np.empty(a.shape[0])
    #pragma parallel for
    for i in range(a.shape[0]):
        m = np.inf
        #pragma simd
        for j in range(a.shape[1]):
            m = np.minimum(a[i, j], m)
        out[i] = m
    return out


@appy.jit
def simd_product(a: f64[M, N]) -> f64[M]:
    out = np.empty(a.shape[0])
    #pragma parallel for
    for i in range(a.shape[0]):
        m = 1.0
        #pragma simd
        for j in range(a.shape[1]):
            m *= 2.0 + a[i, j] / 8.0
        out[i] = m
    return out


def inputs_simd_maximum(size, rng):
    return (rng.random((size, size + 2)) - 9.0,)


inputs_simd_minimum = inputs_simd_product = inputs_simd_maximum
sizes_simd_product = (0, 1, 2, 3, 33, 129)


@appy.jit
def python_max_of_integers(a: i64[M, N]) -> i64[M]:
    out = np.zeros(a.shape[0], dtype=np.int64)
    #pragma parallel for
    for i in range(a.shape[0]):
        top = -1000
        #pragma simd
        for j in range(a.shape[1]):
            top = max(top, a[i, j])
        out[i] = top
    return out


def inputs_python_max_of_integers(size, rng):
    return (rng.integers(-90, -10, (size, size + 2)),)


@appy.jit
def atomic_calls(k: i32[N], v: f64[N]):
    sums = np.zeros(8)
    differences = np.zeros(8)
    largest = np.full(8, -np.inf)
    smallest = np.full(8, np.inf)
    #pragma parallel for simd
    for i in range(k.shape[0]):
        appy.atomic_add(sums, k[i], v[i])
        appy.atomic_sub(differences, k[i], 2.0 * v[i])
        appy.atomic_max(largest, k[i], v[i])
        appy.atomic_min(smallest, k[i], v[i])
    return sums, differences, largest, smallest


@appy.jit
def atomic_bits(k: i32[N], v: i64[N]):
    every = np.full(8, -1, dtype=np.int64)
    some = np.zeros(8, dtype=np.int64)
    odd = np.zeros(8, dtype=np.int64)
    #pragma parallel for simd
    for i in range(k.shape[0]):
        appy.atomic_and(every, k[i], v[i])
        appy.atomic_or(some, k[i], v[i])
        appy.atomic_xor(odd, k[i], v[i])
    return every, some, odd


@appy.jit
def atomic_operators(k: i32[N], v: i64[N]):
    every = np.full(8, -1, dtype=np.int64)
    some = np.zeros(8, dtype=np.int64)
    odd = np.zeros(8, dtype=np.int64)
    product = np.ones(8, dtype=np.int64)
    #pragma parallel for simd
    for i in range(k.shape[0]):
        b = k[i]
        #pragma atomic
        every[b] &= v[i]
        #pragma atomic
        some[b] |= v[i]
        #pragma atomic
        odd[b] ^= v[i]
        #pragma atomic
        product[b] *= v[i]
    return every, some, odd, product


@appy.jit
def atomic_shapes(k: i32[N], v: f64[N]):
    """Every way to write the update."""
    a = np.zeros(8)
    b = np.zeros(8)
    c = np.full(8, -np.inf)
    d = np.full(8, np.inf)
    #pragma parallel for simd
    for i in range(k.shape[0]):
        #pragma atomic
        a[k[i]] = a[k[i]] + v[i]
        #pragma atomic
        b[k[i]] = b[k[i]] - v[i]
        #pragma atomic
        c[k[i]] = np.maximum(v[i], c[k[i]])
        #pragma atomic
        d[k[i]] = appy.minimum(d[k[i]], v[i])
    return a, b, c, d


@appy.jit
def atomic_of_vector_indices(k: i32[N], v: f64[N]):
    """An index that occurs twice among the lanes is updated twice."""
    sums = np.zeros(8)
    N = k.shape[0]
    #pragma parallel for
    for i in range(0, N, 64):
        lanes = appy.vidx(i, 64, bound=N)
        appy.atomic_add(sums, k[lanes], v[lanes])
    return sums


def inputs_keys(size, rng):
    return rng.integers(0, 8, size).astype(np.int32), rng.random(size) - 2.0


def inputs_integer_keys(size, rng):
    return rng.integers(0, 8, size).astype(np.int32), rng.integers(-50, 50, size)


inputs_atomic_calls = inputs_atomic_shapes = inputs_atomic_of_vector_indices = inputs_keys
inputs_atomic_bits = inputs_atomic_operators = inputs_integer_keys


@appy.jit
def vector_index_forms(a: f64[N], b: f64[N]):
    N = a.shape[0]
    #pragma parallel for
    for i in range(0, N, appy.MVL):
        v = appy.vidx(i, appy.MVL, bound=N)
        w = appy.vindex(i, appy.MVL, N)
        u = appy.step(i, appy.MVL, N)
        b[v] = a[w] * 2.0 + b[u]


@appy.jit
def vectors_with_ends_from_memory(ptr: i64[M1], col: i32[Z], val: f64[Z], x: f64[N], y: f64[M]):
    """Named vectors whose end is loaded, in the three ways to write it."""
    M = y.shape[0]
    #pragma parallel for
    for i in range(M):
        y[i] = 0.0
        #pragma simd
        for j in range(ptr[i], ptr[i + 1], 16):
            v = appy.vidx(j, 16, ptr[i + 1])
            cols = col[v]
            vals = val[v]
            y[i] += appy.sum(vals * x[cols])


@appy.jit
def vectors_with_ends_in_a_name(ptr: i64[M1], col: i32[Z], val: f64[Z], x: f64[N], y: f64[M]):
    M = y.shape[0]
    #pragma parallel for
    for i in range(M):
        start, end = ptr[i], ptr[i + 1]
        total = 0.0
        for j in range(start, end, appy.MVL):
            v = appy.vidx(j, appy.MVL, bound=end)
            cols = col[v]
            vals = val[v] * 2.0
            total += appy.sum(vals * x[cols]) + appy.max(vals)
        y[i] = total


@appy.jit
def vectors_with_ends_one_row(ptr: i64[M1], col: i32[Z], val: f64[Z], x: f64[N], y: f64[M]):
    """Named, gathered from and scattered by, each lane its own."""
    M = y.shape[0]
    #pragma parallel for
    for i in range(M):
        #pragma simd
        for j in range(ptr[i], ptr[i + 1], 7):
            v = appy.vidx(j, 7, bound=ptr[i + 1])
            rows = col[v] // 2
            parts = x[rows] + x[col[v]]
            val[v] = parts * val[v]


def inputs_rows_of_data(size, rng):
    ends = np.concatenate([[0], np.cumsum(rng.integers(0, 3 * size + 2, size))])
    count = int(ends[-1])
    return ends, rng.integers(0, max(size, 1), count).astype(np.int32), rng.random(count), rng.random(size), np.full(size, np.nan)


inputs_vectors_with_ends_from_memory = inputs_rows_of_data
inputs_vectors_with_ends_in_a_name = inputs_rows_of_data
inputs_vectors_with_ends_one_row = inputs_rows_of_data


@appy.jit
def vector_masks(a: f64[N], limit: f64) -> f64[N]:
    N = a.shape[0]
    out = np.zeros(N)
    #pragma parallel for
    for i in range(0, N, 100):
        v = appy.vidx(i, 100, bound=N)
        inside = (a[v] > limit) & (a[v] < 2.0 * limit)
        out[v] = appy.where(inside, a[v], -1.0)
    return out


@appy.jit
def vector_sums(a: f64[N]):
    """A reduction of a vector: lanes at or past the bound take no part."""
    N = a.shape[0]
    out = np.zeros((N + 99) // 100)
    low = np.zeros((N + 99) // 100)
    #pragma parallel for
    for b in range((N + 99) // 100):
        v = appy.vidx(b * 100, 100, bound=N)
        out[b] = appy.sum(appy.exp(a[v]))
        low[b] = appy.max(a[v])
    return out + low


@appy.jit
def flipped(a: f64[N], b: f64[N]) -> f64[N]:
    N = a.shape[0]
    c = np.empty(N)
    #pragma :N=>parallel
    c[:N] = a[:N] * appy.flip(b[:N])
    return c


@appy.jit
def barriers_by_hand(m: f64[M, N], out: f64[M, N]):
    #pragma parallel for
    for i in range(m.shape[0]):
        n = m.shape[1]
        #pragma simd
        for j in range(n):
            out[i, j] = m[i, j] * 2.0
        appy.debug_barrier()
        #pragma simd
        for j in range(n):
            m[i, j] = out[i, n - 1 - j]


def inputs_two(size, rng):
    return rng.random(size), rng.random(size)


def inputs_barriers_by_hand(size, rng):
    return rng.random((size, size + 2)), np.zeros((size, size + 2))


def inputs_vector_masks(size, rng):
    return rng.random(size), 0.3


inputs_vector_index_forms = inputs_flipped = inputs_two


@appy.jit
def functions_of_the_package(a: f64[N], b: f64[N]) -> f64[N]:
    N = a.shape[0]
    c = np.empty(N)
    #pragma parallel for simd
    for i in range(N):
        x = appy.exp(a[i]) + appy.log(b[i] + 1.0) + appy.sqrt(a[i]) + appy.tanh(b[i])
        x += appy.arcsin(a[i]) + appy.asin(b[i]) + appy.maximum(a[i], b[i]) + appy.minimum(a[i], 0.5)
        c[i] = appy.where(a[i] > b[i], x, -x)
    return c


@appy.jit
def products_of_the_package(A: f64[M, N], B: f64[N, K], x: f64[N], y: f64[N]):
    M, N = A.shape
    K = B.shape[1]
    v = np.empty(M)
    C = np.empty((M, K))
    s = np.empty(1)
    #pragma :M=>parallel :N=>reduce(sum)
    v[:M] = appy.mv(A[:M, :N], x[:N])
    #pragma :M=>parallel,block(64) :K=>parallel,block(64) :N=>reduce(sum)
    C[:M, :K] = A[:M, :N] @ B[:N, :K]
    #pragma :N=>reduce(sum)
    s[0] = appy.dot(x[:N], y[:N])
    return v, C, s


def inputs_products_of_the_package(size, rng):
    return rng.random((size, size + 1)), rng.random((size + 1, 5)), rng.random(size + 1), rng.random(size + 1)


sizes_products_of_the_package = (0, 1, 3, 33, 65)
inputs_functions_of_the_package = inputs_two


SIZES = (0, 1, 2, 3, 31, 33, 129, 257)


def make_inputs(size, rng):
    return (rng.random(size),)
