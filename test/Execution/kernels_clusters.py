"""Loops of the host whose steps do little, which one block or one cluster of blocks runs in one launch, and loops that
are just not so. At the larger sizes steps are launches of their own."""
from __future__ import annotations

import numpy as np

SIZES = (0, 1, 2, 7, 31, 33, 61, 129, 257)
STEPS = {0: 3, 1: 0, 2: 1, 7: 9, 31: 5, 33: 4, 61: 3, 129: 2, 257: 2}
CLUSTERS = True  # in check mode as well
TRANSLATE_OPTIONS = ("--disable-pass=tile-reductions",)  # sums by one block: of chunks there would be but one here


def relax(steps: i64, A: f64[:, :], B: f64[:, :]):
    """Two sweeps a step, in two dimensions that a cluster counts along one. No tiles: all read one element."""
    for t in range(steps):
        B[1:-1, 1:-1] = 0.2 * (A[1:-1, 1:-1] + A[1:-1, :-2] + A[1:-1, 2:] + A[2:, 1:-1] + A[:-2, 1:-1])
        A[1:-1, 1:-1] = 0.25 * (B[1:-1, 1:-1] + B[1:-1, :-2] + B[2:, 1:-1]) + t * B[0, 0]


def inputs_relax(size, rng):
    shape = (size + 1, size + 3)
    return STEPS[size], rng.random(shape), rng.random(shape)


def heat(steps: i64, A: f64[N, M, K], B: f64[N, M, K]):
    for t in range(steps):
        B[1:-1, 1:-1, 1:-1] = A[1:-1, 1:-1, 1:-1] + 0.125 * (A[2:, 1:-1, 1:-1] - A[:-2, 1:-1, 1:-1])
        A[:] = B * 0.5


sizes_heat = (0, 1, 2, 7, 33)


