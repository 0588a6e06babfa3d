"""Matrix products in every surface, triangles, and what only looks like one."""
from __future__ import annotations

import numpy as np

SIZES = (0, 1, 2, 3, 17, 63, 64, 65, 101)


def make_inputs(size, rng):
    return rng.random((size, size)), rng.random((size, size)), rng.random((size, size))


def alpha_beta(alpha: f64, beta: f64, C: f64[M, N], A: f64[M, K], B: f64[K, N]):
    C[:] = alpha * A @ B + beta * C


def inputs_alpha_beta(size, rng):
    C, A = rng.random((size, size + 2)), rng.random((size, size + 1))
    return 1.5, 1.2, C, A, rng.random((size + 1, size + 2))


def zero_factors(C: f64[N, N], A: f64[N, N], B: f64[N, N], zero: f64):
    """0 * nan is nan, whatever a library makes of a factor that is 0."""
    A[:1, :1] = np.nan
    C[:] = zero * A @ B + C
    B[:1, 1:] = np.inf
    B[:] = A @ C + zero * B


def inputs_zero_factors(size, rng):
    return *make_inputs(size, rng), 0.0


def nan_of_terms(alpha: f64, C: f64[M, N], A: f64[M, K], B: f64[K, N]):
    """A sum of nothing is 0, whatever its terms would have been multiplied by."""
    C[:] = alpha * A @ B + C


def nan_of_sums(alpha: f64, C: f64[M, N], A: f64[M, K], B: f64[K, N]):
    """0 * nan is nan."""
    C[:] = alpha * (A @ B) + C
    C -= alpha * (A @ B)


def nan_of_rows(w: f64[M], C: f64[M, N], A: f64[M, K], B: f64[K, N]):
    """Each row's sum has a factor of its own; all have one that is in memory."""
    C[:] = w[:, None] * (A @ B) + C
    C[:] = (w[-1:] * A) @ B + C


def inputs_nan_of_terms(size, rng):
    """Sums of nothing at some sizes."""
    inner = 0 if size % 2 else size + 1
    alpha = np.inf if size % 3 else np.nan
    return alpha, rng.random((size, size + 2)), rng.random((size, inner)), rng.random((inner, size + 2))


def inputs_nan_of_rows(size, rng):
    w = rng.random(size)
    w[::3] = np.nan
    return w, *inputs_nan_of_terms(size, rng)[1:]


inputs_nan_of_sums = inputs_nan_of_terms
sizes_nan_of_rows = (1, 2, 3, 17, 64, 65)


def nan_of_triangles(alpha: f64, C: f64[N, N], A: f64[N, N], B: f64[N, N]):
    """The first row sums over nothing."""
    for i in range(C.shape[0]):
        for k in range(i):
            C[i, :] += alpha * A[i, k] * B[k, :]
    for i in range(C.shape[0]):
        C[i, :] += B[:i, i] @ B[:i, :]
    C *= alpha


def inputs_nan_of_triangles(size, rng):
    return np.nan if size % 3 else 0.5, *make_inputs(size, rng)


def nan_is_overwritten(C: f64[N, N], A: f64[N, N], B: f64[N, N]):
    C[:] = np.nan
    A[0:1] += C[0:1] * 0.0  # reads it, so that it is stored
    C[:] = A @ B


def minus_product(C: f64[N, N], A: f64[N, N], B: f64[N, N]):
    C[:] = C - A @ B


def accumulated(C: f64[N, N], A: f64[N, N], B: f64[N, N]):
    C += A @ B
    C -= 2.0 * (B.T @ A)


def transposed(C: f64[N, M], A: f64[K, N], B: f64[M, K]):
    C[:] = A.T @ B.T
    C.T[:] += B @ A


def inputs_transposed(size, rng):
    return rng.random((size, size + 3)), rng.random((size + 1, size)), rng.random((size + 3, size + 1))


def strided(C: f64[N, N], A: f64[N, N], B: f64[N, N]):
    C[::2, ::3] = A[::2, 1:] @ B[1:, ::3]
    C[1::2, 1:] = A[1::2, ::-1] @ B[:, 1:]


sizes_strided = (2, 3, 17, 65, 101)


def sliced(C: f64[N, N], A: f64[N, N], B: f64[N, N]):
    C[1:, :-1] = A[1:, 2:] @ B[2:, 1:] + 1.0
    C[:1, :] = np.maximum(A[:1, :] @ B, 0.5)


sizes_sliced = (2, 3, 17, 64, 101)


