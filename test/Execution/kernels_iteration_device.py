"""What a `for` runs over, on all targets: the loops are as parallel as those over indices."""
from __future__ import annotations

import numpy as np

SIZES = (0, 1, 33, 129)


def make_inputs(size, rng):
    return rng.integers(-3, 6, size) / 2.0, rng.integers(-3, 6, (size, 3)) / 2.0


def numbered(a: f64[N], m: f64[N, 3]):
    for i, (x, row) in enumerate(zip(a, m)):
        a[i] = x * i + row[1]
        row[0] = x


def folded(a: f64[N], m: f64[N, 3]):
    s = 0.0
    for x, y in zip(reversed(a), m[:, 2]):
        s += x * y
    return s


def of_several(a: f64[N], m: f64[N, 3]):
    for k, b in enumerate((a, m[:, 0], m[:, 1])):
        b *= k + 2
        for x in b:
            if x > 4:
                return k, x
    return -1, 0.0


def counted_around_scalars(n: int, m: int, x: float, a: i64[N]):
    """Between a fold and what asks for it a loop of scalars, which the host runs."""
    a[:1] += m * n
    c = -1
    for v in a:
        c -= 1
    k = 0
    while (k := k + 1) < m:
        x += k
    for j in range(n, -1, -1):
        for v in a:
            x = x + 0.5
        if 2 - n >= c:
            break
    return x + c


def inputs_counted_around_scalars(size, rng):
    return size % 5, size % 7, 0.5, rng.integers(0, 9, size)


def folded_or_set(a: f64[N], b: f64[N], n: int):
    """A fold's result, unless a loop of scalars behind it sets it."""
    s = a.dot(b)
    for j in range(3, n):
        for k in range(3):
            s = 4.0
    t = a.sum()
    for j in range(n, 5):
        t = j + 0.5
    u = a.max(initial=0.0)
    if n > 2:
        u = -1.0
    return s, t, u


def inputs_folded_or_set(size, rng):
    return rng.integers(0, 9, size).astype(float), rng.integers(0, 9, size).astype(float), size % 7