def inputs_heat(size, rng):
    shape = (size, 3, size // 2 + 1)
    return STEPS[size], rng.random(shape), rng.random(shape)


def power(steps: i64, A: f64[70, 70], x: f64[70]):
    """Rows of a warp each, and a sum over all of them in between."""
    for t in range(steps):
        y = A @ x
        x[:] = y / np.sqrt(y @ y + 1.0)


def inputs_power(size, rng):
    return STEPS[size], rng.random((70, 70)), rng.random(70)


def softened(steps: i64, x: f32[300], y: f32[300], s: f32[2]):
    """The next statement reads what one thread has made."""
    for t in range(steps):
        s[0] = np.max(x)
        s[1] += s[0]
        y[:] = np.exp(x - s[0])
        x[1:] = y[:-1] + x[1:]


def inputs_softened(size, rng):
    return STEPS[size], rng.random(300, dtype=np.float32), np.zeros(300, np.float32), rng.random(2, dtype=np.float32)


def lu(A: f64[N, N]):
    """Bounds of rows and columns move with the step."""
    for k in range(A.shape[0]):
        A[k + 1:, k] /= A[k, k]
        A[k + 1:, k + 1:] -= A[k + 1:, k:k + 1] * A[k, k + 1:]


def inputs_lu(size, rng):
    return (rng.random((size, size)) + size * np.eye(size),)


def levinson(r: f64[N], y: f64[N], z: f64[N]):
    """A sum over what the steps before have made, then two updates that both read it."""
    for k in range(1, y.shape[0]):
        total = r[k]
        for i in range(k):
            total += r[i] * y[k - i - 1]
        y[k] = -0.01 * total
        for i in range(k):
            z[i] = y[i] + y[k] * y[k - i - 1]
        y[:k] = z[:k]


sizes_levinson = (0, 1, 2, 7, 33, 61, 129)


def inputs_levinson(size, rng):
    return rng.random(size), rng.random(size), rng.random(size)


def triangles(steps: i64, A: f64[N, N], C: f64[N, N]):
    """Rows of different lengths."""
    for t in range(steps):
        for i in range(A.shape[0]):
            for j in range(i):
                C[i, j] = A[j, i] + t
        for i in range(A.shape[0]):
            for j in range(i, A.shape[0]):
                A[i, j] = 0.5 * (C[j, i] + A[i, j])


def inputs_triangles(size, rng):
    return STEPS[size], rng.random((size, size)), rng.random((size, size))


def edges(steps: i64, p: f64[N, M], b: f64[N, M]):
    """An inside, then edges, each from what the one before has left."""
    for q in range(steps):
        p[1:-1, 1:-1] = 0.25 * (p[1:-1, 2:] + p[1:-1, :-2] + p[2:, 1:-1] + p[:-2, 1:-1]) - b[1:-1, 1:-1]
        p[:, -1] = p[:, -2]
        p[0, :] = p[1, :]
        p[:, 0] = p[:, 1]
        p[-1, :] = 0


def inputs_edges(size, rng):
    shape = (max(size, 2), max(size, 2) + 1)
    return STEPS[size], rng.random(shape), rng.random(shape)


def apart(steps: i64, a: f64[N], b: f64[M], c: f64[N]):
    """b has nothing to do with a and c: no barrier for it."""
    for t in range(steps):
        a[1:] += c[:-1]
        b[::-1] *= 0.5
        c[:] += a


def inputs_apart(size, rng):
    return STEPS[size], rng.random(size), rng.random(2 * size + 1), rng.random(size)


def alternating(steps: i64, a: f64[N], b: f64[N]):
    """Steps of two kinds; the loop runs down."""
    for t in range(steps, 0, -1):
        if t % 2 == 0:
            b[1:] = a[:-1] + t
            a[:] = 0.5 * b
        else:
            a[:-1] = b[1:] * a[:-1]


def inputs_alternating(size, rng):
    return 3 * STEPS[size], rng.random(size), rng.random(size)


def lines(steps: i64, u: f64[N, N], p: f64[N, N]):
    """Inside a loop of the host, one loop goes along the rows, and one down the columns."""
    for t in range(steps):
        for j in range(1, u.shape[0]):
            p[:, j] = u[:, j] - 0.5 * p[:, j - 1]
        for i in range(u.shape[0] - 2, -1, -1):
            u[i, :] = p[i, :] + 0.25 * u[i + 1, :]


sizes_lines = (0, 1, 2, 7, 33, 61)


def inputs_lines(size, rng):
    return STEPS[size], rng.random((size, size)), rng.random((size, size))


def columns(A: f64[N, M], R: f64[M, M]):
    """Columns against the one of the step, which all of them read."""
    for k in range(A.shape[1]):
        R[k, k] = np.sqrt(A[:, k] @ A[:, k] + 1.0)
        for j in range(k + 1, A.shape[1]):
            R[k, j] = (A[:, k] @ A[:, j]) / R[k, k]
            A[:, j] -= A[:, k] * (R[k, j] / R[k, k])


sizes_columns = (0, 1, 2, 7, 33, 61)


def inputs_columns(size, rng):
    return rng.random((size + 2, size)), np.zeros((size, size))


def spectrum(steps: i64, z: c128[N], w: c128[N], count: i64[N]):
    """Complex numbers, and whole ones that several write."""
    for t in range(steps):
        w[:] = z * (0.5 + 0.25j)
        z[1:] = w[:-1]
        count[:] = count * 3 + np.int64(t)
        count[:1] += count[-1:]


def inputs_spectrum(size, rng):
    n = 1000 if size == 129 else max(size, 1)  # several tiles a block
    return STEPS[size], rng.random(n) + 1j * rng.random(n), np.zeros(n, complex), rng.integers(0, 9, n)


def known(a: f64[40, 40], b: f64[40, 40]):
    """The host need not ask: one cluster."""
    for t in range(6):
        b[1:, :] = a[:-1, :] * 0.5
        a[:, 1:] = b[:, :-1] + t * b[0, 0]


def inputs_known(size, rng):
    return rng.random((40, 40)), rng.random((40, 40))


sizes_known = (2,)


def looked_at(a: f64[600]) -> f64:
    """The device looks at a sum in each step, and counts."""
    total = 0.0
    for t in range(5):
        a[:] = a * 0.5 + t
        if np.sum(a * a[::-1]) > 3.0:
            total += 1.0
    return total


def inputs_looked_at(size, rng):
    return (rng.random(600),)


def first_step_alone(a: f64[M, N]):
    """Lanes meet in the first step of the inner loop only, where a column is its own neighbour."""
    for k in range(a.shape[1]):
        for j in range(k, a.shape[1]):
            a[:, j] = 0.5 * a[:, j] + 0.25 * a[:, k][::-1]


def inputs_first_step_alone(size, rng):
    return (rng.random((2 * size + 3, 5)),)
