"""Algorithms in spellings that are not the tuned one: a branch for one iteration, columns from left to right, pairs that update both of their
elements, elements that collect by key, rows in place, steps until something is small, windows of any width, steps over time in other words."""
from __future__ import annotations

import numpy as np


def cholesky_branch(s: f64[N, N]) -> f64[N, N]:
    x = np.zeros(s.shape)
    for i in range(len(s)):
        for j in range(i + 1):
            t = s[i, j] - np.sum(x[i, :j] * x[j, :j])
            if i == j:
                x[i, i] = np.sqrt(t)
            else:
                x[i, j] = t / x[j, j]
    return x


def doolittle(s: f64[N, N]):
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


def backwards(s: f64[N, N], b: f64[N]) -> f64[N]:
    x = np.zeros(len(b))
    for i in reversed(range(len(b))):
        x[i] = (b[i] - np.dot(s[i, i + 1:], x[i + 1:])) / s[i, i]
    return x


def right_sides(s: f64[N, N], b: f64[N, K]) -> f64[N, K]:
    x = b.copy()
    for j in range(x.shape[1]):
        for i in range(len(s)):
            t = x[i, j]
            for k in range(i):
                t -= s[i, k] * x[k, j]
            x[i, j] = t / s[i, i]
    return x


def left_to_right(a: f64[M, N]):
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


def gauss_seidel(s: f64[N, N], b: f64[N]) -> f64[N]:
    x = np.zeros(len(b))
    for t in range(10):
        for i in range(len(b)):
            sigma = 0.0
            for j in range(len(b)):
                if j != i:
                    sigma += s[i, j] * x[j]
            x[i] = (b[i] - sigma) / s[i, i]
    return x


def conjugate(s: f64[N, N], b: f64[N]):
    """At most 100 steps."""
    x = np.zeros(len(b))
    r = b - s @ x
    p = r.copy()
    rs = r @ r
    for i in range(100):
        q = s @ p
        alpha = rs / (p @ q)
        x += alpha * p
        r -= alpha * q
        new = r @ r
        if np.sqrt(new) < 1e-10:
            break
        p = r + (new / rs) * p
        rs = new
    return x


def rows_by_key(x: f64[M, N], key: i64[M], k: i64):
    sums = np.zeros((k, x.shape[1]))
    count = np.zeros(k)
    for i in range(len(x)):
        sums[key[i]] += x[i]
        count[key[i]] += 1
    return sums, count


def deposited(x: f64[M], cells: i64) -> f64[K]:
    rho = np.zeros(cells)
    for p in range(len(x)):
        i = int(x[p])
        f = x[p] - i
        rho[i % cells] += 1 - f
        rho[(i + 1) % cells] += f
    return rho


def means_by_mask(x: f64[M, N], key: i64[M], k: i64) -> f64[K, N]:
    means = np.zeros((k, x.shape[1]))
    for c in range(k):
        mask = key == c
        if mask.any():
            means[c] = x[mask].mean(axis=0)
    return means


def orthonormal(x: f64[M, N]):
    """Classical Gram and Schmidt."""
    q = np.zeros_like(x)
    r = np.zeros((x.shape[1], x.shape[1]))
    for j in range(x.shape[1]):
        v = x[:, j]
        r[:j, j] = q[:, :j].T @ v
        v = v - q[:, :j] @ r[:j, j]
        r[j, j] = np.linalg.norm(v)
        q[:, j] = v / r[j, j]
    return q, r


def moving_mean(x: f64[M], w: i64) -> f64[K]:
    out = np.zeros(len(x) - w + 1)
    for i in range(len(out)):
        out[i] = np.mean(x[i:i + w])
    return out


def open_windows(x: f64[M], w: i64) -> f64[M]:
    out = np.empty_like(x)
    for i in range(len(x)):
        out[i] = x[max(0, i - w):min(len(x), i + w + 1)].mean()
    return out


def knapsack(w: i64[N], v: i64[N], c: i64) -> i64:
    best = np.zeros(c + 1, dtype=np.int64)
    for i in range(len(w)):
        for j in range(c, w[i] - 1, -1):
            best[j] = max(best[j], best[j - w[i]] + v[i])
    return best[c]


def tree(n: i64, up: f64) -> f64:
    """An option by a binomial tree."""
    x = np.zeros(n + 1)
    for j in range(n + 1):
        x[j] = max(up ** (2 * j - n) - 1.0, 0.0)
    for i in range(n - 1, -1, -1):
        for j in range(i + 1):
            x[j] = 0.9999 * (0.5 * x[j + 1] + 0.5 * x[j])
    return x[0]


def forces(x: f64[M, N]):
    force = np.zeros(len(x))
    energy = 0.0
    for i in range(len(x)):
        for j in range(i + 1, len(x)):
            d = x[i, 0] - x[j, 0]
            r = d * d + 0.01
            energy += 1.0 / r
            force[i] += d / (r * np.sqrt(r))
            force[j] -= d / (r * np.sqrt(r))
    return force, energy


def filtered_rows(x: f64[M, N]) -> f64[M, N]:
    y = np.zeros_like(x)
    for r in range(x.shape[0]):
        for i in range(2, x.shape[1]):
            y[r, i] = x[r, i] + 0.5 * y[r, i - 1] + 0.2 * y[r, i - 2]
    return y