def halves(A: f64[N, N], n: i64):
    """Operand and target are parts of one array."""
    A[:n, :] = A[n:2 * n, :n] @ A[:n, :]
    A[:n, :n] = A[n:2 * n, :n] @ A[n:2 * n, n:2 * n]


def inputs_halves(size, rng):
    return rng.random((2 * size, 2 * size)), size


def triangles(C: f64[N, N], A: f64[N, M], B: f64[N, M], alpha: f64, beta: f64):
    """Only one triangle of C is touched, by rows, by elements, with the diagonal and without."""
    for i in range(C.shape[0]):
        C[i, :i + 1] *= beta
        for k in range(A.shape[1]):
            C[i, :i + 1] += alpha * A[i, k] * B[:i + 1, k]
    for i in range(C.shape[0]):
        for j in range(i + 1, C.shape[1]):
            C[i, j] = beta * C[i, j]
            for k in range(A.shape[1]):
                C[i, j] -= A[j, k] * B[i, k] * alpha + B[j, k] * A[i, k]


def inputs_triangles(size, rng):
    return rng.random((size, size)), rng.random((size, size + 1)), rng.random((size, size + 1)), 1.5, 0.5


def complex_triangle(C: c128[N, N], A: c128[N, M]):
    for i in range(C.shape[0]):
        for k in range(A.shape[1]):
            C[i, :i + 1] += A[i, k] * A[:i + 1, k]


def inputs_complex_triangle(size, rng):
    def z(*shape):
        return rng.random(shape) + 1j * rng.random(shape)
    return z(size, size), z(size, size + 1)


def upper_triangle(C: f32[N, N], A: f32[M, N], alpha: f32, zero: f32):
    for i in range(C.shape[0]):
        for k in range(A.shape[0]):
            C[i, i:] -= alpha * A[k, i] * A[k, i:]
    for i in range(C.shape[0]):
        C[i, i:] *= zero
        for k in range(A.shape[0]):
            C[i, i:] += A[k, i] * A[k, i:]


def inputs_upper_triangle(size, rng):
    C, A = rng.random((size, size)), rng.random((size + 1, size))
    C[:1, :] = np.nan
    return C.astype(np.float32), A.astype(np.float32), np.float32(1.5), np.float32(0.0)


def triangular_operands(L: f64[N, N], B: f64[N, M], C: f64[N, M]):
    """Above L's diagonal stand numbers that nothing may read: 0 * inf is nan."""
    for i in range(L.shape[0]):
        for j in range(B.shape[1]):
            C[i, j] = L[i, :i + 1] @ B[:i + 1, j]
    for i in range(L.shape[0]):
        for k in range(i):
            C[k, :] += L[i, k] * B[i, :]


def inputs_triangular_operands(size, rng):
    L, B = rng.random((size, size)), rng.random((size, size + 1))
    L[np.triu_indices(size, 1)] = np.nan
    B[-1:] = np.inf
    return L, B, np.zeros((size, size + 1))


def band(C: f64[N, N], A: f64[N, N], B: f64[N, N], w: i64):
    for i in range(C.shape[0]):
        for j in range(max(0, i - w), min(C.shape[1], i + w + 1)):
            s = 1.0
            for k in range(A.shape[1]):
                s += A[i, k] * B[k, j]
            C[i, j] = s


def inputs_band(size, rng):
    return *make_inputs(size, rng), 3


def symmetric_operand(C: f64[M, N], A: f64[M, M], B: f64[M, N], alpha: f64, beta: f64):
    row = np.empty(C.shape[1])
    C *= beta
    for i in range(C.shape[0]):
        for j in range(C.shape[1]):
            C[:i, j] += alpha * B[i, j] * A[i, :i]
            row[j] = B[:i, j] @ A[i, :i]
        C[i, :] += alpha * B[i, :] * A[i, i] + alpha * row


def inputs_symmetric_operand(size, rng):
    A = np.tril(rng.random((size, size)))
    A[np.triu_indices(size, 1)] = np.nan
    return rng.random((size, size + 1)), A, rng.random((size, size + 1)), 1.5, 1.2


def symmetric_integers(C: i64[M, N], A: i64[M, M], B: i64[M, N]):
    """No library has these: each triangle by tiles."""
    for i in range(C.shape[0]):
        for j in range(C.shape[1]):
            C[:i, j] += B[i, j] * A[i, :i]
            C[i, j] += B[:i, j] @ A[i, :i]


