"""Nests that run by another index than they are written by, and nests that may not."""
from __future__ import annotations

import numpy as np


def cholesky_by_rows(A: f64[N, N]):
    A[0, 0] = np.sqrt(A[0, 0])
    for i in range(1, A.shape[0]):
        for j in range(i):
            A[i, j] -= np.dot(A[i, :j], A[j, :j])
            A[i, j] /= A[j, j]
        A[i, i] -= np.dot(A[i, :i], A[i, :i])
        A[i, i] = np.sqrt(A[i, i])


def lu_by_rows(A: f64[N, N]):
    for i in range(A.shape[0]):
        for j in range(i):
            A[i, j] -= A[i, :j] @ A[:j, j]
            A[i, j] /= A[j, j]
        for j in range(i, A.shape[0]):
            A[i, j] -= A[i, :i] @ A[:i, j]


def running_rows(A: f64[M, N]):
    """Each row is a recurrence of its own, over a part that grows with the row."""
    for i in range(A.shape[0]):
        s = A[i, 0] * 0.5
        for j in range(1, min(i + 3, A.shape[1])):
            A[i, j] = A[i, j] * 0.25 + A[i, j - 1]
        A[i, 0] = s


def prefix_of_columns(A: f64[M, N]):
    """The later statement of a row needs the earlier one's last value."""
    for i in range(1, A.shape[0]):
        for j in range(1, A.shape[1]):
            A[i, j] = 0.5 * A[i, j] + 0.25 * A[i, j - 1]
        A[i, 0] = A[i - 1, A.shape[1] - 1] * 0.5


def gauss_seidel(A: f64[M, N]):
    for i in range(1, A.shape[0] - 1):
        for j in range(1, A.shape[1] - 1):
            A[i, j] = 0.25 * (A[i - 1, j] + A[i, j - 1] + A[i, j + 1] + A[i + 1, j])


def carried_scalar(A: f64[M, N]):
    last = 0.0
    for i in range(A.shape[0]):
        for j in range(i + 1, A.shape[1]):
            A[i, j] = A[i, j - 1] * 0.5 + last
        last = last * 0.5 + 1.0
    return last


def make_inputs(size, rng):
    return (rng.random((size, size + 2)),)


def inputs_cholesky_by_rows(size, rng):
    size = max(size, 1)
    M = rng.random((size, size))
    return (M @ M.T + size * np.eye(size),)


def inputs_lu_by_rows(size, rng):
    return (rng.random((size, size)) + size * np.eye(size),)


SIZES = (0, 1, 2, 3, 31, 33)
