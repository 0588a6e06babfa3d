"""Matrix times vector, y = A x: a reduction for each row."""
from __future__ import annotations

import numpy as np


def gemv(A: f64[M, N], x: f64[N]) -> f64[M]:
    """Plain NumPy."""
    return A @ x


def gemv_tensor(A: f64[M, N], x: f64[N]) -> f64[M]:
    """Rows in parallel, columns reduced: the mapping is stated for each dimension."""
    M, N = A.shape
    y = np.empty(M)
    #pragma :M=>parallel :N=>reduce(sum:y)
    y[:M] = A[:M, :N] @ x[:N]
    return y


def gemv_loop(A: f64[M, N], x: f64[N]) -> f64[M]:
    """A worker for each row; its vector lanes share the columns and add up their parts."""
    M, N = A.shape
    y = np.empty(M)
    #pragma parallel for
    for i in range(M):
        y[i] = 0.0
        #pragma simd
        for j in range(N):
            y[i] += A[i, j] * x[j]
    return y


def make_inputs(size, rng):
    return rng.random((size, size + 3)), rng.random(size + 3)


def reference(A, x):
    return np.array([sum(a * b for a, b in zip(row, x)) for row in A])


if __name__ == "__main__":
    inputs = make_inputs(60, np.random.default_rng(0))
    for function in (gemv, gemv_tensor, gemv_loop):
        np.testing.assert_allclose(function(*inputs), reference(*inputs))
    print("gemv: ok")
