"""Loops of the host whose statements make what all blocks of the next one read, and programs that are just not so."""
from __future__ import annotations

import numpy as np

SIZES = (0, 1, 2, 7, 31, 32, 33, 129, 257)
ROWS = {0: 0, 1: 1, 2: 5, 7: 19, 31: 64, 32: 31, 33: 127, 129: 128, 257: 257}  # of matrices of few columns
COLUMNS = {0: 2, 1: 1, 2: 0, 7: 9, 31: 2, 32: 5, 33: 7, 129: 3, 257: 4}
STEPS = {0: 3, 1: 1, 2: 0, 7: 17, 31: 2, 32: 3, 33: 1, 129: 2, 257: 3}


def matrix(size, rng):
    return rng.random((ROWS[size], COLUMNS[size])) - 0.25


def gramschmidt(A: f64[:, :]) -> (f64[:, :], f64[:, :]):
    """The last column has no others behind it: the block that stores is there all the same."""
    Q = np.zeros_like(A)
    R = np.zeros((A.shape[1], A.shape[1]))
    for k in range(A.shape[1]):
        nrm = np.dot(A[:, k], A[:, k])
        R[k, k] = np.sqrt(nrm)
        Q[:, k] = A[:, k] / R[k, k]
        for j in range(k + 1, A.shape[1]):
            R[k, j] = np.dot(Q[:, k], A[:, j])
            A[:, j] -= Q[:, k] * R[k, j]
    return Q, R


def inputs_gramschmidt(size, rng):
    return (matrix(size, rng),)


def gramschmidt_f32(A: f32[N, M], Q: f32[N, M]):
    """Known sizes, a column of nought, and infinities: nan is what NumPy makes of them."""
    for k in range(A.shape[1]):
        Q[:, k] = A[:, k] / np.sqrt(A[:, k] @ A[:, k])
        for j in range(k + 1, A.shape[1]):
            A[:, j] -= Q[:, k] * (Q[:, k] @ A[:, j])


def inputs_gramschmidt_f32(size, rng):
    A = matrix(size, rng).astype(np.float32)
    if size % 2:
        A[:, -1:] = 0
    if size == 32:
        A[3, 2] = np.inf
    return A, np.full_like(A, 7)


def overwritten(A: f64[N, M], Q: f64[N, M]):
    """The loop changes column k itself: other blocks must not read it."""
    for k in range(A.shape[1]):
        nrm = A[:, k] @ A[:, k]
        Q[:, k] = A[:, k] / (nrm + 1.0)
        for j in range(k, A.shape[1]):
            A[:, j] -= Q[:, k] * (Q[:, k] @ A[:, j])


def inputs_overwritten(size, rng):
    A = matrix(size, rng)
    return A, np.zeros_like(A)


def in_place(A: f64[N, M]):
    """A column is replaced by what the others read: one block would overwrite what another one still needs."""
    for k in range(A.shape[1]):
        A[:, k] /= np.sqrt(A[:, k] @ A[:, k]) + 1.0
        for j in range(k + 1, A.shape[1]):
            A[:, j] -= A[:, k] * (A[:, k] @ A[:, j])


def inputs_in_place(size, rng):
    return (matrix(size, rng),)


def far_columns(A: f64[N, M], Q: f64[N, M], s: f64[M]):
    """Three columns on, every other one: often there is none, and the range ends before it begins."""
    for k in range(A.shape[1]):
        s[k] = np.sum(A[:, k])
        Q[:, k] = A[:, k] * s[k]
        for j in range(k + 3, A.shape[1], 2):
            A[:, j] += Q[:, k] * np.max(Q[:, k] + A[:, j])


def inputs_far_columns(size, rng):
    rows = max(ROWS[size], 1)
    A = rng.random((rows, COLUMNS[size])) / rows
    return A, np.zeros_like(A), np.zeros(A.shape[1])


def shifted(A: f64[N, M], q: f64[N]):
    """The vector is made from its second element on, and read from there."""
    for k in range(1, A.shape[1]):
        q[1:] = A[:-1, k] * 0.5
        for j in range(k):
            A[1:, j] += q[1:] * np.sum(q[1:] * A[1:, j])


def shifted_too_far(A: f64[N, M], q: f64[N]):
    """One element of those that are read is older."""
    for k in range(1, A.shape[1]):
        q[1:] = A[:-1, k] * 0.5
        for j in range(k):
            A[:, j] += q * np.sum(q * A[:, j])


def inputs_shifted(size, rng):
    A = rng.random((ROWS[size] + 1, COLUMNS[size])) / (ROWS[size] + 1)
    return A, rng.random(A.shape[0])


inputs_shifted_too_far = inputs_shifted


