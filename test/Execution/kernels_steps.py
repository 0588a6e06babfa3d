"""Steps over time whose parts take many spellings: what is inside of zeros, borders counted from the end, states that change their names,
arrays made bit by bit; and rows in place, of which each element is made of ones that have yet to change."""
from __future__ import annotations

import numpy as np

SIZES = (1, 2, 3, 9, 65)


def make_inputs(size, rng):
    return size % 7 + 3, rng.uniform(-1.0, 1.0, (size, size + 2)), rng.integers(0, 9, size), rng.integers(1, 50, size)


def inside_of_zeros(steps: i64, a: f64[M, N], w: i64[L], v: i64[L]) -> i64[M, N]:
    g = (a > 0).astype(np.int64)
    for t in range(steps):
        n = np.zeros_like(g)
        n[1:-1, 1:-1] = g[:-2, 1:-1] + g[1:-1, :-2] + g[1:-1, 2:] + g[2:, 1:-1] + g[2:, 2:]
        g = np.where((n == 3) | ((g == 1) & (n == 2)), 1, 0)
    return g


def rolled(steps: i64, a: f64[M, N], w: i64[L], v: i64[L]):
    """What is made anew of rolled arrays is as large as these."""
    g = (a > 0).astype(np.int32)
    for t in range(steps):
        n = sum(np.roll(np.roll(g, i, 0), j, 1) for i in (-1, 0, 1) for j in (-1, 0, 1) if (i, j) != (0, 0))
        g = ((n == 3) | ((g == 1) & (n == 2))).astype(np.int32)
        w = np.roll(w, 2) + v
    return g, w


