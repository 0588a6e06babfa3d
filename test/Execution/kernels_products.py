"""np.dot and @ in all combinations of vectors and matrices."""
from __future__ import annotations

import numpy as np

SIZES = (0, 1, 2, 3, 7, 31, 33, 65)


def vector_vector(a: f64[N], b: f64[N]):
    return np.dot(a, b), a @ b


def inputs_vector_vector(size, rng):
    return rng.random(size), rng.random(size)


def matrix_vector(m: f64[M, N], v: f64[N], w: f64[M]):
    return m @ v, np.dot(m, v), w @ m, np.dot(w, m)


def inputs_matrix_vector(size, rng):
    return rng.random((size, size + 2)), rng.random(size + 2), rng.random(size)


def matrix_matrix(a: f64[M, K], b: f64[K, N]) -> f64[M, N]:
    return a @ b


def inputs_matrix_matrix(size, rng):
    return rng.random((size, size + 1)), rng.random((size + 1, size + 2))


def transposed_operands(a: f64[K, M], b: f64[N, K]) -> f64[M, N]:
    return a.T @ b.T


def inputs_transposed_operands(size, rng):
    return rng.random((size + 1, size)), rng.random((size + 2, size + 1))


def normal_equations(a: f64[M, N], y: f64[M]):
    return a.T @ a, a.T @ y


def inputs_normal_equations(size, rng):
    return rng.random((size + 1, size)), rng.random(size + 1)


def gemm(alpha: f64, beta: f64, A: f64[M, K], B: f64[K, N], C: f64[M, N]):
    C[:] = alpha * A @ B + beta * C


def inputs_gemm(size, rng):
    return 1.5, 1.2, rng.random((size, size + 1)), rng.random((size + 1, size + 2)), rng.random((size, size + 2))


def chained(A: f64[N, N], x: f64[N]) -> f64[N]:
    return A @ (A @ x)


def product_into_itself(A: f64[N, N]):
    """The product is complete before the operand is overwritten."""
    A[:] = A @ A


def inputs_chained(size, rng):
    return rng.random((size, size)), rng.random(size)


def inputs_product_into_itself(size, rng):
    return (rng.random((size, size)),)


def slices(A: f64[N, N], x: f64[N]):
    return A[1:, :-1] @ x[1:], np.dot(A[:, 0], x)


inputs_slices = inputs_chained
sizes_slices = (1, 2, 3, 33)


def integers(a: i32[N, N], b: i32[N]):
    return a @ b, np.dot(b, b)


def inputs_integers(size, rng):
    return rng.integers(-9, 9, (size, size)).astype(np.int32), rng.integers(-9, 9, size).astype(np.int32)


def single_precision(a: f32[M, N], b: f32[N]) -> f32[M]:
    return a @ b


def inputs_single_precision(size, rng):
    return rng.random((size, size + 1), dtype=np.float32), rng.random(size + 1, dtype=np.float32)


def written_as_loops(A: f64[M, K], B: f64[K, N]) -> f64[M, N]:
    C = np.zeros((A.shape[0], B.shape[1]))
    for i in range(A.shape[0]):
        for j in range(B.shape[1]):
            for k in range(A.shape[1]):
                C[i, j] += A[i, k] * B[k, j]
    return C


inputs_written_as_loops = inputs_matrix_matrix
sizes_written_as_loops = (0, 1, 3, 33)