def power(steps: i64, A: f64[N, N], v: f64[N], w: f64[N]):
    """The vector of unit length is nowhere stored."""
    for t in range(steps):
        u = v / np.sqrt(v @ v)
        w[:] = A @ u
        v[:] = w


def power_norms(A: f64[N, N], v: f64[N], norms: f64[T]) -> f64:
    """The norm of each step is kept, the last one returned."""
    nrm = 0.0
    for t in range(norms.shape[0]):
        nrm = np.sqrt(v @ v)
        norms[t] = nrm
        v = A @ (v / nrm)
    return nrm


def power_stored(steps: i64, A: f64[N, N], v: f64[N], u: f64[N], w: f64[N]):
    """The vector of unit length and its largest element are there afterwards; both come from one loop."""
    top = np.zeros(1)
    for t in range(steps):
        s = np.sum(np.abs(v))
        most = -1.0
        for i in range(v.shape[0]):
            u[i] = v[i] / s
            most = max(most, u[i])
        top[0] = most
        for i in range(A.shape[0]):
            r = 0.0
            for l in range(A.shape[1]):
                r += A[i, l] * u[l]
            w[i] = r / most
        v[:] = w[::-1]
    w += top[0]


def square(size, rng):
    return rng.random((size, size)) / max(size, 1) + np.eye(size)


def inputs_power(size, rng):
    return STEPS[size], square(size, rng), rng.random(size) + 0.1, np.zeros(size)


def inputs_power_norms(size, rng):
    return square(size, rng), rng.random(size) + 0.1, np.zeros(STEPS[size])


def inputs_power_stored(size, rng):
    return STEPS[size], square(size, rng), rng.random(size) + 0.1, np.zeros(size), np.zeros(size)


def attention(W: f64[M, N], x: f64[N], y: f64[T, M]):
    """A row that a softmax weights, changed by the result: every block has its exponentials, where these are few."""
    for t in range(y.shape[0]):
        e = np.exp(x - np.max(x))
        y[t] = W @ (e / np.sum(e))
        x[t] = y[t, 0] - y[t, -1]


def inputs_attention(size, rng):
    rows, columns = (3, 3000) if size == 7 else (300, 2000) if size == 257 else (size, 2 * size)
    return rng.random((rows + 1, columns + 2)), rng.random(columns + 2), np.zeros((2, rows + 1))


def counts(A: i64[N, M], total: i64[N], first: i64[N]):
    """Whole numbers, several values a row, and branches; the row below is read as it was."""
    for k in range(A.shape[0] - 1):
        s = 0
        low = 1000
        for i in range(A.shape[1]):
            s += A[k, i]
            low = min(low, A[k, i])
        total[k] = s
        first[k] = A[k, 0]
        for j in range(k + 1, A.shape[0]):
            c = 0
            for i in range(A.shape[1]):
                if A[j, i] > low:
                    c += A[j, i] * A[k, i] + s
            if first[k] > c:
                total[j] = c
            for i in range(A.shape[1]):
                A[j, i] = (A[j, i] + A[k, i] * low + c) % 17


def inputs_counts(size, rng):
    A = rng.integers(-9, 9, (COLUMNS[size], ROWS[size] + 1))
    return A, np.zeros(A.shape[0], np.int64), np.zeros(A.shape[0], np.int64)


def longer(A: f64[N, M], big: f64[K], q: f64[N]):
    """What is summed first is longer than a block's own rows: it stays a kernel of its own."""
    for k in range(A.shape[1]):
        s = np.sum(big) + k
        for j in range(k + 1, A.shape[1]):
            A[:, j] += A[:, k] * s / (1.0 + np.sum(A[:, j] * A[:, j]))
        big[0] = A[0, 0]


def inputs_longer(size, rng):
    A = rng.random((ROWS[size] + 1, COLUMNS[size] + 1))
    return A, rng.random(3 * size + 1), rng.random(A.shape[0])


def twice(A: f64[N, M], q: f64[N], p: f64[N]):
    """An element is stored again, and one vector is made from the other."""
    for k in range(A.shape[1]):
        q[:] = A[:, k] + 1.0
        q[0] = 5.0
        p[:] = q * q
        for j in range(k + 1, A.shape[1]):
            A[:, j] -= 0.125 * p * np.sum(q * A[:, j]) / A.shape[0]


def chained(A: f64[N, M], q: f64[N], p: f64[N]):
    """One vector is made from the other, whose largest element is needed as well."""
    for k in range(A.shape[1]):
        q[:] = A[:, k] + 1.0
        p[:] = q * 0.5
        top = np.max(p)
        for j in range(k + 1, A.shape[1]):
            A[:, j] -= 0.125 * p / top * np.sum(q * A[:, j]) / A.shape[0]