def inputs_symmetric_integers(size, rng):
    return tuple(rng.integers(-9, 9, shape) for shape in ((size, size + 1), (size, size), (size, size + 1)))


def symmetric_not_finite(C: f64[M, N], A: f64[M, M], B: f64[M, N], alpha: f64):
    """Two triangles as one operand with zeros: numbers that are not finite meet none of them."""
    for i in range(C.shape[0]):
        for j in range(C.shape[1]):
            C[:i, j] += alpha * B[i, j] * A[i, :i]
            C[i, j] += alpha * (B[:i, j] @ A[i, :i])


def inputs_symmetric_not_finite(size, rng):
    A, B = rng.random((size, size)) - 0.5, rng.random((size, size + 1)) - 0.5
    A[np.triu_indices(size)] = np.inf
    alpha = (1.5, 0.0, np.inf, np.nan, -2.0)[size % 5]
    if size % 3:
        B[size // 2, ::2], B[:1, 1:3], B[-1:, -1:] = np.inf, np.nan, -np.inf
    return rng.random((size, size + 1)), A, B, alpha


def symmetric_right(C: f32[M, N], A: f32[N, N], B: f32[M, N]):
    """The second operand has the triangles; three products into one target."""
    for j in range(C.shape[1]):
        for i in range(C.shape[0]):
            C[i, :j] += B[i, j] * A[j, :j]
            C[i, j] += B[i, :j] @ A[j, :j]
    for j in range(C.shape[1]):
        for i in range(C.shape[0]):
            C[i, :j + 1] += B[i, j] * A[j, :j + 1]


def inputs_symmetric_right(size, rng):
    C, A, B = (rng.random(shape, dtype=np.float32) for shape in ((size + 2, size), (size, size), (size + 2, size)))
    A[np.triu_indices(size, 1)] = np.nan
    if size % 2:
        B[-1:, size // 2:] = np.inf
    return C, A, B


def triangle_in_place(A: f64[M, M], B: f64[M, N], alpha: f64):
    """Every row is made of later rows as they were."""
    for i in range(B.shape[0]):
        for j in range(B.shape[1]):
            B[i, j] += np.dot(A[i + 1:, i], B[i + 1:, j])
    B *= alpha


def inputs_triangle_in_place(size, rng):
    B = rng.random((size, size + 1))
    B[:1] = np.inf
    return rng.random((size, size)) / max(size, 1), B, 1.5


def substitution(A: f64[M, M], B: f64[M, N]):
    """Every row is made of earlier rows as they have become: no product."""
    for i in range(B.shape[0]):
        for j in range(B.shape[1]):
            B[i, j] -= np.dot(A[i, :i], B[:i, j])


def inputs_substitution(size, rng):
    return rng.random((size, size)) / max(size, 1), rng.random((size, size + 1))


def mirrored(data: f64[N, M], divisor: f64) -> f64[M, M]:
    out = np.zeros((data.shape[1], data.shape[1]))
    for i in range(data.shape[1]):
        out[i:, i] = out[i, i:] = data[:, i] @ data[:, i:] / divisor
    return out


def inputs_mirrored(size, rng):
    return rng.random((size + 1, size)), 3.0


def strictly_mirrored(data: f64[N, M]) -> f64[M, M]:
    out = np.ones((data.shape[1], data.shape[1]))
    for i in range(data.shape[1] - 1):
        out[i + 1:, i] = out[i, i + 1:] = data[:, i] @ data[:, i + 1:]
    return out


def inputs_strictly_mirrored(size, rng):
    return (rng.random((size + 1, size + 1)),)


def carried_scalar(A: f64[N, N], B: f64[N, N], C: f64[N, N]) -> f64:
    s = 0.0
    for i in range(A.shape[0]):
        for j in range(A.shape[0]):
            s = 0.0
            for k in range(A.shape[0]):
                s += A[i, k] * B[k, j]
            C[i, j] = s
    return s


sizes_carried_scalar = (0, 1, 3, 17, 65)


def shared_target(C: f64[N, N], A: f64[N, N], B: f64[N, N]):
    """Two sums into one target, one of which reads what the other writes."""
    for i in range(C.shape[0]):
        for j in range(C.shape[0]):
            C[i, j] += np.dot(A[i, :], B[:, j])
            A[i, j] = 0.5 * C[i, j]


def squared(A: f64[N, N]):
    A[:] = A @ A
    A += A.T @ A


def inputs_squared(size, rng):
    return (rng.random((size, size)) / max(size, 1),)


def three_factors(A: f64[N, N], B: f64[N, N], C: f64[N, N]) -> f64[N, N]:
    return 2.0 * A @ B @ C - (B + C) @ np.exp(-A)


def relu_layer(x: f64[N, N], w: f64[N, N], b: f64[N, N]) -> f64[N, N]:
    return np.maximum(x @ w + b[0], 0.0) if x.shape[0] > 0 else x @ w


def local_factor(C: f64[N, N], A: f64[N, N], B: f64[N, N], n: i64):
    s = 0.0
    for i in range(n):
        s = s + A[i, i]
        C[:] = s * A @ B + C


def inputs_local_factor(size, rng):
    return *make_inputs(size, rng), min(size, 3)


def more_dimensions(T: f64[P, Q, R], C: f64[R, S]) -> f64[P, Q, S]:
    return np.sum(T[:, :, :, None] * C[None, None, :, :], axis=2)


def inputs_more_dimensions(size, rng):
    return rng.random((size, 3, size + 1)), rng.random((size + 1, size))


def written_out(a: f64[M, N, K], b: f64[K, N, M], c: f64[M, N, M]):
    for i in range(a.shape[0]):
        for q in range(a.shape[1]):
            for j in range(c.shape[2]):
                s = 0.0
                for k in range(a.shape[2]):
                    s += a[i, q, k] * b[k, 1, j]
                c[i, q, j] = s


def inputs_written_out(size, rng):
    return rng.random((size, 4, size + 1)), rng.random((size + 1, 4, size)), rng.random((size, 4, size))


sizes_written_out = (0, 1, 3, 17, 65)


def batched(a: f64[P, N, K], b: f64[P, K, M], c: f64[P, N, M]):
    for p in range(a.shape[0]):
        c[p] = a[p] @ b[p]


def inputs_batched(size, rng):
    return rng.random((3, size, 5)), rng.random((3, 5, size + 1)), rng.random((3, size, size + 1))


def powers(A: f64[N, N], B: f64[N, N], steps: i64) -> f64[N, N]:
    """A product in a loop that carries its result."""
    C = np.zeros((A.shape[0], A.shape[0]))
    C += A
    for t in range(steps):
        B[:] = C @ A
        C[:] = B + A
    return C


def inputs_powers(size, rng):
    return rng.random((size, size)) / max(size, 1), rng.random((size, size)), 3


def single(a: f32[M, K], b: f32[K, N], alpha: f32) -> f32[M, N]:
    return alpha * (a @ b)


def inputs_single(size, rng):
    a, b = rng.random((size, size + 1)), rng.random((size + 1, size + 2))
    return a.astype(np.float32), b.astype(np.float32), np.float32(0.5)


def mixed(a: f32[M, K], b: f64[K, N]) -> f64[M, N]:
    return a @ b


def inputs_mixed(size, rng):
    return rng.random((size, size + 1), dtype=np.float32), rng.random((size + 1, size + 2))


def complex_products(a: c128[N, N], b: c128[N, N], z: c128) -> c128[N, N]:
    return z * (a @ b) + np.conj(a).T @ b


def inputs_complex_products(size, rng):
    def z():
        return rng.random((size, size)) + 1j * rng.random((size, size))
    return z(), z(), np.complex128(0.5 - 2j)


def wrapping(a: i32[M, K], b: i32[K, N], c: i32[M, N], f: i32):
    c[:] = f * (a @ b) - c * f


def inputs_wrapping(size, rng):
    def whole(*shape):
        return rng.integers(-2**31, 2**31 - 1, shape).astype(np.int32)
    return whole(size, size + 1), whole(size + 1, size + 2), whole(size, size + 2), np.int32(2**31 - 5)


def bytes_wrap(a: u8[N, N], b: u8[N, N]) -> u8[N, N]:
    return a @ b


def inputs_bytes_wrap(size, rng):
    return tuple(rng.integers(0, 255, (size, size)).astype(np.uint8) for _ in range(2))


def scaled_after(alpha: f64, A: f64[M, K], B: f64[K, N], C: f64[M, N]):
    """An infinite factor comes after the sum: of two terms of unlike signs it would make nan."""
    C += A @ B
    C *= alpha


def inputs_scaled_after(size, rng):
    alpha = (1.5, np.inf, -np.inf)[size % 3]
    return alpha, rng.random((size, 5)) + 0.5, rng.random((5, size)), rng.random((size, size)) * 8 - 4
