"""Scalars that keep what the last iteration has read, or computed of what it has read."""
from __future__ import annotations

import numpy as np

SIZES = (0, 1, 2, 3, 7, 33, 130)


def differences(x: f64[N]):
    y = np.zeros(len(x))
    if len(x) > 0:
        prev = x[0]
        for i in range(1, len(x)):
            y[i] = x[i] - prev
            prev = x[i]
    return y


def inputs_differences(size, rng):
    return (rng.random(size),)


def crossings(x: f64[N], start: float):
    """Two of them, one of which begins otherwise and is read behind the loop; a count."""
    last, before_last, count = start, -start, 0
    for v in x:
        if last * v < 0:
            count += 1
        if (v - last) * (last - before_last) < 0:
            count += 100
        before_last = last
        last = v
    return count, last


def inputs_crossings(size, rng):
    return rng.random(size) - 0.5, float(rng.random() - 0.5)


def lengths(p: f64[N, 2], back: f64[N]):
    """Of a path, whose points are computed; downwards; in rows."""
    total, x0, y0 = 0.0, 0.0, 0.0
    for i in range(len(p)):
        x1 = p[i, 0] * 2
        y1 = p[i, 1] + x1
        total += np.sqrt((x1 - x0) ** 2 + (y1 - y0) ** 2)
        x0, y0 = x1, y1
    behind = 1.0
    for i in range(len(back) - 1, -1, -1):
        value = back[i]
        total += value * behind
        behind = value
    rows = np.zeros(p.shape)
    for i in range(p.shape[0]):
        left = float(i)
        for j in range(p.shape[1]):
            rows[i, j] = p[i, j] - left
            left = p[i, j]
    return total, x0, y0, behind, rows


def inputs_lengths(size, rng):
    return rng.random((size, 2)), rng.random(size)


def in_place(x: f64[N], y: f64[N]):
    """What was read is stored into by then: the scalar has what was there."""
    prev = 1.0
    for i in range(len(x)):
        old = x[i]
        x[i] = old + prev
        prev = old
    last = 0.5
    for i in range(len(y)):
        y[i] = y[i] * last
        last = y[i]
    return prev, last


def inputs_in_place(size, rng):
    return rng.random(size), rng.random(size) + 0.5


def sometimes(x: f64[N]):
    """Kept under a condition; assigned twice; made of what is handed on."""
    seen, total = -1.0, 0.0
    for v in x:
        if v > 0.5:
            total += v - seen
            seen = v
    twice = 0.0
    for i in range(len(x)):
        total += twice
        twice = x[i]
        if i % 2 == 0:
            twice = -x[i]
    mixed = 0.25
    for i in range(len(x)):
        total += mixed
        mixed = 0.5 * mixed + x[i]
    return total, seen, twice, mixed


def inputs_sometimes(size, rng):
    return (rng.random(size),)


def indices(a: i64[M], n: int):
    """An index of the iteration before; from the end of a ring."""
    area = 0
    j = len(a) - 1
    for i in range(len(a)):
        area += a[i] * i - a[j] * n
        j = i
    return area, j


def inputs_indices(size, rng):
    return rng.integers(-50, 50, size), int(rng.integers(0, 9))


def changed_inside(x: i64[N]):
    """What is handed on is changed by a loop or a branch inside."""
    part, rest, total = 0, 1, 0
    for i in range(len(x)):
        n = part
        m = x[i]
        while m != 0:
            n, m = m, n % m
        part = n
        found = x[i]
        if found % 3 == 0:
            found = 7
        total += rest * x[i]
        rest = found
    return part, rest, total


def inputs_changed_inside(size, rng):
    return (rng.integers(1, 500, size) * 6,)


def begun_elsewhere(x: f64[N], k: int):
    """What the first value was made of has changed by then."""
    total = 0.0
    prev = x[k] if len(x) > 2 else 0.0
    k = 1
    for i in range(k, len(x)):
        total += (x[i] - prev) * i
        prev = x[i]
    at, last = 2, 0
    last = at * 3
    at = 1
    for i in range(at, len(x)):
        total += last
        last = i * 3
    return total, prev, last, k


def inputs_begun_elsewhere(size, rng):
    return rng.random(size), int(rng.integers(0, max(size, 1)))


def named_again(x: f64[N], out: f64[4]):
    """What a loop of one thread leaves, which may be nothing, under a name that another such loop has later."""
    for _ in range(3):
        last = 1.5
        for i in range(1, len(x) - 1):
            last = x[i] * 2 - last
    out[0] = last
    last = 2.5
    for i in range(1, len(x) - 1):
        last = x[i] - last
    out[1] = last


def inputs_named_again(size, rng):
    return rng.random(size), np.zeros(4)


def named_again_in_branches(x: f64[N], out: f64[4], which: i64):
    if which > 0:
        low = 0.5
        for i in range(len(x)):
            low = x[i] - low * 0.5
        out[0] = low
    else:
        for _ in range(2):
            low = 1.5
            for i in range(len(x)):
                low = x[i] * 2 - low * 0.25
        out[1] = low


def inputs_named_again_in_branches(size, rng):
    return rng.random(size), np.zeros(4), size % 2


def of_shared(x: f64[N], n: i64):
    """Names that begin as one array, which others have, too, and pass on what they have."""
    p, q = np.ones(len(x)), x
    for k in range(2, n % 7):
        p, q = q, ((2 * k - 1) * x * q - (k - 1) * p) / k
    a, b, c = x, x, x
    for _ in range(n % 7):
        a, b, c = b, c, a + 0.5 * b - c
    d, e = x, x * 2
    for _ in range(n % 7):
        d, e = e, d + e
        e[:1] = 1.0
    return p + 0.0, q + 0.0, a - b, c + 0.0, d + 0.0, e + 0.0


def inputs_of_shared(size, rng):
    return rng.random(size), size
