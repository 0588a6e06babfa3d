"""Pairs of points whose coordinates are few at the call, or many; trees of many options, each a row of its own."""
from __future__ import annotations

import numpy as np

SIZES = (1, 2, 3, 7, 8, 9, 40)


def neighbours(p: f64[N, D], eps: float):
    n = len(p)
    c = np.zeros(n, dtype=np.int64)
    for i in range(n):
        for j in range(n):
            if np.sqrt(((p[i] - p[j]) ** 2).sum()) < eps:
                c[i] += 1
    return c


def inputs_neighbours(size, rng):
    return rng.random((61, size)), 0.4 * np.sqrt(size)


def attraction(p: f64[N, D], m: f64[N]):
    acc = np.zeros_like(p)
    for i in range(p.shape[0]):
        for j in range(p.shape[0]):
            if i != j:
                d = p[j] - p[i]
                r = np.sqrt((d * d).sum() + 0.01)
                acc[i] += m[j] * d / r**3
    return acc


def inputs_attraction(size, rng):
    return rng.random((45, size)), rng.random(45)


def lennard_jones(p: f64[N, D], box: f64, cut: f64):
    """Each pair adds to both of its points and to one sum, by an array that it makes and changes."""
    force = np.zeros_like(p)
    energy = 0.0
    for i in range(len(p)):
        for j in range(i + 1, len(p)):
            d = p[i] - p[j]
            d -= box * np.round(d / box)
            r2 = np.sum(d**2)
            if r2 < cut * cut:
                f = 24 / r2**2 - 1 / r2
                force[i] += f * d
                force[j] -= f * d
                energy += 1 / r2
    return force, energy


def inputs_lennard_jones(size, rng):
    return rng.random((37, size)) * 3, 3.0, 0.8 * np.sqrt(size)


def bonds(p: f64[N, D], cut: f64):
    """As lennard_jones, of the first coordinate alone, which a fold of a lane's own is enough for."""
    pull = np.zeros(len(p))
    count = 0
    for i in range(len(p)):
        for j in range(i + 1, len(p)):
            d = p[j] - p[i]
            r2 = np.dot(d, d)
            if r2 < cut * cut:
                pull[i] += d[0]
                pull[j] -= d[0]
                count += 1
    return pull, count


def inputs_bonds(size, rng):
    return rng.random((41, size)), 0.4 * np.sqrt(size)


def farthest(x: f64[N, D], q: f64[M, D]):
    """Two folds, one behind the other, in a loop over all pairs."""
    out = np.empty(len(q))
    for i in range(len(q)):
        total = 0.0
        for j in range(len(x)):
            total += np.abs(x[j] - q[i]).max() + (x[j] * q[i]).sum()
        out[i] = total
    return out


def inputs_farthest(size, rng):
    return rng.random((33, size)), rng.random((5, size))


def options(strike: f64[N], spot: f64[N], n: i64):
    """Backwards through trees, elements of which are read before they are written."""
    out = np.empty(len(strike))
    for o in range(len(strike)):
        v = np.empty(n + 1)
        for j in range(n + 1):
            v[j] = max(strike[o] - spot[o] * 1.05**j * 0.95 ** (n - j), 0.0)
        for i in range(n - 1, -1, -1):
            for j in range(i + 1):
                v[j] = 0.99 * (0.52 * v[j + 1] + 0.48 * v[j])
        out[o] = v[0]
    return out


def inputs_options(size, rng):
    return rng.random(9) * 50 + 50, rng.random(9) * 50 + 50, size


def nearest(p: f64[N, D], centres: f64[C, D]):
    """Distances to all centres in an array of each point's own, few coordinates or many, few centres or many."""
    count = np.zeros(len(centres), dtype=np.int64)
    which = np.zeros(len(p), dtype=np.int64)
    for i in range(len(p)):
        d = np.sum((centres - p[i]) ** 2, axis=1)
        k = np.argmin(d)
        which[i] = k
        count[k] += 1
    return count, which


def inputs_nearest(size, rng):
    return np.round(rng.random((97, size)), 2), np.round(rng.random((5 if size % 2 else 70, size)), 2)


def similarity(a: f64[H, W], b: f64[H2, W2]):
    """Windows of two pictures, folded over rows and columns of them."""
    total, n = 0.0, 0
    for y in range(0, a.shape[0] - 3, 2):
        for x in range(0, a.shape[1] - 3, 2):
            p, q = a[y:y + 4, x:x + 4], b[y:y + 4, x:x + 4]
            total += ((p - p.mean()) * (q - q.mean())).mean() / (p.var() + q.var() + 0.1)
            n += 1
    return total, n


def inputs_similarity(size, rng):
    return rng.random((size + 3, 2 * size + 1)), rng.random((size + 3, 2 * size + 1))
