"""Loops over generators of the file: what a generator does between two values is done when the next one is asked for."""
from __future__ import annotations

import itertools

import numpy as np

SIZES = (0, 1, 2, 7, 13)


def batches(X, y, size):
    for i in range(0, len(X), size):
        yield X[i:i + size], y[i:i + size]


def shuffled(X, order, size):
    m = X.shape[0]
    for k in range(m // size):
        rows = order[k * size:(k + 1) * size]
        chosen = X[rows]
        yield chosen, k
    if m % size != 0:
        yield X[order[(m // size) * size:]], -1


def trained(X: f64[N, 2], y: f64[N], order: i64[N], epochs: int):
    w = np.zeros(X.shape[1])
    b = 0.0
    last = 0
    for _ in range(epochs % 4):
        for xb, yb in batches(X, y, 4):
            err = xb @ w + b - yb
            w -= 0.1 * xb.T @ err / len(xb)
            b -= 0.1 * err.mean()
        for xb, k in shuffled(X, order, 3):
            b = b * 0.5 + xb.sum()
            if k >= 0:
                last = k
            elif b > 1e9:
                last = 100
    return w, b, last


def inputs_trained(size, rng):
    return rng.random((size, 2)), rng.random(size), rng.permutation(size), size


def fibonacci():
    a, b = 0, 1
    while True:
        yield a
        a, b = b, a + b


def primes():
    q = 2
    while True:
        for p in range(2, q):
            if q % p == 0:
                break
        else:
            yield q
        q += 1


def pairs_of(k, by=2):
    while True:
        yield k
        yield k + 1
        k *= by


def endless(n: int):
    """Generators that have no end, left by `break`, cut by `islice` and `takewhile`, counted by `enumerate`."""
    total = 0
    for v in fibonacci():
        if v > n * 10:
            break
        if v % 2 == 0:
            continue
        total += v
    found = []
    for i, p in enumerate(itertools.islice(primes(), n), 3):
        found.append(p)
        total += i * p
    for p in itertools.islice(pairs_of(3), n):
        found.append(p)
    for i, p in enumerate(pairs_of(n + 1, by=3)):
        if p > 100:
            break
        if i % 2:
            continue
        total += i * p
    for p in itertools.takewhile(lambda v: v < 50, pairs_of(1)):
        if p == 4:
            continue
        if p > 20:
            break
        total = total * 3 + p
    return total, found


def inputs_endless(size, rng):
    return (size,)


def few(n):
    yield n
    if n > 2:
        yield n * 2
        n += 1
    yield n * 3


def cells(a):
    for r in range(a.shape[0]):
        for c in range(a.shape[1]):
            if (r + c) % 2 == 0:
                yield r, c


def sums(n):
    total = 0
    for i in range(n):
        total += i
        yield i
    yield total


def halves(x, n):
    t = 0.0
    while t < n:
        yield t, x[int(t)]
        t += 0.5


def left(a: f64[N, M], n: int):
    """Loops in one another, left early, and what they leave behind; the generator sees what the loop changes."""
    s = 0
    for v in few(n):
        s = s * 10 + v
        if v == 14:
            break
        s += 1
    for v in sums(n):
        s = s * 3 % 1000 + v
    t = 0
    for r, c in cells(a):
        for q, w in cells(a):
            if q > r:
                break
            t += q * w + c
    total = 0.0
    for r, c in cells(a):
        total += a[r, c] * (r + 2 * c)
        a[r, c] = -a[r, c]
        if total > 5:
            break
    best, where, seen = 0.0, -1.0, 0
    x = a.sum(axis=0)
    for at, v in halves(x, n):
        w = v * (1 + at)
        if w > best:
            best = w
            where = at
            seen += 1
        if seen > 4:
            break
    return s, t, total, best, where, seen


def inputs_left(size, rng):
    return rng.random((size, size + 1)), size


def found(a: f64[N], least: float):
    for k, v in enumerate(positive(a)):
        if v > least:
            return k, v
    return -1, 0.0


def positive(a):
    for k in range(len(a)):
        if a[k] > 0:
            yield a[k]


def inputs_found(size, rng):
    return rng.random(size) - 0.5, 0.3


def bumps(a, n):
    for k in range(n):
        a[0] += 1
        yield k


def rebound(x: f64[N], n: int):
    """The generator changes what the loop reads, and has the numbers that it was given, whatever the names are later."""
    s = 0.0
    for k in bumps(x, n):
        n = n * 2 + k
        s += x[0] * k + n
    return s, n, x


def inputs_rebound(size, rng):
    return rng.random(size), 4


sizes_rebound = (1, 7)
