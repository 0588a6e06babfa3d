"""Lists of arrays in other orders, with items taken out and put in between; arrays that change places from step to step."""
from __future__ import annotations

import numpy as np

TARGETS = ("cpu",)
SIZES = (0, 1, 2, 5)


def orders(a: f64[N, 3], x: f64[3], n: int):
    rows = list(a)
    rows.sort(key=lambda r: r[0])
    rows.append(x * 2)
    rows.insert(0, x * 3)
    rows.insert(-1, x * 4)
    rows.reverse()
    first = rows.pop(0) * 1.0
    del rows[-1]
    if n > 1:
        del rows[1]
        rows.insert(1, x * 5)
    s = sorted(rows, key=lambda r: -r.sum())
    return np.array(rows), first, len(rows), np.array(s)


def inputs_orders(size, rng):
    return rng.random((size, 3)), rng.random(3), size


def simplex(a: f64[N], n: int):
    """Points with their values, as Nelder and Mead have them."""
    found = [[a.copy(), a.sum()]]
    for i in range(len(a)):
        b = a.copy()
        b[i] += 1.0 - 2 * (i % 2)
        found.append([b, b.sum()])
    found.sort(key=lambda t: t[1])
    for k in range(n):
        if k % 2 == 0:
            del found[-1]
            found.append([a * (k + 2), a.sum() * k])
            continue
        found.insert(0, [a * 7.0, -1.0])
        found.sort(key=lambda t: t[1], reverse=True)
        if len(found) > 3:
            p = found.pop(1)
            found.append([p[0] * 2.0, p[1]])
    total = np.zeros(len(a))
    for t in found[:-1]:
        total += t[0]
    return found[0][0].copy(), found[-1][1], total, [t[1] for t in found]


def inputs_simplex(size, rng):
    return rng.random(size), size + 2


def taken_out(a: f64[N], k: int):
    """What is not there raises."""
    rows = [a.copy()]
    rows.append(a * 2)
    rows.append(a * 3)
    del rows[k]
    rows.insert(k, a * 4)
    last = rows.pop(k)
    return np.array(rows), last


def inputs_taken_out(size, rng):
    return rng.random(size), size - 4


sizes_taken_out = (0, 1, 2, 5, 6, 7)


def there_and_back(a: f64[N], b: f64[N], steps: int):
    for t in range(steps):
        source, target = (a, b) if t % 2 == 0 else (b, a)
        for i in range(1, len(a) - 1):
            target[i] = 0.5 * (source[i - 1] + source[i + 1])
    for t in range(steps):
        if t % 3 == 0:
            source = a
            target = b
        else:
            source, target = b, a
        target[1:-1] = 0.5 * (source[:-2] + source[2:])
        target *= 0.5
    return a.sum()


def inputs_there_and_back(size, rng):
    return rng.random(size), rng.random(size), size + 1


def folds(X: f64[N, 2], y: f64[N], edges: i64[M, 3], k: int):
    """As many parts as the run tells; the rows of a list in order; the greatest of what a mask selects, in a loop."""
    places = np.arange(len(y))
    errors = []
    parts = np.array_split(places, k)
    for f in range(k):
        rest = np.setdiff1d(places, parts[f])
        w = np.linalg.solve(X[rest].T @ X[rest] + np.eye(2), X[rest].T @ y[rest])
        errors.append(np.mean((X[parts[f]] @ w - y[parts[f]]) ** 2))
    order = [u for u, v, w in sorted(edges.tolist(), key=lambda e: e[2])]
    greatest = {}
    for u in np.unique(edges[:, 0]):
        greatest[int(u)] = edges[edges[:, 0] == u, 1].max()
    return np.array(errors), order, max(greatest.values())


def inputs_folds(size, rng):
    return rng.random((size + 5, 2)), rng.random(size + 5), rng.integers(0, 6, (size + 1, 3)), 3
