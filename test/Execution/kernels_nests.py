"""Blocked algorithms under branches, in loops of the host, with a batch axis, downward, in parts, beside other statements."""
from __future__ import annotations

import numpy as np

SIZES = (0, 1, 2, 33, 65, 131)


def triangle(size, rng):
    return np.tril(rng.random((size, size)) - 0.5) / max(size, 1) + np.eye(size)


def spd(size, rng):
    G = rng.random((size, size)) - 0.5
    return G @ G.T + size * np.eye(size) / 4


def batches(size):
    """None, one, as many as the host runs one by one, more."""
    return {0: 3, 1: 9, 2: 0, 33: 8, 65: 2, 131: 9}[size]


# --- rows that sum over earlier ones


def solve_if(L: f64[N, N], x: f64[N], b: f64[N], go: i64):
    if go > 0:
        for i in range(x.shape[0]):
            x[i] = (b[i] - L[i, :i] @ x[:i]) / L[i, i]
    else:
        for i in range(x.shape[0] - 1, -1, -1):
            x[i] = (b[i] - L[i:, i] @ x[i:]) / L[i, i]


def inputs_solve_if(size, rng):
    return triangle(size, rng), rng.random(size), rng.random(size), size % 2


def solve_again(L: f64[N, N], x: f64[N], b: f64[N], reps: i64):
    """The next solve is of what this one gives, and by another matrix."""
    for rep in range(reps):
        for i in range(x.shape[0]):
            x[i] = (b[i] - L[i, :i] @ x[:i]) / L[i, i]
        b += 0.5 * x
        L[-1:, :] *= 1.0 + 0.25 * rep


def inputs_solve_again(size, rng):
    return triangle(size, rng), rng.random(size), rng.random(size), 1 + size % 3


def solve_until(L: f64[N, N], x: f64[N], limit: f64) -> i64:
    steps = 0
    while np.max(np.abs(x), initial=0.0) > limit:
        for i in range(x.shape[0]):
            x[i] = (0.5 * x[i] - L[i, :i] @ x[:i]) / L[i, i]
        steps += 1
    return steps


def inputs_solve_until(size, rng):
    return triangle(size, rng), rng.random(size), 0.1


def solve_batch(L: f64[B, N, N], x: f64[B, N], b: f64[B, N]):
    for p in range(L.shape[0]):
        for i in range(x.shape[1]):
            x[p, i] = (b[p, i] - L[p, i, :i] @ x[p, :i]) / L[p, i, i]


def inputs_solve_batch(size, rng):
    count = batches(size)
    return (np.array([triangle(size, rng) for _ in range(count)]).reshape(count, size, size), rng.random((count, size)),
            rng.random((count, size)))


def solve_columns(L: f64[N, N], X: f64[N, M]):
    """Right sides in columns of one matrix."""
    for c in range(X.shape[1]):
        for i in range(X.shape[0]):
            part = 0.0
            for k in range(i):
                term = L[i, k] * X[k, c]
                part += term
            X[i, c] = (X[i, c] - part) / L[i, i]


def inputs_solve_columns(size, rng):
    return triangle(size, rng), rng.random((size, batches(size)))


def leading_blocks(L: f64[N, N], x: f64[N], sums: f64[N]):
    """How far the rows go changes with the loop around."""
    for n in range(x.shape[0] - 3, x.shape[0] + 1):
        for i in range(max(n, 0)):
            x[i] = (x[i] - L[i, :i] @ x[:i]) / L[i, i]
        sums[n - 1] = x[0]


def inputs_leading_blocks(size, rng):
    size = max(size, 4)
    return triangle(size, rng), rng.random(size), rng.random(size)


def solve_two(L: f64[N, N], U: f64[N, N], x: f64[N], y: f64[N], other: f64[N]):
    """Two solves and something else in one loop."""
    for i in range(x.shape[0]):
        x[i] = (x[i] - L[i, :i] @ x[:i]) / L[i, i]
        other[i] = 0.5 * other[i] + 1.0
        y[i] = (y[i] - U[i, :i] @ y[:i]) / U[i, i]


def inputs_solve_two(size, rng):
    return triangle(size, rng), triangle(size, rng), rng.random(size), rng.random(size), rng.random(size)


def solve_and_carry(L: f64[N, N], x: f64[N], other: f64[N]):
    """What stands beside it goes from row to row, too."""
    for i in range(x.shape[0]):
        x[i] = (x[i] - L[i, :i] @ x[:i]) / L[i, i]
        if i > 0:
            other[i] += 0.5 * other[i - 1]