def butterflies(steps: i64, a: f64[M, N], w: i64[L], v: i64[L]) -> c128[L]:
    """Blocks in steps that the loop around doubles."""
    x = w + 1j * v
    length = 2
    while length <= len(x):
        for i in range(0, len(x) - length + 1, length):
            for k in range(length // 2):
                u = x[i + k]
                t = x[i + k + length // 2] * np.exp(-2j * np.pi / length * k)
                x[i + k] = u + t
                x[i + k + length // 2] = u - t
        length *= 2
    return x


def windows(steps: i64, a: f64[M, N], w: i64[L], v: i64[L]):
    """Few elements are in order in a thread."""
    b = np.where(a > 0.9, np.nan, a)
    middle = b.copy()
    for i in range(1, b.shape[0] - 1):
        for j in range(1, b.shape[1] - 1):
            middle[i, j] = np.median(b[i - 1:i + 2, j - 1:j + 2])
    for i in range(2, len(w) - 2):
        v[i] = np.sort(w[i - 2:i + 3])[1]
    return middle


def from_the_end(steps: i64, a: f64[M, N], w: i64[L], v: i64[L]) -> f64[M, N]:
    m, n = a.shape
    u = a.copy()
    old = np.zeros_like(u)
    if m > 1:
        for t in range(2 * steps):
            old[:] = u
            for i in range(1, m - 1):
                for j in range(1, n - 1):
                    u[i, j] = old[i, j] + 0.2 * (old[i + 1, j] + old[i - 1, j] + old[i, j + 1] - 3 * old[i, j])
            for j in range(n):
                u[0, j] = u[1, j]
                u[m - 1, j] = u[m - 2, j]
    return u


def three_levels(steps: i64, a: f64[M, N], w: i64[L], v: i64[L]):
    before, now = a.copy(), 0.5 * a
    for t in range(2 * steps):
        after = np.zeros_like(now)
        after[1:-1, 1:-1] = 2 * now[1:-1, 1:-1] - before[1:-1, 1:-1] + 0.1 * (now[2:, 1:-1] - now[1:-1, :-2])
        before = now
        now = after
    return before, now


def three_names(steps: i64, a: f64[M, N], w: i64[L], v: i64[L]):
    old, u, new = a.copy(), 0.5 * a, np.full_like(a, 0.25)
    for t in range(2 * steps + 1):
        new[1:-1, 1:-1] = 2 * u[1:-1, 1:-1] - old[1:-1, 1:-1] + 0.1 * (u[2:, 1:-1] - u[1:-1, :-2]) + t
        old, u, new = u, new, old
    return old, u, new


def bit_by_bit(steps: i64, a: f64[M, N], w: i64[L], v: i64[L]) -> f64[M, N]:
    m, n = a.shape
    u = a.copy()
    for t in range(2 * steps):
        new = u.copy()
        for i in range(1, m - 1):
            for j in range(1, n - 1):
                new[i, j] = u[i, j] + 0.2 * (u[i - 1, j] + u[i, j + 1] - 2 * u[i, j])
        for i in range(m):
            new[i, 0] = new[i, 1]
        u = np.where(a > 0.5, u, new)
    return u


def reacting(steps: i64, a: f64[M, N], w: i64[L], v: i64[L]):
    x, y = a.copy(), a * a
    for t in range(steps):
        dx = np.roll(x, 1, 0) + np.roll(x, -1, 1) - 2 * x
        dy = np.roll(y, 1, 1) - y
        xyy = x * y * y
        x += 0.1 * dx - xyy
        y += 0.1 * dy + xyy - 0.1 * y
    return x, y


def knapsack(steps: i64, a: f64[M, N], w: i64[L], v: i64[L]):
    best = np.zeros(60, dtype=np.int64)
    can = np.zeros(60, dtype=np.bool_)
    can[0] = True
    for i in range(len(w)):
        for c in range(59, w[i] - 1, -1):
            best[c] = max(best[c], best[c - w[i]] + v[i])
        for c in range(59, -1, -1):
            if c >= w[i]:
                can[c] = can[c] or can[c - w[i]]
    return best, can


def both_ways(steps: i64, a: f64[M, N], w: i64[L], v: i64[L]):
    """Elements up or down the row: where they are written before they are read, in order."""
    x = np.arange(80) * 1.0
    for k in range(len(w)):
        s = w[k] - 4
        for i in range(20, 60):
            x[i] = 0.5 * x[i] + x[i + s]
    return x


def tree(steps: i64, a: f64[M, N], w: i64[L], v: i64[L]):
    n = len(w)
    x = np.zeros(n + 1)
    row = np.zeros(n + 1, dtype=np.int64)
    for j in range(n + 1):
        x[j] = max(1.01 ** (2 * j - n) - 1.0, 0.0)
    row[0] = 1
    for i in range(n - 1, -1, -1):
        for j in range(i + 1):
            x[j] = 0.99 * (0.5 * x[j + 1] + 0.5 * x[j])
        for j in range(n, 0, -1):
            if j < 20:
                row[j] += row[j - 1]
    return x[0], row


def sweeps_in_place(steps: i64, a: f64[M, N], w: i64[L], v: i64[L]):
    """Gauss and Seidel over a grid, of nine neighbours; from the other corner, beside a second array."""
    m, n = a.shape
    u = a.copy()
    x = a.copy()
    y = 0.5 * a
    for t in range(2, steps + 2):
        for i in range(1, m - 1):
            for j in range(1, n - 1):
                u[i, j] = t + (u[i - 1, j - 1] + u[i - 1, j] + u[i - 1, j + 1] + u[i, j - 1] + u[i, j] + u[i, j + 1]
                           + u[i + 1, j - 1] + u[i + 1, j] + u[i + 1, j + 1]) / 9.0
    for t in range(2, steps + 2):
        for i in range(m - 2, 0, -1):
            for j in range(n - 3, 1, -1):
                x[i, j] += 0.25 * (x[i + 1, j] + x[i, j + 2] - y[i - 1, j - 2] - x[i, j]) + t
                y[i, j] = 0.5 * (y[i, j + 1] + x[i - 1, j])
    return u, x, y


def scratch_rows(steps: i64, a: f64[M, N], w: i64[L], v: i64[L]):
    """Systems of three diagonals along rows; what an iteration finds in the last one's scratch keeps it in order."""
    m, n = a.shape
    u = a.copy()
    p = np.zeros(n)
    q = np.zeros(n)
    last = np.zeros(n)
    seen = np.zeros(m)
    for t in range(steps):
        for i in range(m):
            p[0] = 0.1
            q[0] = u[i, 0]
            for j in range(1, n):
                p[j] = 1.0 / (3.0 - p[j - 1])
                q[j] = (u[i, j] + q[j - 1]) * p[j]
            for j in range(n - 2, -1, -1):
                q[j] = p[j] * q[j + 1] + q[j]
                u[i, j] = 0.5 * q[j]
        for i in range(m):
            for j in range(1, n):
                last[j] = u[i, j] + last[j - 1]
            seen[i] = last[n - 1]
            last[0] += 1.0
    return u, seen
