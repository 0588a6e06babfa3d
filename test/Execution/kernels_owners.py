"""Loops of the host whose steps are one block's and then, slice by slice, those of others; and programs that are just not so.

In the emulator 16 blocks run at once: slices of a larger matrix take turns.
"""
from __future__ import annotations

import numpy as np

SIZES = (0, 1, 3, 13, 16, 33)


def square(size, rng):
    return rng.random((size, size)) - 0.25 + size * np.eye(size)


def tall(size, rng):
    """Rows of several batches of lanes, and of a part of one."""
    return rng.random((40 * size + 3, size)) - 0.25


def make_inputs(size, rng):
    return (square(size, rng),)


def orthonormal(A: f64[M, N]) -> (f64[M, N], f64[N, N]):
    """The columns that are made are nobody's before: they are published, and stored in the end."""
    Q = np.empty_like(A)
    R = np.zeros((A.shape[1], A.shape[1]))
    for k in range(A.shape[1]):
        R[k, k] = np.sqrt(A[:, k] @ A[:, k])
        Q[:, k] = A[:, k] / R[k, k]
        for j in range(k + 1, A.shape[1]):
            R[k, j] = Q[:, k] @ A[:, j]
            A[:, j] -= Q[:, k] * R[k, j]
    return Q, R


def inputs_orthonormal(size, rng):
    return (tall(size, rng),)


def orthonormal_in_place(A: f32[:, :]):
    """The columns take the place of those that they are made from."""
    for k in range(A.shape[1]):
        norm = np.sqrt(A[:, k] @ A[:, k])
        A[:, k] /= norm
        for j in range(k + 1, A.shape[1]):
            A[:, j] -= A[:, k] * (A[:, k] @ A[:, j])


def inputs_orthonormal_in_place(size, rng):
    return (tall(size, rng).astype(np.float32),)


def orthonormal_but_last(A: f64[M, N], Q: f64[M, N]):
    """The last column has no step: it keeps what it was given."""
    for k in range(A.shape[1] - 1):
        Q[:, k] = A[:, k] / np.sqrt(A[:, k] @ A[:, k])
        for j in range(k + 1, A.shape[1]):
            A[:, j] -= Q[:, k] * (Q[:, k] @ A[:, j])


def inputs_orthonormal_but_last(size, rng):
    return tall(size, rng), np.full((40 * size + 3, size), 7.0)


def upper_part_of_new(A: f64[M, N]) -> f64[M, N]:
    """Of the new columns only a part is made in each step, the rest before."""
    Q = np.zeros_like(A)
    for k in range(A.shape[1]):
        Q[k:, k] = A[k:, k] / (1.0 + A[:, k] @ A[:, k])
        for j in range(k + 1, A.shape[1]):
            A[:, j] -= Q[:, k] * 0.5
    return Q


def inputs_upper_part_of_new(size, rng):
    return (tall(size, rng),)


def by_rows(A: f64[M, N], Q: f64[M, N]):
    """The same along rows, which are contiguous."""
    for k in range(A.shape[0]):
        Q[k] = A[k] / (1.0 + A[k] @ A[k])
        for i in range(k + 1, A.shape[0]):
            A[i] -= Q[k] * (Q[k] @ A[i])


def inputs_by_rows(size, rng):
    A = tall(size, rng).T.copy()
    return A, np.full_like(A, 7)


def factorised(A: f64[N, N]):
    """Right-looking LU by columns: the step's column is scaled by its owner, and all read it. The last one has no step."""
    for k in range(A.shape[0] - 1):
        for i in range(k + 1, A.shape[0]):
            A[i, k] /= A[k, k]
        for j in range(k + 1, A.shape[0]):
            for i in range(k + 1, A.shape[0]):
                A[i, j] -= A[i, k] * A[k, j]


def factorised_symmetric(A: f64[N, N]):
    """Cholesky's columns, of which only the part below the diagonal is touched."""
    for k in range(A.shape[0]):
        A[k, k] = np.sqrt(A[k, k])
        for i in range(k + 1, A.shape[0]):
            A[i, k] = A[i, k] / A[k, k]
        for j in range(k + 1, A.shape[0]):
            for i in range(j, A.shape[0]):
                A[i, j] -= A[i, k] * A[j, k]


def inputs_factorised_symmetric(size, rng):
    A = square(size, rng)
    return (A + A.T,)


def eliminated(A: f64[N, N], b: f64[N]):
    """Gaussian elimination with a right side: the pivot's inverse is an element of a vector, which others read."""
    for k in range(A.shape[0] - 1):
        b[k] = 1.0 / A[k, k]
        for i in range(k + 1, A.shape[0]):
            factor = A[i, k] * b[k]
            for j in range(k + 1, A.shape[0]):
                A[i, j] -= factor * A[k, j]
            A[i, k] = factor


def inputs_eliminated(size, rng):
    return square(size, rng), rng.random(size)


def eliminated_rows(A: f64[N, N]):
    """A step is one launch as it is: the blocks stay where the schedule says so."""
    for k in range(A.shape[0] - 1):
        for i in range(k + 1, A.shape[0]):
            factor = A[i, k] / A[k, k]
            for j in range(k, A.shape[0]):
                A[i, j] -= factor * A[k, j]


def eliminated_with_temporary(A: f64[:, :], b: f64[:]):
    """A block has a temporary array of its own."""
    for k in range(A.shape[0] - 1):
        b[k] = 1.0 / A[k, k]
        for i in range(k + 1, A.shape[0]):
            row = A[k] * A[i, k]
            A[i, k:] -= row[k:] * b[k]


def inputs_eliminated_with_temporary(size, rng):
    return square(size, rng), rng.random(size + 3 * (size == 13))  # once of another size: the general version runs


