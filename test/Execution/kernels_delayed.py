"""Steps that change all elements behind them: factorisations and solves by columns, around the size of a panel."""
from __future__ import annotations

import numpy as np

SIZES = (0, 1, 2, 31, 33, 64, 97, 131)


def spd(size, rng):
    G = rng.random((size, size)) - 0.5
    return G @ G.T + size * np.eye(size) / 4


def dominant(size, rng):
    return rng.random((size, size)) - 0.5 + size * np.eye(size) / 2


def triangle(size, rng):
    return np.tril(rng.random((size, size)) - 0.5) / max(size, 1) + np.eye(size)


def cholesky_outer(A: f64[N, N]):
    """What stands above the diagonal changes as well."""
    for k in range(A.shape[0]):
        A[k, k] = np.sqrt(A[k, k])
        A[k + 1:, k] /= A[k, k]
        A[k + 1:, k + 1:] -= np.outer(A[k + 1:, k], A[k + 1:, k])


def inputs_cholesky_outer(size, rng):
    return (spd(size, rng),)


def cholesky_lower(A: f32[N, N]):
    """Columns of the lower triangle, a name for the diagonal."""
    for k in range(A.shape[0]):
        d = np.sqrt(A[k, k])
        A[k, k] = d
        A[k + 1:, k] /= d
        for j in range(k + 1, A.shape[0]):
            A[j:, j] -= A[j:, k] * A[j, k]


def inputs_cholesky_lower(size, rng):
    return (spd(size, rng).astype(np.float32),)


def lu_outer(A: f64[N, N]):
    for k in range(A.shape[0] - 1):
        A[k + 1:, k] /= A[k, k]
        A[k + 1:, k + 1:] -= np.outer(A[k + 1:, k], A[k, k + 1:])


def inputs_lu_outer(size, rng):
    return (dominant(size, rng),)


def lu_by_rows(A: f64[N, N]):
    """A factor with a name, rows by slices."""
    for k in range(A.shape[0]):
        pivot = A[k, k]
        for i in range(k + 1, A.shape[0]):
            factor = A[i, k] / pivot
            A[i, k] = factor
            A[i, k + 1:] -= factor * A[k, k + 1:]


inputs_lu_by_rows = inputs_lu_outer


def two_factors(A: f64[N, N], L: f64[N, N]):
    for k in range(A.shape[0]):
        for i in range(k + 1, A.shape[0]):
            L[i, k] = A[i, k] / A[k, k]
            for j in range(k + 1, A.shape[0]):
                A[i, j] = A[i, j] - L[i, k] * A[k, j]


def inputs_two_factors(size, rng):
    return dominant(size, rng), np.eye(size)


def solve_columns(L: f64[N, N], x: f64[N], b: f64[N]):
    x[:] = b
    for j in range(x.shape[0]):
        x[j] /= L[j, j]
        x[j + 1:] -= L[j + 1:, j] * x[j]


def with_zero(size, rng):
    """The quotient 0 is one that is not computed by a prepared division."""
    values = rng.random(size)
    values[:1] = values[-1:] = 0
    return values


def inputs_solve_columns(size, rng):
    return triangle(size, rng), rng.random(size), with_zero(size, rng)


def solve_up(U: f64[N, N], x: f64[N]):
    """From the last one, by scalar loops."""
    for j in range(x.shape[0] - 1, -1, -1):
        x[j] = x[j] / U[j, j]
        for i in range(j):
            x[i] += -0.5 * U[i, j] * x[j]


def inputs_solve_up(size, rng):
    return triangle(size, rng).T.copy(), with_zero(size, rng)


def many_rows(L: f64[N, N], X: f64[N, K], B: f64[N, K]):
    for i in range(L.shape[0]):
        X[i] = (B[i] - L[i, :i] @ X[:i]) / L[i, i]


def inputs_many_rows(size, rng):
    return triangle(size, rng), rng.random((size, 37)), rng.random((size, 37))


def many_columns(L: f64[N, N], X: f64[N, K]):
    for j in range(L.shape[0]):
        X[j] /= L[j, j]
        X[j + 1:] -= np.outer(L[j + 1:, j], X[j])


def inputs_many_columns(size, rng):
    return triangle(size, rng), rng.random((size, 5))


def reads_itself(A: f64[N, N]):
    """What is taken from an element depends on what it is by then."""
    for k in range(A.shape[0]):
        for i in range(k + 1, A.shape[0]):
            for j in range(k + 1, A.shape[0]):
                A[i, j] = A[i, j] - A[i, j] * A[k, k] * 1e-3


def inputs_reads_itself(size, rng):
    return (rng.random((size, size)),)


def reads_behind(A: f64[N, N]):
    """Steps take what stands behind them at the time."""
    for k in range(A.shape[0] - 1):
        A[k + 1:, k] = A[k + 1:, k] * A[-1, -1] * 0.25
        A[k + 1:, k + 1:] -= np.outer(A[k + 1:, k], A[k, k + 1:])


def inputs_reads_behind(size, rng):
    return (rng.random((max(size, 1), max(size, 1))) / max(size, 1),)


def changes_earlier(A: f64[N, N], x: f64[N]):
    """A row that is done takes what comes later."""
    for k in range(x.shape[0]):
        x[k] = x[k] / A[k, k]
        x[k + 1:] -= A[k + 1:, k] * x[k]
        x[k // 2] = x[k // 2] + 0.125


def inputs_changes_earlier(size, rng):
    return triangle(size, rng), rng.random(size)
