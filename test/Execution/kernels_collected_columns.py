"""What the steps of a loop add to all elements of an array: sums of rows and outer products, extremes, gradients whose factors each
step folds first, sums beside other work, ranges without steps, arrays too small for what no step asks of them."""
from __future__ import annotations

import numpy as np

SIZES = (0, 1, 2, 37)


def make_inputs(size, rng):
    return rng.uniform(-1.0, 1.0, (size, 5)), rng.uniform(-1.0, 1.0, size), rng.uniform(-1.0, 1.0, 5), np.zeros(2)


def moments(x: f64[M, N], y: f64[M], w: f64[N], few: f64[F]):
    n, d = x.shape
    mean = np.zeros(d)
    most = np.full(d, -np.inf)
    for i in range(n):
        mean += x[i]
        most = np.maximum(most, x[i])
    mean /= max(n, 1)
    c = np.zeros((d, d))
    for i in range(n):
        v = x[i] - mean
        c += np.outer(v, v)
    return mean, most, c


def normal_equations(x: f64[M, N], y: f64[M], w: f64[N], few: f64[F]):
    n, d = x.shape
    ata = np.zeros((d, d))
    aty = np.zeros(d)
    for k in range(n - 1, -1, -1):
        ata[0, 0] += 0.5
        for i in range(d):
            aty[i] -= x[k, i] * y[k]
    for k in range(n):
        for i in range(d):
            for j in range(d):
                ata[i, j] += x[k, i] * x[k, j]
    return ata, aty


def descent(x: f64[M, N], y: f64[M], w: f64[N], few: f64[F]):
    """By all rows at once, three times; then by one row after the other, which each reads what the one before has left."""
    v = w.copy()
    loss = 0.0
    for s in range(3):
        grad = np.zeros(x.shape[1])
        for i in range(len(x)):
            z = 0.0
            for j in range(x.shape[1]):
                z += v[j] * x[i, j]
            p = 1.0 / (1.0 + np.exp(y[i] * z))
            loss += p
            for j in range(x.shape[1]):
                grad[j] -= y[i] * x[i, j] * p
        v -= 0.1 * grad
    u = w.copy()
    for i in range(len(x)):
        e = u @ x[i] - y[i]
        for j in range(x.shape[1]):
            u[j] -= 0.1 * e * x[i, j]
    return v, loss, u


def beside(x: f64[M, N], y: f64[M], w: f64[N], few: f64[F]):
    """What goes on besides is in order; scalars that steps hand on."""
    total = np.zeros(x.shape[1])
    trail = np.zeros(len(x))
    state = 0.5
    weight = 1.0
    for i in range(len(x)):
        state = 3.7 * state * (1.0 - state)
        trail[i] = state
        weight *= 0.9
        for j in range(x.shape[1]):
            total[j] += weight * x[i, j]
    if len(x) == 0:
        for i in range(len(x)):
            for j in range(x.shape[1]):
                few[j] += x[i, j]
    return total, trail, state


def shared(x: f64[M, N], y: f64[M], w: f64[N], few: f64[F]):
    """Elements that move with the step, or that several columns share, and what is read on the way."""
    p = np.zeros(x.shape[0] + x.shape[1])
    q = np.zeros(x.shape[1])
    r = np.zeros((len(x), x.shape[1]))
    for i in range(x.shape[0]):
        for j in range(x.shape[1]):
            p[i + j] += x[i, j]
    for i in range(x.shape[0]):
        for j in range(x.shape[1]):
            q[j // 2] += x[i, j]
        r[i] = q
    return p, q, r


def binned(x: f64[M, N], y: f64[M], w: f64[N], few: f64[F]):
    """Under conditions: counts between edges, the greatest of each column and where it is, the last that is small."""
    edges = np.linspace(-1.0, 1.0, 6)
    counts = np.zeros(5, dtype=np.int64)
    weights = np.zeros(5)
    for v in y:
        for b in range(5):
            if edges[b] <= v < edges[b + 1]:
                counts[b] += 1
                weights[b] += v * v
    most = np.full(x.shape[1], -0.5)
    at = np.full(x.shape[1], -1)
    last = np.full(x.shape[1], -1)
    for i in range(x.shape[0]):
        for j in range(x.shape[1]):
            if x[i, j] > most[j]:
                most[j] = x[i, j]
                at[j] = i
        for j in range(x.shape[1]):
            if x[i, j] < y[i]:
                last[j] = i
    return counts, weights, most, at, last


def stopped(x: f64[M, N], y: f64[M], w: f64[N], few: f64[F]):
    """What steps before the one that raises have added stays."""
    for i in range(x.shape[0]):
        if y[i] > 0.75:
            raise ValueError("too large")
        for j in range(x.shape[1]):
            w[j] += x[i, j]
    return w
