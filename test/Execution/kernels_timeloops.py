"""Serial loops around parallel statements, with as many steps as graphs and tiles have, one more and one less."""
from __future__ import annotations

import numpy as np

STEPS = {0: 0, 1: 1, 2: 2, 3: 5, 7: 16, 31: 31, 32: 33, 33: 64, 127: 65, 128: 129, 129: 200, 257: 77, 1000: 9}
STEPS |= {8: 3, 9: 127, 255: 63, 256: 130, 640: 66, 641: 128, 643: 17}  # a thread's cells, a tile's, the first tile inside


def relax(steps: i64, a: f64[N], b: f64[N]):
    for t in range(1, steps):
        b[1:-1] = 0.33333 * (a[:-2] + a[1:-1] + a[2:])
        a[1:-1] = 0.33333 * (b[:-2] + b[1:-1] + b[2:])


def relax_twice(steps: i64, a: f64[N], b: f64[N]):
    """The second loop has the first one's launches, and a graph of its own."""
    for t in range(steps):
        b[1:] = 0.5 * (a[:-1] + a[1:])
        a[1:] = b[1:]
    a[:] += 1.0
    for t in range(2 * steps, 0, -1):
        b[1:] = 0.5 * (a[:-1] + a[1:])
        a[1:] = b[1:]


def inputs_relax(size, rng):
    return STEPS[size], rng.random(size), rng.random(size)


inputs_relax_twice = inputs_relax


def sources(a: f64[N], f: f64[T]):
    """What is launched depends on the step."""
    for t in range(f.shape[0]):
        a[:] = 0.5 * a + f[t]
        a[t % 3:] -= 0.25


def inputs_sources(size, rng):
    return rng.random(size), rng.random(STEPS[size])


def scaled(steps: i64, scale: f64, a: f64[N]) -> f64:
    """A scalar that the steps change."""
    for t in range(steps):
        a[:] = scale * a + 1.0
        scale = 0.5 * scale
    return scale


def inputs_scaled(size, rng):
    return STEPS[size], 0.75, rng.random(size)


def every_other(steps: i64, a: f64[N], b: f64[N]):
    """Branches of the host program."""
    for t in range(0, steps, 2):
        if t % 4 == 0:
            a[:] = 0.5 * (a + b)
        else:
            b[:] = 0.5 * (a - b)


inputs_every_other = inputs_relax


def relax_2d(steps: i64, a: f64[M, N], b: f64[M, N]):
    for t in range(steps):
        b[1:-1, 1:-1] = 0.2 * (a[1:-1, 1:-1] + a[1:-1, :-2] + a[1:-1, 2:] + a[2:, 1:-1] + a[:-2, 1:-1])
        a[1:-1, 1:-1] = 0.2 * (b[1:-1, 1:-1] + b[1:-1, :-2] + b[1:-1, 2:] + b[2:, 1:-1] + b[:-2, 1:-1])


def waves(steps: i64, ex: f64[M, N], ey: f64[M, N], hz: f64[M, N], source: f64[T]):
    for t in range(source.shape[0]):
        ey[0, :] = source[t]
        ey[1:, :] -= 0.5 * (hz[1:, :] - hz[:-1, :])
        ex[:, 1:] -= 0.5 * (hz[:, 1:] - hz[:, :-1])
        hz[:-1, :-1] -= 0.7 * (ex[:-1, 1:] - ex[:-1, :-1] + ey[1:, :-1] - ey[:-1, :-1])