def inputs_solve_and_carry(size, rng):
    return triangle(size, rng), rng.random(size), rng.random(size)


def solve_and_use(L: f64[N, N], x: f64[N], other: f64[N]):
    """It does not stand by itself: its rows are read, and it changes the matrix."""
    for i in range(x.shape[0]):
        x[i] = (x[i] - L[i, :i] @ x[:i]) / L[i, i]
        other[i] = 0.5 * other[i] + x[0]
        L[-1, i // 2] = 0.25 * other[i]


inputs_solve_and_use = inputs_solve_and_carry


# --- a square updated by its own lines


def shortest_down(path: i32[N, N]):
    for k in range(path.shape[0] - 1, -1, -1):
        path[:] = np.minimum(path[:], np.add.outer(path[:, k], path[k, :]))


def inputs_shortest_down(size, rng):
    """With negative cycles, where the order of the steps shows."""
    return (rng.integers(-2, 50, (size, size)).astype(np.int32),)


def shortest_shifted(path: i32[N, N]):
    for k in range(1, path.shape[0] + 1):
        path[:] = np.minimum(path[:], np.add.outer(path[:, k - 1], path[k - 1, :]))


inputs_shortest_shifted = inputs_shortest_down


def shortest_down_up(path: i32[N, N]):
    """Counts down, goes up."""
    for k in range(path.shape[0] - 1, -1, -1):
        path[:] = np.minimum(path[:], np.add.outer(path[:, path.shape[0] - 1 - k], path[path.shape[0] - 1 - k, :]))


inputs_shortest_down_up = inputs_shortest_down


def lower_corner(path: i32[N, N]):
    """A square in the matrix, downward; other lines than its own are read and stay."""
    for k in range(path.shape[0] - 1, 1, -1):
        path[2:, 2:] = np.minimum(path[2:, 2:], np.add.outer(path[2:, k], path[k, 2:]))


inputs_lower_corner = inputs_shortest_down


def mirrored(a: f64[N, N], w: f64[N]):
    """With the numbers of steps and of rows in the formula, which is not symmetric."""
    for k in range(a.shape[0] - 1, -1, -1):
        a[:] = 0.5 * a + 0.25 * np.outer(a[:, k], a[k]) * w[:, None] / (k + 1)


def inputs_mirrored(size, rng):
    return rng.random((size, size)), rng.random(size)


def shortest_batch(path: i32[B, N, N], seen: f64[N]):
    for b in range(path.shape[0]):
        for k in range(path.shape[1]):
            path[b] = np.minimum(path[b], np.add.outer(path[b, :, k], path[b, k, :]))
            seen[k] += 1.0


def inputs_shortest_batch(size, rng):
    return rng.integers(-2, 50, (batches(size), size, size)).astype(np.int32), rng.random(size)


def shortest_middle(path: i32[N, B, N], reps: i64):
    """The batch's axis lies between the square's."""
    for rep in range(reps):
        for b in range(path.shape[1]):
            for k in range(path.shape[0]):
                path[:, b, :] = np.minimum(path[:, b, :], np.add.outer(path[:, b, k], path[k, b, :]))


def inputs_shortest_middle(size, rng):
    return rng.integers(-2, 50, (size, batches(size), size)).astype(np.int32), 2


# --- panels


def cholesky_if(A: f64[N, N], go: i64):
    if go > 0:
        for j in range(A.shape[0]):
            A[j, j] = np.sqrt(A[j, j] - A[j, :j] @ A[j, :j])
            for i in range(j + 1, A.shape[0]):
                A[i, j] = (A[i, j] - A[i, :j] @ A[j, :j]) / A[j, j]


def inputs_cholesky_if(size, rng):
    return spd(size, rng), size


def cholesky_batch(A: f64[B, N, N], other: f64[N]):
    """The host's loop, as the batches share an array."""
    for b in range(A.shape[0]):
        for j in range(A.shape[1]):
            A[b, j, j] = np.sqrt(A[b, j, j] - A[b, j, :j] @ A[b, j, :j])
            for i in range(j + 1, A.shape[1]):
                A[b, i, j] = (A[b, i, j] - A[b, i, :j] @ A[b, j, :j]) / A[b, j, j]
            other[j] = 0.5 * other[j] + 1.0


def inputs_cholesky_batch(size, rng):
    count = batches(size)
    return np.array([spd(size, rng) for _ in range(count)]).reshape(count, size, size), rng.random(size)


def cholesky_free_batch(A: f64[B, N, N]):
    for b in range(A.shape[0]):
        for j in range(A.shape[1]):
            A[b, j, j] = np.sqrt(A[b, j, j] - A[b, j, :j] @ A[b, j, :j])
            for i in range(j + 1, A.shape[1]):
                A[b, i, j] = (A[b, i, j] - A[b, i, :j] @ A[b, j, :j]) / A[b, j, j]


def inputs_cholesky_free_batch(size, rng):
    return inputs_cholesky_batch(size, rng)[:1]


sizes_cholesky_free_batch = (0, 1, 2, 33, 65)


def lu_down(A: f64[N, N]):
    """Rows from the end: counted down, inner loops too."""
    n = A.shape[0]
    for c in range(n - 1, -1, -1):
        i = n - 1 - c
        for j in range(i):
            A[i, j] = (A[i, j] - A[i, :j] @ A[:j, j]) / A[j, j]
        for j in range(n - 1, i - 1, -1):
            A[i, j] -= A[i, :i] @ A[:i, j]


def inputs_lu_down(size, rng):
    return (rng.random((size, size)) - 0.5 + size * np.eye(size) / 2,)


# --- columns


def rank_ones(A: f64[:, :], u: f64[:], v: f64[:], x: f64[:], y: f64[:], other: f64[:], reps: i64):
    for rep in range(reps):
        if rep != 1:
            A += np.outer(u, v)
            other += 1.0
            x += y @ A


def inputs_rank_ones(size, rng):
    return (rng.random((size, size + 3)), rng.random(size), rng.random(size + 3), rng.random(size + 3), rng.random(size), rng.random(7), 3)


def rank_one_batch(A: f64[B, N, M], u: f64[B, N], v: f64[B, M], x: f64[B, M], y: f64[B, N]):
    for b in range(A.shape[0]):
        A[b] += np.outer(u[b], v[b])
        x[b] += y[b] @ A[b]


def inputs_rank_one_batch(size, rng):
    B, N, M = batches(size), size, size + 5
    return tuple(rng.random(shape) for shape in ((B, N, M), (B, N), (B, M), (B, M), (B, N)))


def between(A: f64[N, M], x: f64[M], y: f64[N]):
    """What stands between reads and writes what the two have."""
    A *= 0.5
    y += A[:, 0]
    x += y @ A
    A += 1.0
    A[0] = 2.0
    x += y @ A


def inputs_between(size, rng):
    return rng.random((size + 1, size + 2)), rng.random(size + 2), rng.random(size + 1)


# --- resident blocks


def orthogonal_batch(A: f64[B, M, N], Q: f64[B, M, N], R: f64[B, N, N], other: f64[N]):
    for b in range(A.shape[0]):
        for k in range(A.shape[2]):
            R[b, k, k] = np.sqrt(A[b, :, k] @ A[b, :, k])
            Q[b, :, k] = A[b, :, k] / R[b, k, k]
            for j in range(A.shape[2] - 1, k, -1):
                R[b, k, j] = Q[b, :, k] @ A[b, :, j]
                A[b, :, j] -= Q[b, :, k] * R[b, k, j]
            other[k] = 0.5 * other[k] + 1.0


def inputs_orthogonal_batch(size, rng):
    B, N = batches(size), min(size, 13)
    M = N + 5
    return rng.random((B, M, N)) + np.eye(M, N), np.zeros((B, M, N)), np.zeros((B, N, N)), rng.random(N)


def orthogonal_free_batch(A: f64[B, M, N], Q: f64[B, M, N], R: f64[B, N, N]):
    for b in range(A.shape[0]):
        for k in range(A.shape[2]):
            R[b, k, k] = np.sqrt(A[b, :, k] @ A[b, :, k])
            Q[b, :, k] = A[b, :, k] / R[b, k, k]
            for j in range(k + 1, A.shape[2]):
                R[b, k, j] = Q[b, :, k] @ A[b, :, j]
                A[b, :, j] -= Q[b, :, k] * R[b, k, j]


def inputs_orthogonal_free_batch(size, rng):
    return inputs_orthogonal_batch(size, rng)[:3]


# --- steps in one pass


def relax_beside(steps: i64, a: f64[N], b: f64[N], other: f64[T]):
    for t in range(1, steps):
        b[1:-1] = 0.33333 * (a[:-2] + a[1:-1] + a[2:])
        a[1:-1] = 0.33333 * (b[:-2] + b[1:-1] + b[2:])
        other[t] = 0.5 * other[t - 1] + 1.0


def inputs_relax_beside(size, rng):
    return 40, rng.random(size + 2), rng.random(size + 2), rng.random(40)


def relax_watched(steps: i64, a: f64[N], b: f64[N], other: f64[T]):
    for t in range(1, steps):
        b[1:-1] = 0.33333 * (a[:-2] + a[1:-1] + a[2:])
        a[1:-1] = 0.33333 * (b[:-2] + b[1:-1] + b[2:])
        other[t] = 0.5 * other[t - 1] + a[0] + a[1]


inputs_relax_watched = inputs_relax_beside


# --- folds and lists, downward


def fold_down(h: f64[B], n: i64[B], k: i64[N], w: f64[N]):
    for i in range(k.shape[0] - 1, -1, -1):
        if w[i] < 0.75:
            h[k[i]] += w[i]
            n[k[i]] += 1


def inputs_fold_down(size, rng):
    bins = 1 + size // 3
    return rng.random(bins), rng.integers(9, size=bins), rng.integers(bins, size=size), rng.random(size)


def keep_down(a: f64[N], b: f64[N]):
    found = []
    for i in range(a.shape[0] - 1, -1, -1):
        x = a[i] * 2
        if x > 1:
            found.append(b[i] + x)
    return np.array(found)


def inputs_keep_down(size, rng):
    return rng.random(size), rng.random(size)


def groups_down(x: f64[N], w: f64[N], e: f64[E], s: f64[E - 1], t: i64[E - 1]):
    for g in range(e.shape[0] - 2, -1, -1):
        total, whole = 0.0, 0
        for i in range(x.shape[0] - 1, -1, -1):
            if e[g] <= x[i] < e[g + 1]:
                total += w[i]
                whole += 1
        s[g] = total
        t[g] = whole


def inputs_groups_down(size, rng):
    bins = 2 + size // 5
    return rng.random(size), rng.random(size), np.linspace(0, 1, bins), np.zeros(bins - 1), np.zeros(bins - 1, np.int64)


# --- products, downward


def product_down(A: f64[N, K], B: f64[K, M], C: f64[N, M]):
    for i in range(C.shape[0] - 1, -1, -1):
        for j in range(C.shape[1] - 1, -1, -1):
            for k in range(A.shape[1] - 1, -1, -1):
                C[i, j] += A[i, k] * B[k, j]


def inputs_product_down(size, rng):
    return rng.random((size, size + 2)), rng.random((size + 2, size + 1)), rng.random((size, size + 1))


def triangle_down(A: f64[N, N], B: f64[N, M], C: f64[N, M]):
    for i in range(C.shape[0] - 1, -1, -1):
        for j in range(C.shape[1]):
            for k in range(i, -1, -1):
                C[i, j] += 0.5 * A[i, k] * B[k, j]


def inputs_triangle_down(size, rng):
    return rng.random((size, size)), rng.random((size, size + 1)), rng.random((size, size + 1))


def last_term_down(A: f64[N, K], B: f64[K, M], C: f64[N, M]):
    """No sum: the last one stays, and what was there is halved each time."""
    for i in range(C.shape[0]):
        for j in range(C.shape[1]):
            for k in range(A.shape[1] - 1, -1, -1):
                C[i, j] = A[i, k] * B[k, j]
            for k in range(A.shape[1] - 1, -1, -1):
                C[i, j] = 0.5 * C[i, j] + A[i, k] * B[k, j]


inputs_last_term_down = inputs_product_down


def of_itself_down(A: f64[N, N]):
    """Reads elements that it has written."""
    for i in range(A.shape[0] - 1, -1, -1):
        for j in range(A.shape[1] - 1, -1, -1):
            for k in range(A.shape[1] - 1, j, -1):
                A[i, j] -= 0.01 * A[i, k] * A[k, j]


def inputs_of_itself_down(size, rng):
    return (rng.random((size, size)) / max(size, 1),)


def sums_down(A: f64[N, K], B: f64[M, K], C: f64[N, M]):
    """A sum of its own for each element: loops that share nothing, and one that sums."""
    for i in range(A.shape[0] - 1, -1, -1):
        for j in range(B.shape[0] - 1, -1, -1):
            total = 0.25
            for k in range(A.shape[1] - 1, -1, -1):
                total += A[i, k] * B[j, k]
            C[i, j] = total


def inputs_sums_down(size, rng):
    return rng.random((size, size + 2)), rng.random((size + 1, size + 2)), rng.random((size, size + 1))


def symmetric_down(C: f64[M, N], A: f64[M, M], B: f64[M, N], alpha: f64):
    """Both parts add to rows of other iterations."""
    for i in range(C.shape[0] - 1, -1, -1):
        for j in range(C.shape[1] - 1, -1, -1):
            C[:i, j] += alpha * B[i, j] * A[i, :i]
            C[i, j] -= B[:i, j] @ (alpha * A[i, :i])


def inputs_symmetric_down(size, rng):
    return rng.random((size, size + 1)), rng.random((size, size)), rng.random((size, size + 1)), 0.75


def scaled_and_summed_down(C: f64[N, N], A: f64[N, M], beta: f64):
    """What is scaled each time is in order with what is added, the rows are not."""
    for i in range(A.shape[0] - 1, -1, -1):
        C[i, :i + 1] *= beta
        for k in range(A.shape[1] - 1, -1, -1):
            C[i, :i + 1] += 0.5 * A[i, k] * A[:i + 1, k]


def inputs_scaled_and_summed_down(size, rng):
    return rng.random((size, size)), rng.random((size, size + 1)), 0.5


def summed_of_itself_down(C: f64[N, N], A: f64[N, N]):
    """Adds to elements what it has added to others."""
    for i in range(A.shape[0] - 2, -1, -1):
        for j in range(A.shape[0]):
            for k in range(A.shape[0] - 1, i, -1):
                C[i, j] += 0.01 * A[i, k] * C[k, j]


def inputs_summed_of_itself_down(size, rng):
    return rng.random((size, size)), rng.random((size, size)) / max(size, 1)


def symmetric_again(C: f64[M, N], A: f64[M, M], B: f64[M, N], alpha: f64, reps: i64):
    """The same operand each time, or one that the loop changes."""
    for rep in range(reps):
        for i in range(C.shape[0]):
            for j in range(C.shape[1]):
                C[:i, j] += alpha * B[i, j] * A[i, :i]
                C[i, j] += B[:i, j] @ (alpha * A[i, :i])
        A *= 0.5


def inputs_symmetric_again(size, rng):
    B = rng.random((size, size + 1))
    if size == 33:
        B[3, 4] = np.inf
    return rng.random((size, size + 1)), rng.random((size, size)), B, 0.75, 2


# --- graphs and sizes


def relax_again(steps: i64, a: f64[N], b: f64[N], reps: i64):
    """The loop inside has the same launches each time."""
    for rep in range(reps):
        for t in range(steps):
            b[1:-1] = a[:-2] + a[2:]
            a[1:-1] = 0.5 * b[1:-1]


def inputs_relax_again(size, rng):
    return 7, rng.random(size + 2), rng.random(size + 2), 3


def relax_longer(steps: i64, a: f64[N], b: f64[N], reps: i64):
    """Other launches each time: as many more as the loop around counts, and by what it counts."""
    n = 0
    for rep in range(reps):
        n = n + 1
        twice = 2 * steps
        for t in range(rep):
            b[1:-1] = a[:-2] + a[2:] * twice
            a[1:-1] = 0.01 * b[1:-1] + n


inputs_relax_longer = inputs_relax_again


def row_in_a_branch(n: i64, a: f64[N], b: f64[N], go: i64):
    """Launches in a row, and a check among them."""
    if go > 0:
        total = np.sum(a)
        b[:] = np.zeros(n)[0]
        b[1:] = a[:-1] / total
    else:
        b += 1.0


def inputs_row_in_a_branch(size, rng):
    return 3, rng.random(size + 1), rng.random(size + 1), size % 2


def sizes_met_in_a_branch(a: f64[:], b: f64[:], c: f64[:], go: i64):
    """What the checks of the branch say is not so behind it."""
    if go > 0:
        b += a
        c += b
        c += a
    b[:] = 2.0 * b
    c += 1.0
    a += c[:1]


def inputs_sizes_met_in_a_branch(size, rng):
    odd = size % 2
    return rng.random(size), rng.random(size + 1 - odd), rng.random(size + 2 - 2 * odd), odd