def reflected(A: f64[M, N], tau: f64[N]):
    """Householder's reflections: a sum over part of the step's column, whose first element changes."""
    for k in range(A.shape[1] - 1):
        norm = np.sqrt(np.sum(A[k:, k] * A[k:, k]))
        A[k, k] += norm + 1.0
        tau[k] = 2.0 / np.sum(A[k:, k] * A[k:, k])
        for j in range(k + 1, A.shape[1]):
            along = tau[k] * np.sum(A[k:, k] * A[k:, j])
            A[k:, j] -= along * A[k:, k]


def inputs_reflected(size, rng):
    return tall(size, rng), np.zeros(size)


def two_arrays(A: i64[M, N], B: i32[M, N], C: i64[M, N]):
    """Two arrays are kept, of different types, a third one is only written."""
    for k in range(A.shape[1]):
        A[:, k] += k
        B[:, k] -= 3
        for j in range(k + 1, A.shape[1]):
            for i in range(A.shape[0]):
                A[i, j] += A[i, k] * 3 - B[i, j]
                B[i, j] += B[i, k]
            for i in range(A.shape[0]):
                C[i, j] = A[i, j] + k


def inputs_two_arrays(size, rng):
    shape = (2 * size + 1, size)
    return tuple(rng.integers(-9, 9, shape).astype(t) for t in (np.int64, np.int32, np.int64))


def slices_of_planes(A: f64[L, N, M], s: f64[N]):
    """A slice has two dimensions, and is the middle one's."""
    for k in range(A.shape[1]):
        s[k] = A[0, k, k] * 0.5 + s[k]
        for j in range(k + 1, A.shape[1]):
            for i in range(A.shape[0]):
                for l in range(A.shape[2]):
                    A[i, j, l] = A[i, j, l] * 0.5 + A[i, k, l] * s[k]


def inputs_slices_of_planes(size, rng):
    return rng.random((3, size, 2 * size + 1)), np.zeros(size)


def turned_within(A: f64[M, N]):
    """Lanes read what other lanes have stored in their slice."""
    for k in range(A.shape[1]):
        A[:, k] *= 0.5
        for j in range(k + 1, A.shape[1]):
            for i in range(A.shape[0]):
                A[i, j] += A[i, k]
            first = A[A.shape[0] - 1, j]
            for i in range(A.shape[0]):
                A[i, j] -= first * A[A.shape[0] - 1 - i, k]


def inputs_turned_within(size, rng):
    return (tall(size, rng) + 1.0,)


def repeated(A: f64[M, N], times: int):
    """All of it again and again: the first step of the next time waits for nobody of the time before."""
    for t in range(times):
        for k in range(A.shape[1]):
            A[:, k] /= 1.0 + np.abs(A[:, k]).sum()
            for j in range(k + 1, A.shape[1]):
                A[:, j] += A[:, k] * 0.5


def inputs_repeated(size, rng):
    return tall(size, rng), size % 4


def from_the_second(A: f64[M, N]):
    """Steps begin behind the first slice, which no step changes."""
    for k in range(1, A.shape[1]):
        A[:, k] *= 1.5
        for j in range(k + 1, A.shape[1]):
            A[:, j] -= A[:, k] * 0.25


def inputs_from_the_second(size, rng):
    return (tall(size, rng),)


# --- not so


def skips_the_next(A: f64[M, N]):
    """The next step's slice has no work in this one: its owner would not have waited."""
    for k in range(A.shape[1]):
        A[:, k] *= 0.5
        for j in range(k + 2, A.shape[1]):
            A[:, j] += A[:, k]


def reads_the_next(A: f64[M, N], B: f64[M, N]):
    """A block reads what another one is changing in the same step."""
    for k in range(A.shape[1]):
        B[:, k] = A[:, k] * 0.5
        for j in range(k + 1, A.shape[1] - 1):
            for i in range(A.shape[0]):
                B[i, j] += A[i, j + 1] * B[i, k]
        A[:, k] += B[:, k]


def goes_back(A: f64[M, N]):
    """All slices change in each step, also those whose step is over."""
    for k in range(A.shape[1]):
        A[:, k] *= 0.5
        for j in range(A.shape[1]):
            if j != k:
                A[:, j] -= A[:, k] * 0.125


def reads_an_earlier_step(A: f64[M, N], Q: f64[M, N]):
    """What all read is of the step before, which the first step has not."""
    for k in range(A.shape[1]):
        Q[:, k] = A[:, k] * 0.5
        for j in range(k + 1, A.shape[1]):
            A[:, j] += Q[:, max(k - 1, 0)]


def owner_reads_others(A: f64[M, N], s: f64[N]):
    """The owner looks at another slice than its own."""
    for k in range(A.shape[1] - 1):
        s[k] = A[:, k + 1] @ A[:, k + 1] + 1.0
        for j in range(k + 1, A.shape[1]):
            A[:, j] /= s[k]


def shared_row(A: f64[M, N], last: f64[M]):
    """Each step overwrites one vector, which others may still be reading."""
    for k in range(A.shape[1]):
        last[:] = A[:, k] * 0.5
        for j in range(k + 1, A.shape[1]):
            A[:, j] -= last


for _name in ("skips_the_next", "goes_back"):
    globals()[f"inputs_{_name}"] = lambda size, rng: (tall(size, rng),)
for _name in ("reads_the_next", "reads_an_earlier_step"):
    globals()[f"inputs_{_name}"] = lambda size, rng: (tall(size, rng), tall(size, rng))


def inputs_owner_reads_others(size, rng):
    return tall(size, rng), np.zeros(size)


def inputs_shared_row(size, rng):
    return tall(size, rng), np.zeros(40 * size + 3)