def inputs_relax_2d(size, rng):
    shape = (size, size + 5)
    return min(STEPS[size] // 2, 29), rng.random(shape), rng.random(shape)


def inputs_waves(size, rng):
    shape = (size + 1, size)
    return 0, rng.random(shape), rng.random(shape), rng.random(shape), rng.random(STEPS[size])


# Of an array of 106 by 111 one tile meets no edge.
STEPS |= {17: 9, 36: 14, 37: 12, 79: 10, 105: 8, 106: 26, 117: 17, 118: 5}
sizes_relax = sizes_relax_twice = (0, 1, 2, 3, 7, 8, 9, 31, 32, 33, 127, 128, 129, 255, 256, 257, 640, 641, 643, 1000)
sizes_relax_2d = (0, 1, 2, 3, 7, 31, 33, 36, 37, 79, 105, 106, 129)
sizes_waves = (0, 1, 2, 3, 7, 33, 117, 118)


def diffuse(steps: i64, a: f64[M, N], b: f64[M, N], rate: f64[M, N]):
    """Corners; an array beside the ones that the steps change, which must not be read behind its end."""
    for t in range(steps):
        b[1:-1, 2:-2] = rate[1:-1, 2:-2] * (a[:-2, :-4] + a[2:, 4:] - a[:-2, 4:] - a[1:-1, 2:-2])
        a[1:-1, 1:-1] += rate[2:, :-2] * b[1:-1, 2:]


def inputs_diffuse(size, rng):
    shape = (size + 3, size + 4)
    a, b, rate = (rng.random(shape) for _ in range(3))
    a[0, size // 2], b[-1, -1], a[size // 3, -1] = np.inf, np.nan, -0.0
    return min(STEPS[size] // 2, 29), a, b, rate


sizes_diffuse = (0, 1, 2, 3, 7, 33, 105, 117, 129)


def shifted(steps: i64, a: f64[N], b: f64[N], c: f64[N]):
    """One loop writes at two distances."""
    for t in range(steps):
        for i in range(1, len(a) - 2):
            b[i - 1] = 0.5 * a[i] + 0.25 * a[i - 1]
            c[i + 2] = 0.25 * a[i + 1] - 0.125 * t
        for i in range(2, len(a) - 1):
            a[i] = b[i - 1] + c[i + 1] - 0.5 * b[i - 2]


def shifted_2d(steps: i64, a: f64[M, N], b: f64[M, N], c: f64[M, N]):
    for t in range(steps):
        for i in range(1, a.shape[0] - 1):
            for j in range(1, a.shape[1] - 1):
                b[i - 1, j] = 0.5 * a[i, j] + 0.25 * a[i - 1, j + 1]
                c[i + 1, j - 1] = 0.25 * a[i, j - 1] - 0.125 * b[i - 1, j]
        for i in range(1, a.shape[0] - 1):
            for j in range(1, a.shape[1] - 1):
                a[i, j] = b[i - 1, j] + c[i + 1, j] - 0.5 * b[i, j - 1]


def inputs_shifted(size, rng):
    return STEPS[size], rng.random(size), rng.random(size), rng.random(size)


def inputs_shifted_2d(size, rng):
    shape = (size, size + 2)
    return min(STEPS[size] // 3, 29), rng.random(shape), rng.random(shape), rng.random(shape)


sizes_shifted = (0, 1, 2, 3, 7, 8, 33, 129, 257, 643, 1000)
sizes_shifted_2d = (0, 1, 2, 3, 7, 33, 105, 129)


def leans(steps: i64, a: f32[M, N], b: f32[M, N]):
    """Rows far apart to one side, more than a thread has; columns meet each other nowhere."""
    for t in range(steps):
        b[8:, :] = 0.5 * a[:-8, :] + 0.5 * a[8:, :]
        a[3:, :] = b[3:, :] - 0.25 * b[:-3, :]


def inputs_leans(size, rng):
    shape = (size + 8, size)
    return STEPS[size] // 4, rng.random(shape, dtype=np.float32), rng.random(shape, dtype=np.float32)


def reaches(steps: i64, a: f64[N], b: f64[N]):
    """Neighbours farther away than a thread's few cells."""
    for t in range(steps):
        for i in range(8, len(a) - 8):
            b[i - 8] = 0.3 * a[i + 7] + 0.3 * a[i - 8]
        for i in range(7, len(a) - 7):
            a[i] = 0.7 * b[i] - 0.2 * b[i + 5]


def ground(steps: i64, a: f64[M, N], b: f64[M, N]):
    """All that a step changes of one array is a row: the first of a thread's, at 17 and 33."""
    for t in range(steps):
        a[-1, :] = 0.25 * t
        b[1:-1, 1:-1] -= 0.125 * a[2:, 1:-1]


def inputs_ground(size, rng):
    return STEPS[size], rng.random((size, size + 33)), rng.random((size, size + 33))


def inputs_reaches(size, rng):
    return STEPS[size], rng.random(size), rng.random(size)


sizes_ground = (1, 2, 7, 17, 33, 129)
sizes_reaches = (0, 1, 3, 8, 33, 129, 257, 643, 1000)
sizes_leans = (0, 1, 3, 7, 33, 105, 129)


def far(steps: i64, a: f32[N], b: f32[N]):
    """Distances of more than one cell, different ones to the two sides; ends that only a keeps."""
    for t in range(steps):
        b[2:-3] = 0.25 * a[:-5] + 0.5 * a[2:-3] + 0.25 * a[5:]
        a[3:-1] = b[2:-2] + 0.125


def counts(steps: i64, a: i32[N], b: i32[N], table: i32[4]):
    """A table beside the arrays, a branch, a scalar of the iteration."""
    for t in range(steps):
        for i in range(1, len(a) - 1):
            total = a[i - 1] + a[i + 1]
            if total % 3 == 0:
                b[i] = total + table[t % 4]
            else:
                b[i] = a[i] // 2
        for i in range(1, len(a) - 1):
            a[i] = b[i] - b[i - 1]


def inputs_far(size, rng):
    size = max(size, 6)
    return STEPS.get(size, 7), rng.random(size, dtype=np.float32), rng.random(size, dtype=np.float32)


def inputs_counts(size, rng):
    a, b, table = (rng.integers(-9, 9, n, dtype=np.int32) for n in (size, size, 4))
    return STEPS[size], a, b, table


def backwards(steps: i64, a: f64[M, N], b: f64[M, N], c: f64[M, N], source: f64[T]):
    """Steps that count down, by three; one row and one column set in each; three arrays."""
    for t in range(len(source) - 1, -1, -3):
        c[:, 0] = source[t]
        c[1, :] = source[t] + 1.0
        a[1:, :] += 0.5 * (c[1:, :] - c[:-1, :])
        b[:, 1:] -= 0.5 * (c[:, 1:] - c[:, :-1])
        c[1:-1, 1:-1] = 0.5 * c[1:-1, 1:-1] + 0.125 * (a[2:, 1:-1] - b[1:-1, :-2])


def inputs_backwards(size, rng):
    shape = (size + 2, size + 1)
    return 0, rng.random(shape), rng.random(shape), rng.random(shape), rng.random(STEPS[size])


sizes_backwards = (0, 1, 2, 3, 7, 33, 127)


def shortest(path: i32[N, N]):
    """Row k and column k are read while all is written; negative loops make the order matter."""
    for k in range(path.shape[0]):
        path[:, :] = np.minimum(path, path[:, k][:, None] + path[k, :][None, :])


def eliminated(a: f64[M, N]):
    """A row is taken from all rows, itself among them, scaled by a column."""
    for k in range(1, min(a.shape[0], a.shape[1])):
        a[:, k:] -= 0.01 * a[:, k - 1][:, None] * a[k, k:]
        a[k - 1] = a[k - 1] * a[k - 1, k] + a[k - 1, ::-1]


def orthonormal(A: f64[M, N]) -> (f64[M, N], f64[N, N]):
    """Columns of which each is taken from all after it."""
    Q = np.zeros_like(A)
    R = np.zeros((A.shape[1], A.shape[1]))
    for k in range(A.shape[1]):
        R[k, k] = np.sqrt(np.dot(A[:, k], A[:, k]))
        Q[:, k] = A[:, k] / R[k, k]
        for j in range(k + 1, A.shape[1]):
            R[k, j] = np.dot(Q[:, k], A[:, j])
            A[:, j] -= Q[:, k] * R[k, j]
    return Q, R


def inputs_shortest(size, rng):
    return (rng.integers(-3, 99, (size, size), dtype=np.int32),)


def inputs_eliminated(size, rng):
    return (rng.random((size, size + 3)),)


def inputs_orthonormal(size, rng):
    return (rng.random((2 * size + 1, size)) + np.eye(2 * size + 1, size),)


sizes_shortest = sizes_eliminated = sizes_orthonormal = (0, 1, 2, 3, 31, 33, 65)


def rows_in_turn(A: f64[M, N], n: int):
    """Each step begins at another row."""
    for t in range(n):
        A[t] = 2.0
        A *= 0.5


def inputs_rows_in_turn(size, rng):
    return rng.random((size, size + 1)), size


sizes_rows_in_turn = (0, 1, 2, 3, 31, 33)


def nothing_in_steps(A: f64[M, N]) -> (bool, float):
    """Loops that compute nothing are kernels without arrays."""
    seen, last = False, 0.0
    for row in A:
        seen = True
        for other in A:
            last = 4.0
    return seen, last


def inputs_nothing_in_steps(size, rng):
    return (rng.random((size, 3)),)


sizes_nothing_in_steps = (0, 1, 2, 7)


def scratch(steps: i64, a: f64[N], b: f64[N]) -> f64[N]:
    """What steps write anew, by one statement and by two, holds nothing before the first one."""
    part, last = np.empty(a.shape[0]), np.empty(a.shape[0])
    for t in range(steps):
        part[1:-1] = 0.33333 * (a[:-2] + a[1:-1] + a[2:])
        a[2:-2] = 0.33333 * (part[1:-3] + part[2:-2] + part[3:-1])
    for t in range(steps + 1):
        last[:] = b
        last[3:5] = 1.0
        b[1:-1] = 0.5 * (last[2:] + last[:-2])
    return last


def scratch_of_rounds(steps: i64, a: f64[N]):
    """Steps of the second round begin from what the first one has left."""
    b = np.empty(a.shape[0])
    for s in range(2):
        for t in range(s * steps):
            b[1:-1] = 0.5 * b[1:-1] + a[1:-1]
            a[1:-1] = 0.25 * (b[:-2] + b[2:])
        b[:] = a


def inputs_scratch(size, rng):
    return STEPS[size], rng.random(size), rng.random(size)


def inputs_scratch_of_rounds(size, rng):
    return STEPS[size], rng.random(size)


sizes_scratch = sizes_scratch_of_rounds = (1, 3, 33, 129, 257, 1000)


def in_turn(steps: i64, a: f64[N], b: f64[N]):
    """Arrays that change places at the end of a step; an odd step is by itself."""
    for t in range(1, steps):
        b[1:-1] = 0.33333 * (a[:-2] + a[1:-1] + a[2:]) + t
        a, b = b, a


def in_turn_2d(steps: i64, a: f64[M, N], b: f64[M, N]):
    for t in range(steps - 2):
        b[1:-1, 1:-1] = 0.25 * (a[:-2, 1:-1] + a[2:, 1:-1] + a[1:-1, :-2] + a[1:-1, 2:])
        b[0] = b[1]
        a, b = b, a


def by_copies(steps: i64, a: f64[M, N], rate: f64):
    """The step before in an array that each step makes, under a name and under none."""
    for t in range(steps):
        before = a.copy()
        a[1:-1, 1:-1] = before[1:-1, 1:-1] + rate * (before[:-2, 1:-1] + before[2:, 1:-1] - 2 * before[1:-1, 2:])
    for t in range(steps):
        a[1:-1, 2:-1] += rate * (a[1:-1, 1:-2] - a[2:, 3:])


def by_new(steps: i64, a: f64[N]) -> f64[N]:
    """The last step's array is what is returned."""
    new = a
    for t in range(steps):
        new = np.empty_like(a)
        new[1:-1] = 0.5 * (a[:-2] + a[2:])
        new[0], new[-1] = a[0], 1.0
        a[:] = new
    return new


def inputs_in_turn(size, rng):
    return STEPS[size], rng.random(size), rng.random(size)


def inputs_in_turn_2d(size, rng):
    return min(STEPS[size], 29), rng.random((size, 2 * size + 1)), rng.random((size, 2 * size + 1))


def inputs_by_copies(size, rng):
    return min(STEPS[size], 29), rng.random((size, 2 * size + 1)), 0.1


def inputs_by_new(size, rng):
    return STEPS[size], rng.random(size)


sizes_in_turn = sizes_by_new = (1, 3, 33, 257, 1000)
sizes_in_turn_2d = sizes_by_copies = (3, 33, 129)


def by_parity(a: f64[N, M], b: f64[N, M], steps: i64):
    """Steps that take turns by a remainder, of which the last one may be half of a pair."""
    for t in range(steps):
        if t % 2 == 0:
            b[1:-1, 1:-1] = 0.25 * (a[2:, 1:-1] + a[:-2, 1:-1] + a[1:-1, 2:] + a[1:-1, :-2])
        else:
            a[1:-1, 1:-1] = 0.25 * (b[2:, 1:-1] + b[:-2, 1:-1] + b[1:-1, 2:] + b[1:-1, :-2])


def inputs_by_parity(size, rng):
    n = min(size, 40)
    return rng.random((n, n + 1)), rng.random((n, n + 1)), int(rng.integers(-1, 8))


def by_subscript(u: f64[3, N], first: i64, steps: i64):
    for t in range(2, steps):
        for i in range(1, u.shape[1] - 1):
            u[(t + 1) % 3, i] = 2 * u[t % 3, i] - u[(t - 1) % 3, i] + 0.1 * (u[t % 3, i - 1] + u[t % 3, i + 1])


def inputs_by_subscript(size, rng):
    return rng.random((3, size)), 0, int(rng.integers(0, 12))