def inputs_twice(size, rng):
    A = rng.random((ROWS[size] + 1, COLUMNS[size] + 1))
    return A, np.zeros(A.shape[0]), np.zeros(A.shape[0])


inputs_chained = inputs_twice


def reused(A: f64[N, M], b: f64[N, M]):
    """One name stands for a scalar of the producers and one of the loop."""
    for k in range(A.shape[1]):
        s = np.sum(A[:, k])
        for j in range(k + 1, A.shape[1]):
            b[0, j] = s
            t = s + np.sum(A[:, j])
            A[:, j] += A[:, k] / (t + 1.0)
        s = 0.0


def captured(A: f64[N, M], q: f64[N]):
    """The loop has its own value under the name that the vector was made with."""
    for k in range(A.shape[1]):
        x = 0.5 * k
        q[:] = A[:, k] * x
        for j in range(k + 1, A.shape[1]):
            x = np.sum(q * A[:, j]) / A.shape[0]
            A[:, j] -= x * q


def renewed(A: f64[N, M], q: f64[N]):
    """One name for two sums, whose first value is still needed."""
    for k in range(A.shape[1]):
        s = 0.0
        for i in range(A.shape[0]):
            s += A[i, k]
        q[0] = s
        a = s * 0.5
        s = -1.0
        for i in range(A.shape[0]):
            s = max(s, A[i, k])
        for j in range(k + 1, A.shape[1]):
            A[:, j] = (A[:, j] - A[:, k] * s) / (a + np.sum(A[:, j]) + 1.0)


def columns_apart(A: f64[N, M], q: f64[N]):
    """Two elements whose places may be one."""
    for k in range(A.shape[1]):
        q[k % A.shape[0]] = A[0, k]
        q[0] = 0.25
        for j in range(k + 1, A.shape[1]):
            A[:, j] += q[k % A.shape[0]] * np.sum(A[:, j]) / A.shape[0]


def inputs_captured(size, rng):
    A = rng.random((ROWS[size] + 1, COLUMNS[size] + 1))
    return A, np.zeros(A.shape[0])


inputs_renewed = inputs_captured
inputs_columns_apart = inputs_captured


def inputs_reused(size, rng):
    A = rng.random((ROWS[size] + 1, COLUMNS[size] + 1))
    return A, np.zeros_like(A)


def across(A: f64[N, M], p: f64[N]):
    """Each block reads all of the vector, from the other end."""
    for k in range(A.shape[1]):
        p[:] = A[::-1, k] * 0.25
        for j in range(k + 1, A.shape[1]):
            A[:, j] += p[::-1] * np.sum(p * A[::-1, j]) / A.shape[0]


def inputs_across(size, rng):
    A = rng.random((ROWS[size] + 1, COLUMNS[size] + 1))
    return A, np.zeros(A.shape[0])


def short_rows(A: f64[M, 64], Q: f64[M, 64], R: f64[M, M]):
    """A warp each is enough for rows of 64; one warp more stores."""
    for k in range(A.shape[0]):
        R[k, k] = np.sqrt(A[k] @ A[k])
        Q[k] = A[k] / R[k, k]
        for j in range(k + 1, A.shape[0]):
            R[k, j] = Q[k] @ A[j]
            A[j] -= Q[k] * R[k, j]


def inputs_short_rows(size, rng):
    A = rng.random((min(size, 50), 64))
    return A, np.zeros_like(A), np.zeros((A.shape[0], A.shape[0]))


def two_loops(A: f64[N, M], b: f64[M], q: f64[N]):
    """The second loop reads what the first one makes; only the first has something to take in."""
    for k in range(A.shape[1]):
        q[:] = A[:, k] * 0.5
        for j in range(k + 1, A.shape[1]):
            b[j] = np.sum(q * A[:, j])
        top = np.max(q)
        for j in range(k + 1, A.shape[1]):
            A[:, j] -= q * b[j] / (A.shape[0] + top + np.sum(A[:, j] * A[:, j]))


def inputs_two_loops(size, rng):
    A = rng.random((ROWS[size] + 1, COLUMNS[size] + 1))
    return A, np.zeros(A.shape[1]), np.zeros(A.shape[0])


def rotating(z: c128[N, M], steps: i64):
    """Complex numbers, in a loop that a condition ends."""
    t = 0
    while t < steps:
        for k in range(z.shape[1] - 1):
            s = np.sum(z[:, k])
            for j in range(k + 1, z.shape[1]):
                z[:, j] = z[:, j] * 0.5 + z[:, k] * s / (z.shape[0] + np.sum(z[:, j] * z[:, j]))
        t += 1


def inputs_rotating(size, rng):
    z = rng.random((ROWS[size] + 1, COLUMNS[size] + 1)) + 1j * rng.random((ROWS[size] + 1, COLUMNS[size] + 1))
    return z, STEPS[size]
