"""Elements that sum products over all columns before theirs: factorisations and their like, around the size of a panel."""
from __future__ import annotations

import numpy as np

SIZES = (0, 1, 2, 3, 31, 32, 33, 64, 65, 97, 131)


def spd(size, rng):
    G = rng.random((size, size)) - 0.5
    return G @ G.T + size * np.eye(size) / 4


def dominant(size, rng):
    return rng.random((size, size)) - 0.5 + size * np.eye(size) / 2


def cholesky(A: f64[N, N]):
    for j in range(A.shape[0]):
        A[j, j] = np.sqrt(A[j, j] - A[j, :j] @ A[j, :j])
        for i in range(j + 1, A.shape[0]):
            A[i, j] = (A[i, j] - A[i, :j] @ A[j, :j]) / A[j, j]


def inputs_cholesky(size, rng):
    return (spd(size, rng),)


def cholesky_in_steps(A: f32[N, N]):
    """Row by row in the text, each element stored twice."""
    A[0, 0] = np.sqrt(A[0, 0])
    for i in range(1, A.shape[0]):
        for j in range(i):
            A[i, j] -= np.dot(A[i, :j], A[j, :j])
            A[i, j] /= A[j, j]
        A[i, i] -= np.dot(A[i, :i], A[i, :i])
        A[i, i] = np.sqrt(A[i, i])


def inputs_cholesky_in_steps(size, rng):
    return (spd(max(size, 1), rng).astype(np.float32),)


def lu(A: f64[N, N]):
    for i in range(A.shape[0]):
        for j in range(i):
            A[i, j] -= A[i, :j] @ A[:j, j]
            A[i, j] /= A[j, j]
        for j in range(i, A.shape[0]):
            A[i, j] -= A[i, :i] @ A[:i, j]


def inputs_lu(size, rng):
    return (dominant(size, rng),)


def lu_of_complex(A: c128[:, :]):
    """By columns, sizes that the type leaves open. What a panel needs does not fit on chip."""
    for j in range(A.shape[0]):
        for i in range(j, A.shape[0]):
            A[j, i] -= A[j, :j] @ A[:j, i]
        for i in range(j + 1, A.shape[0]):
            A[i, j] = (A[i, j] - A[i, :j] @ A[:j, j]) / A[j, j]


def inputs_lu_of_complex(size, rng):
    return (dominant(size, rng) * (1 + 0.5j) + 0.25j * rng.random((size, size)),)


def symmetric_of_complex(A: c128[N, N]):
    for j in range(A.shape[0]):
        A[j, j] = np.sqrt(A[j, j] - A[j, :j] @ A[j, :j])
        for i in range(j + 1, A.shape[0]):
            A[i, j] = (A[i, j] - A[i, :j] @ A[j, :j]) / A[j, j]


def inputs_symmetric_of_complex(size, rng):
    return (spd(size, rng) * (1 + 0.25j),)


def from_second(L: f64[N, N], D: f64[N], A: f64[N, N]):
    """Another array for the result, the first column given; the diagonal goes elsewhere."""
    for j in range(1, D.shape[0]):
        s = 0.0
        for k in range(1, j):
            s += L[j, k] * L[j, k]
        D[j] = A[j, j] - s
        for i in range(j + 1, D.shape[0]):
            t = 0.0
            for k in range(1, j):
                t += L[i, k] * L[j, k]
            L[i, j] = (A[i, j] - t) / (1.0 + D[j])


def inputs_from_second(size, rng):
    return rng.random((size, size)), rng.random(size), spd(size, rng)


def reads_behind(A: f64[N, N]):
    """The diagonal takes what stands in the last row before that is changed."""
    for j in range(A.shape[0]):
        A[j, j] = 1.0 + 0.5 * A[-1, j] - 0.25 * (A[j, :j] @ A[j, :j])
        for i in range(j + 1, A.shape[0]):
            A[i, j] = (A[i, j] - A[i, :j] @ A[j, :j]) / (1.0 + abs(A[j, j]))


def inputs_reads_behind(size, rng):
    return (spd(max(size, 1), rng) / max(size, 1),)


def waits_for_behind(A: f64[N, N]):
    """The diagonal takes what the last row has become in an earlier step."""
    for j in range(A.shape[0]):
        A[j, j] = 1.0 + 0.5 * A[-1, j // 2] - 0.25 * (A[j, :j] @ A[j, :j])
        for i in range(j + 1, A.shape[0]):
            A[i, j] = (A[i, j] - A[i, :j] @ A[j, :j]) / (1.0 + abs(A[j, j]))


inputs_waits_for_behind = inputs_reads_behind


def changes_earlier(A: f64[N, N]):
    """Columns that are done change again."""
    for j in range(A.shape[0]):
        for i in range(j, A.shape[0]):
            A[i, j] = 0.5 * A[i, j] - 0.125 * (A[i, :j] @ A[j, :j])
        A[-1, j // 2] = 0.5


inputs_changes_earlier = inputs_reads_behind
