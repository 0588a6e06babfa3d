"""Loops whose steps append as often as they find something: pairs, sparse matrices, divisors, several lists at once."""
from __future__ import annotations

import numpy as np

SIZES = (0, 1, 2, 7, 65, 131)


def primes(n: i64):
    """What is kept is known behind a loop that may be left early."""
    found = [2]
    for i in range(3, n + 3):
        ok = True
        j = 2
        while j * j <= i:
            if i % j == 0:
                ok = False
                break
            j += 1
        if ok:
            found.append(i)
    return np.array(found)


def inputs_primes(size, rng):
    return (size,)


def close_pairs(x: f64[N], y: f64[N], r: f64):
    """Inner loops of different lengths, and a sum beside the list."""
    pairs = [(-1, -1)]
    lengths = [0.0]
    total = 0.0
    for i in range(len(x)):
        for j in range(i + 1, len(x)):
            d = np.sqrt((x[i] - x[j]) ** 2 + (y[i] - y[j]) ** 2)
            if d < r:
                pairs.append((i, j))
                lengths.append(d)
                total += d
    return np.array(pairs), np.array(lengths), total


def inputs_close_pairs(size, rng):
    return rng.random(size), rng.random(size), 0.2


def laplacian(nx: i64, ny: i64):
    """Up to five entries a step."""
    rows = np.zeros(5 * nx * ny, dtype=np.int64)
    cols = np.zeros(5 * nx * ny, dtype=np.int64)
    vals = np.zeros(5 * nx * ny)
    n = 0
    for i in range(nx):
        for j in range(ny):
            p = i * ny + j
            rows[n] = p
            cols[n] = p
            vals[n] = 4.0
            n += 1
            if i > 0:
                rows[n], cols[n], vals[n] = p, p - ny, -1.0
                n += 1
            if i < nx - 1:
                rows[n], cols[n], vals[n] = p, p + ny, -1.0
                n += 1
            if j > 0:
                rows[n], cols[n], vals[n] = p, p - 1, -1.0
                n += 1
            if j < ny - 1:
                rows[n], cols[n], vals[n] = p, p + 1, -1.0
                n += 1
    return rows[:n], cols[:n], vals[:n]


def inputs_laplacian(size, rng):
    return size, 3 + size % 5


def to_csr(a: f64[N, M]):
    """Where a row ends is stored, too; positive and negative ones are counted apart."""
    data = np.zeros(a.shape[0] * a.shape[1])
    index = np.zeros(len(data), dtype=np.int64)
    start = np.zeros(len(a) + 1, dtype=np.int64)
    below = np.zeros((len(data), 2), dtype=np.int64)
    n = m = 0
    for i in range(len(a)):
        for j in range(a.shape[1]):
            if a[i, j] > 0.7:
                data[n] = a[i, j]
                index[n] = j
                n += 1
            elif a[i, j] < -0.7:
                below[m, 0] = i
                below[m, 1] = j
                m += 1
        start[i + 1] = n
    return data[:n], index[:n], start, below[:m]


def inputs_to_csr(size, rng):
    return (rng.normal(size=(size, 9)),)


def overwritten(x: f64[N], out: f64[M], where: i64[K]):
    """Steps that store where they do not count, that read what they have stored, that stop: in order."""
    n = 0
    for i in range(len(x)):
        out[n] = x[i]
        if x[i] > 0.5:
            n += 1
    m = 0
    for i in range(len(x)):
        if m < 20 and x[i] > 0.3:
            where[m] = i
            m += 1
    k = 0
    for i in range(len(x)):
        for j in range(2):
            if x[i] > (0.2 if k == 0 else out[k - 1] / 2):
                out[k] = x[i] + j
                k += 1
    return n, m, k


def inputs_overwritten(size, rng):
    return rng.random(size), np.zeros(2 * size + 1), np.zeros(20, dtype=np.int64)
