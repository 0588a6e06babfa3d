"""Helpers that change arrays, beside what has been read before; guards that keep what they guard from being evaluated."""
from __future__ import annotations

import numpy as np

SIZES = (3, 4, 33, 129)


def bump(a):
    a[0] += 1
    return a[0]


def step(a):
    a += 1
    return a


def element(a, i):
    v = a[i]
    return v


def visit(seen, i):
    seen[i] += 1
    return seen[i]


def make_inputs(size, rng):
    return rng.integers(1, 9, size) / 2, rng.integers(0, size, size), size // 2


def operands(a: f64[N], k: i64[N], d: int):
    return a[0] * 10 + bump(a), a * 2 + step(a), a[k] + step(a)


def targets(a: f64[N], k: i64[N], d: int):
    a[0] += bump(a)
    p, q = a[0], bump(a)
    a[k[0]], a[1] = a[1], bump(a)
    a[:] = a[::-1] + bump(a)
    return p, q


def guarded_elements(a: f64[N], k: i64[N], d: int):
    n = 0
    #pragma parallel for
    for i in range(a.shape[0]):
        if i + d < a.shape[0] and element(a, i + d) > 2:
            n += 1
    return n


def guarded_indices(a: f64[N], k: i64[N], d: int):
    out = np.zeros(a.shape[0])
    for i in range(a.shape[0]):
        if i + d < a.shape[0] and a[k[i + d]] > 2:
            out[i] = a[k[i + d]]
    return out


def guarded_choice(a: f64[N], k: i64[N], d: int):
    out = np.zeros(a.shape[0])
    for i in range(a.shape[0]):
        out[i] = a[k[i + d * 1000]] if i + d * 1000 < a.shape[0] else -1.0
    return out


def guarded_effects(a: f64[N], k: i64[N], d: int):
    i = 0
    while i < a.shape[0] and visit(a, i) < 100:
        i += 1
    d > 0 and bump(a) > 0
    return i, d > 1000 and bump(a) > 0, d < 1000 or bump(a) > 0, 0 < d < bump(a) < d + 50


def guarded_folds(a: f64[N], k: i64[N], d: int):
    return d > 1000 and a[d:].max() > 0, a[1000:].shape[0] > 0 and a[1000:].max() > 0


def parameter_of_its_own(a: f64[N], k: i64[N], d: int):
    i = 0
    while i < 5:
        a[0] += counts_down(i)
        i += 1
    return i


def counts_down(i):
    i -= 1
    return 2.0


def falls_through(a: f64[N], k: i64[N], d: int):
    if d > 1:
        if d > 50:
            return 1.0
        a[0] = 7.0
    else:
        return 2.0
    a[1] += a[0]
    return 3.0


def statements_for_their_effects(a: f64[N], k: i64[N], d: int):
    (bump(a), bump(a))
    step(a).fill(a[0] + 0.5)
    a[0] + bump(a)


def subscripts_once(a: f64[N], k: i64[N], d: int):
    i = asked = 0

    def at(v):
        nonlocal asked
        asked += 1
        return v

    a[at(0)] = 5.0
    a[at(0)] += at(2)
    a[at(0)], a[at(1)] = at(3), at(4)
    a[(i := i + 1)] *= a[(i := i + 1)]
    left = [1, 2, 0, 2]
    a[left.pop()] = a[left.pop()] + i
    items = [a, a * 2]
    items[at(1)] = a + 1
    items[at(0)][at(1):] += at(2)
    a[bump(k) & 1] += a[0] * bump(k)
    some, before = any(at(v) > 2 for v in (1, 2, 3, 4)), asked
    return asked, i, left, items[1], some, before, all(at(v) < 3 for v in k), asked
