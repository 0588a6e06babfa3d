"""Algorithms in spellings that take another path than the one that is tuned: a branch for one iteration, columns from left to right, rows
and several elements that collect by key, masks with a name, steps until something is small enough, windows of any width."""
from __future__ import annotations

import numpy as np

SIZES = (1, 2, 7, 33, 70)


def make_inputs(size, rng):
    a = rng.uniform(-1.0, 1.0, (size + 3, size))
    return a, a.T @ a + size * np.eye(size), rng.integers(-3, 3, 40 * size)


def cholesky(a: f64[M, N], s: f64[N, N], key: i64[L]) -> f64[N, N]:
    n = len(s)
    x = np.zeros((n, n))
    for i in range(n):
        for j in range(i + 1):
            t = s[i, j] - np.sum(x[i, :j] * x[j, :j])
            if i == j:
                x[i, i] = np.sqrt(t)
            else:
                x[i, j] = t / x[j, j]
    return x


def doolittle(a: f64[M, N], s: f64[N, N], key: i64[L]):
    n = len(s)
    x = np.zeros((n, n))
    u = np.zeros((n, n))
    for i in range(n):
        for k in range(i, n):
            t = 0.0
            for j in range(i):
                t += x[i, j] * u[j, k]
            u[i, k] = s[i, k] - t
        for k in range(i, n):
            if i == k:
                x[i, i] = 1.0
            else:
                t = 0.0
                for j in range(i):
                    t += x[k, j] * u[j, i]
                x[k, i] = (s[k, i] - t) / u[i, i]
    return x, u


def many_sides(a: f64[M, N], s: f64[N, N], key: i64[L]) -> f64[N, M]:
    x = a.T.copy()
    for j in range(x.shape[1]):
        for i in range(len(s)):
            t = x[i, j]
            for k in range(i):
                t -= s[i, k] * x[k, j]
            x[i, j] = t / s[i, i]
    return x


def gauss_seidel(a: f64[M, N], s: f64[N, N], key: i64[L]):
    n = len(s)
    x = np.zeros(n)
    y = np.zeros(n)
    z = np.ones(n)
    for t in range(3):
        old = z.copy()
        for i in range(n):
            sigma = 0.0
            for j in range(n):
                if j != i:
                    sigma += s[i, j] * x[j]
            x[i] = (a[0, i] - sigma) / s[i, i]
        for i in range(n):
            r = a[1, i] - s[i, :i] @ y[:i] - s[i, i + 1:] @ y[i + 1:]
            y[i] = 0.5 * y[i] + 0.5 * r / s[i, i]
        for i in range(n):
            z[i] = (a[2, i] - np.dot(s[i, :i], z[:i]) - np.dot(s[i, i + 1:], old[i + 1:])) / s[i, i]
    return x, y, z


def pairs(a: f64[M, N], s: f64[N, N], key: i64[L]):
    force = np.zeros((len(a), 2))
    near = np.zeros(len(a), dtype=np.int64)
    best = np.full(len(a), -1.0)
    energy = 0.0
    for i in range(len(a) - 1):
        for j in range(i + 1, len(a)):
            d = a[i, 0] - a[j, 0]
            r = d * d + 0.1
            if r < 0.5:
                energy += 1.0 / r
                for q in range(2):
                    force[i, q] += d * (q + 1)
                    force[j, q] -= d * (q + 1)
    for i in range(len(a)):
        for j in range(i):
            if a[i, 0] * a[j, 0] > 0:
                near[i] += 1
                near[j] += 2
            best[i] = max(best[i], a[i, 0] * a[j, 0])
            best[j] = max(a[i, 0] * a[j, 0], best[j])
    return force, near, best, energy


def backwards(a: f64[M, N], s: f64[N, N], key: i64[L]):
    n = len(s)
    x = np.zeros(n)
    y = np.zeros(n)
    y[n - 1] = 1.0
    for i in reversed(range(n)):
        x[i] = (a[0, i] - s[i, i + 1:] @ x[i + 1:]) / s[i, i]
    for i in reversed(range(n - 1)):
        y[i] = (a[1, i] - np.dot(s[i, i + 1:], y[i + 1:])) / s[i, i]
    return x, y


