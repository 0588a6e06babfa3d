"""next(): the first element that a generator gives."""
from __future__ import annotations

import numpy as np

SIZES = (0, 1, 2, 7, 33)


def first_above(a: f64[N], t: float):
    k = next((k for k in range(len(a)) if a[k] > t), -1)
    x = next((x for x in a if x > t), 0.0)
    return k, x


def inputs_first_above(size, rng):
    return rng.random(size), 0.7


def or_none(a: i64[N]):
    x = next((x for x in a if x % 7 == 0), None)
    if x is None:
        return -1, False
    return x, True


def inputs_or_none(size, rng):
    return (rng.integers(1, 30, size),)


def raising(a: i64[N]):
    return next(i for i, x in enumerate(a) if x > 20)


def inputs_raising(size, rng):
    return (rng.integers(0, 30, size),)


def of_iter(a: i64[N]):
    d = {}
    for x in a:
        d[x] = d.get(x, 0) + 1
    if not d:
        return -1, -1
    return next(iter(d)), next(iter(d.values()))


def inputs_of_iter(size, rng):
    return (rng.integers(0, 9, size),)


def nested(a: f64[N, N]):
    i, j = next(((i, j) for i in range(len(a)) for j in range(len(a)) if a[i, j] > 0.5 and i != j), (-1, -1))
    return i, j


def inputs_nested(size, rng):
    return (rng.random((size, size)),)


def no_more_than_asked(a: i64[N], b: i64[N]):
    return next((k for k in range(100) if a[k] == b[k]), -1)


def inputs_no_more_than_asked(size, rng):
    a = rng.integers(0, 9, size)
    b = a + 1
    b[-1:] = a[-1:]
    return a, b


sizes_no_more_than_asked = (1, 2, 7)


def in_loop(times: i64[N], limits: i64[M]):
    out = np.zeros(len(limits), dtype=np.int64)
    for k in range(len(limits)):
        out[k] = next((t for t in times if t > limits[k]), -1)
    return out


def inputs_in_loop(size, rng):
    return rng.integers(0, 9, size), rng.integers(0, 12, 5)


def in_while(a: i64[N]):
    left = list(a)
    order = []
    while left:
        low = min(left)
        k = next(i for i, x in enumerate(left) if x == low)
        order.append(left.pop(k))
    return order


def inputs_in_while(size, rng):
    return (rng.integers(0, 9, size),)
