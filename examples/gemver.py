"""A matrix updated by two outer products, then a product with its transpose and one with itself.

A += u1 v1ᵀ + u2 v2ᵀ, x += beta Aᵀ y + z, w += alpha A x: each statement needs the one before.
"""
from __future__ import annotations

import numpy as np
import appy


@appy.jit(auto_simd=True)
def gemver(alpha: f64, beta: f64, A: f64[N, N], u1: f64[N], v1: f64[N], u2: f64[N], v2: f64[N],
           w: f64[N], x: f64[N], y: f64[N], z: f64[N]):
    M, N = A.shape
    columns = np.empty(N)
    rows = np.empty(M)
    #pragma :M=>parallel :N=>parallel
    A[:M, :N] += u1[:M][:, None] * v1[:N][None, :] + u2[:M][:, None] * v2[:N][None, :]
    #pragma :N=>parallel :M=>reduce(sum:columns)
    columns[:N] = np.sum(beta * y[:M][:, None] * A[:M, :N], axis=0)
    #pragma :N=>parallel
    x[:N] += columns[:N] + z[:N]
    #pragma :M=>parallel :N=>reduce(sum:rows)
    rows[:M] = alpha * A[:M, :N] @ x[:N]
    #pragma :M=>parallel
    w[:M] += rows[:M]


def gemver_plain(alpha: f64, beta: f64, A: f64[N, N], u1: f64[N], v1: f64[N], u2: f64[N], v2: f64[N],
                 w: f64[N], x: f64[N], y: f64[N], z: f64[N]):
    """Plain NumPy."""
    A += np.outer(u1, v1) + np.outer(u2, v2)
    x += beta * (y @ A) + z
    w += alpha * (A @ x)


SIZES = (0, 1, 2, 3, 7, 31, 32, 33, 127, 128, 129)


def make_inputs(size, rng):
    vectors = (rng.random(size) for _ in range(8))
    return 1.5, 1.2, rng.random((size, size)), *vectors


def reference(alpha, beta, A, u1, v1, u2, v2, w, x, y, z):
    A = A + np.einsum("i,j->ij", u1, v1) + np.einsum("i,j->ij", u2, v2)
    x = x + beta * np.einsum("ij,i->j", A, y) + z
    return A, w + alpha * np.einsum("ij,j->i", A, x), x


if __name__ == "__main__":
    for function in (gemver, gemver_plain):
        inputs = make_inputs(50, np.random.default_rng(0))
        expected = reference(*inputs)
        function(*inputs)
        for position, value in zip((2, 7, 8), expected):
            np.testing.assert_allclose(inputs[position], value)
    print("gemver: ok")