def scratch_rows(x: f64[M, N]) -> f64[M, N]:
    """A system of three diagonals along each row."""
    y = x.copy()
    p = np.zeros(x.shape[1])
    q = np.zeros(x.shape[1])
    for i in range(len(x)):
        p[0] = 0.1
        q[0] = x[i, 0]
        for j in range(1, x.shape[1]):
            p[j] = 1.0 / (3.0 - p[j - 1])
            q[j] = (x[i, j] + q[j - 1]) * p[j]
        for j in range(x.shape[1] - 2, -1, -1):
            q[j] = p[j] * q[j + 1] + q[j]
            y[i, j] = q[j]
    return y


def sweeps_in_place(steps: i64, u: f64[M, N]):
    for t in range(steps):
        for i in range(1, u.shape[0] - 1):
            for j in range(1, u.shape[1] - 1):
                u[i, j] = 0.2 * (u[i, j] + u[i - 1, j] + u[i + 1, j] + u[i, j - 1] + u[i, j + 1])


def life(steps: i64, u: f64[M, N]) -> i64[M, N]:
    g = (u > 0.5).astype(np.int64)
    for t in range(steps):
        n = np.zeros_like(g)
        n[1:-1, 1:-1] = (g[:-2, :-2] + g[:-2, 1:-1] + g[:-2, 2:] + g[1:-1, :-2] + g[1:-1, 2:]
                         + g[2:, :-2] + g[2:, 1:-1] + g[2:, 2:])
        g = np.where((n == 3) | ((g == 1) & (n == 2)), 1, 0)
    return g


def borders_by_loops(steps: i64, u: f64[M, N]):
    m, n = u.shape
    v = np.zeros_like(u)
    for t in range(steps):
        v[:] = u
        for i in range(1, m - 1):
            for j in range(1, n - 1):
                u[i, j] = 0.2 * (v[i, j] + v[i, j - 1] + v[i, j + 1] + v[i + 1, j] + v[i - 1, j])
        for j in range(n):
            u[0, j] = u[1, j]
            u[m - 1, j] = u[m - 2, j]
        for i in range(m):
            u[i, 0] = u[i, 1]
            u[i, n - 1] = u[i, n - 2]


def wave(steps: i64, u: f64[M, N]) -> f64[M, N]:
    old, now = u.copy(), u.copy()
    for t in range(steps):
        new = np.zeros_like(u)
        new[1:-1, 1:-1] = 2 * now[1:-1, 1:-1] - old[1:-1, 1:-1] + 0.2 * (
            now[2:, 1:-1] + now[:-2, 1:-1] + now[1:-1, 2:] + now[1:-1, :-2] - 4 * now[1:-1, 1:-1])
        old = now
        now = new
    return now


def masked(steps: i64, u: f64[M, N]) -> f64[M, N]:
    fixed = u > 0.9
    for t in range(steps):
        v = u.copy()
        v[1:-1, 1:-1] = 0.25 * (u[2:, 1:-1] + u[:-2, 1:-1] + u[1:-1, 2:] + u[1:-1, :-2])
        u = np.where(fixed, u, v)
    return u


def reacting(steps: i64, u: f64[M, N]):
    v = 0.5 * u
    w = u.copy()
    for t in range(steps):
        lw = np.roll(w, 1, 0) + np.roll(w, -1, 0) + np.roll(w, 1, 1) + np.roll(w, -1, 1) - 4 * w
        lv = np.roll(v, 1, 0) + np.roll(v, -1, 0) + np.roll(v, 1, 1) + np.roll(v, -1, 1) - 4 * v
        wvv = w * v * v
        w += 0.16 * lw - wvv + 0.035 * (1 - w)
        v += 0.08 * lv + wvv - 0.1 * v
    return w, v


def inputs(name, shape, rng):
    if len(shape) == 3:
        return shape[0], rng.random(shape[1:])
    m, n = shape
    if name in ("rows_by_key", "means_by_mask"):
        return rng.random((m, n)), rng.integers(0, 32, m), 32
    if name == "deposited":
        return rng.random(m) * n, n
    if name in ("moving_mean", "open_windows"):
        return rng.random(m), n // 2
    if name == "knapsack":
        return rng.integers(1, m // 2, n), rng.integers(1, 100, n), m
    if name == "tree":
        return m, 1.0005
    if name in ("left_to_right", "orthonormal", "forces", "filtered_rows", "scratch_rows"):
        return (rng.random((max(m, n), min(m, n))),) if name in ("left_to_right", "orthonormal") else (rng.random((m, n)),)
    s = rng.random((m, m)) + m * np.eye(m)
    s = s + s.T
    if name in ("cholesky_branch", "doolittle"):
        return (s,)
    return (s, rng.random((m, n))) if name == "right_sides" else (s, rng.random(m))


CASES = {"cholesky_branch": ((2000, 0),), "doolittle": ((2000, 0),), "backwards": ((12000, 0),), "right_sides": ((2000, 500),),
         "left_to_right": ((1000, 800), (240, 200)), "orthonormal": ((4000, 1000), (10**6, 20)), "gauss_seidel": ((2000, 0),), "conjugate": ((2000, 0),), "rows_by_key": ((10**6, 8),),
         "deposited": ((10**7, 1024),), "means_by_mask": ((10**6, 8),), "moving_mean": ((10**7, 32),), "open_windows": ((10**7, 32),),
         "knapsack": ((10**6, 100), (10**4, 100)), "tree": ((4000, 0), (40000, 0)), "forces": ((16384, 3),),
         "filtered_rows": ((4096, 4096), (1000, 100000)), "scratch_rows": ((4096, 4096),),
         "sweeps_in_place": ((100, 1000, 1000),), "life": ((200, 2800, 2800),), "borders_by_loops": ((200, 2800, 2800),),
         "wave": ((200, 2800, 2800),), "masked": ((200, 2800, 2800),), "reacting": ((200, 2800, 2800),)}