def left_to_right(a: f64[M, N], s: f64[N, N], key: i64[L]):
    m, n = a.shape
    q = np.zeros((m, n))
    r = np.zeros((n, n))
    for j in range(n):
        v = a[:, j].copy()
        for i in range(j):
            r[i, j] = q[:, i] @ v
            v -= r[i, j] * q[:, i]
        r[j, j] = np.linalg.norm(v)
        q[:, j] = v / r[j, j]
    return q, r


def projection(u, v):
    return (u @ v) / (u @ u) * u


def classical(a: f64[M, N], s: f64[N, N], key: i64[L]) -> f64[M, N]:
    q = np.zeros_like(a)
    for j in range(a.shape[1]):
        v = 2.0 * a[:, j]
        for i in range(j):
            v -= projection(q[:, i], a[:, j])
        q[:, j] = v
    return q


def by_rows(a: f64[M, N], s: f64[N, N], key: i64[L]) -> f64[N, M]:
    q = a.T.copy()
    for i in range(len(q)):
        for j in range(i):
            q[i] -= (q[i] @ q[j]) * q[j]
        q[i] /= np.sqrt(q[i] @ q[i])
    return q


def rows_by_key(a: f64[M, N], s: f64[N, N], key: i64[L]):
    sums = np.zeros((6, a.shape[1]))
    count = np.zeros(6)
    for i in range(len(key)):
        sums[key[i]] += a[i % len(a)]
        count[key[i]] += 1
    return sums, count


def deposited(a: f64[M, N], s: f64[N, N], key: i64[L]):
    rho = np.zeros(8)
    grid = np.zeros((5, 6))
    for p in range(len(key)):
        x = a[p % len(a), 0] * 3 + 3.5
        i = int(x)
        f = x - i
        rho[i] += 1 - f
        rho[(i + 1) % 8] -= f
        if key[p] > 0:
            rho[key[p]] += 0.25
        if f > 0.25:
            grid[key[p], i % 6] += f
        grid[key[p] // 2, 2] -= f / 2
    return rho, grid


def means_by_mask(a: f64[M, N], s: f64[N, N], key: i64[L]):
    means = s[0].copy()
    sizes = np.zeros(len(s), dtype=np.int64)
    x = key * 0.5 + 1
    for k in range(len(s)):
        mask = key == k - 3
        sizes[k] = mask.sum()
        if mask.any():
            means[k] = x[mask].mean()
    return means, sizes


def means_of_masked(a: f64[M, N], s: f64[N, N], key: i64[L]):
    x = key.reshape(-1, 4) * 0.5
    labels = key[::4].copy()
    means = np.zeros((7, 4))
    for c in range(7):
        mask = labels == c - 3
        if mask.any():
            means[c] = x[mask].mean(axis=0)
    return means


def until_small(a: f64[M, N], s: f64[N, N], key: i64[L]):
    """Conjugate gradients."""
    b = a[0]
    x = np.zeros(len(b))
    r = b - s @ x
    p = r.copy()
    rs = r @ r
    steps = 0
    for i in range(50):
        q = s @ p
        alpha = rs / (p @ q)
        x += alpha * p
        r -= alpha * q
        new = r @ r
        if np.sqrt(new) < 1e-3:
            break
        p = r + (new / rs) * p
        rs = new
        steps = i
    return x, steps < 50


def returned_early(a: f64[M, N], s: f64[N, N], key: i64[L]) -> f64[N]:
    d = np.diag(s)
    x = np.zeros(len(d))
    for i in range(40):
        new = (a[0] - (s @ x - d * x)) / (2.0 * d)
        if np.linalg.norm(new - x) < 1e-4:
            return new
        x = new
    return x


def windows(a: f64[M, N], s: f64[N, N], key: i64[L]):
    w = len(s) // 3 + 1
    x = key * 0.25
    means = np.zeros(len(key) - w + 1)
    for i in range(len(means)):
        means[i] = np.mean(x[i:i + w])
    smooth = np.empty_like(x)
    for i in range(len(x)):
        smooth[i] = x[max(0, i - w):min(len(x), i + w + 1)].mean()
    return means, smooth
