"""Names that a branch or a loop binds, read where these may not have run: UnboundLocalError, as in CPython."""
from __future__ import annotations

import numpy as np

SIZES = (0, 1, 2, 33)


def make_inputs(size, rng):
    return rng.integers(0, 4, size + 2) / 2, size - 1


def inputs_nested(size, rng):
    return rng.integers(0, 4, (size, max(size - 1, 0))) / 2, 1


inputs_handed_on_in_rows = inputs_nested


def inputs_const_loop(size, rng):
    return rng.random(size), np.zeros(size)


def inputs_both_sides(size, rng):
    return rng.random(2), (3, -3, -4, -9)[size % 4]


def after_branch(a: f64[N], c: int):
    if c > 0:
        x = a[0]
    return x


def guarded(a: f64[N], c: int):
    if c > 0:
        x = a[0]
    s = 0.0
    for i in range(a.shape[0]):
        if c > 0:
            s += x
    if c > 0:
        s += x
    return s


def by_element(a: f64[N], c: int):
    if a[0] > 1:
        x = a[1]
    a[0] = 0
    return x


def after_loop(a: f64[N], c: int):
    for i in range(c):
        x = a[0] * i
    return x, i


def after_while(a: f64[N], c: int):
    while c > 0:
        x = c * 2
        c -= 1
    return x


def nested(a: f64[M, N], c: int):
    for i in range(a.shape[0]):
        for j in range(a.shape[1]):
            x = a[i, j]
    return x


def const_loop(a: f64[N], b: f64[N]):
    for i in range(a.shape[0]):
        for j in range(4):
            x = a[i] + j
        b[i] = x


def both_sides(a: f64[N], c: int):
    if c > 0:
        x = 1.0
    elif c < -5:
        x = 2.0
    y = 1.0
    if c > -3:
        y = x
    return y


def rebound(a: f64[N], c: int):
    for i in range(c):
        x = a[0]
    x = a[1]
    return x


def aug(a: f64[N], c: int):
    if c:
        x = 1.0
    x += 2
    return x


def deleted(a: f64[N], b: f64[N], c: int):
    """Sizes are asked for by `a`'s name, too: nobody else reads it."""
    if c > 0:
        del a
    b[:3] = 2.0
    return c


def handed_on(a: f64[N], c: int):
    """Values that a step of a loop leaves to the next one."""
    rises = 0
    for i in range(len(a)):
        if i > 0 and a[i] > last:
            rises += 1
        last = a[i]
    total = 0.0
    for i, x in enumerate(a):
        if i > c:
            total += x * before
        before = x
    return rises, total


def handed_on_in_rows(a: f64[M, N], c: int):
    total = 0.0
    for i in range(a.shape[0]):
        for j in range(a.shape[1]):
            if j > 0:
                total += left * a[i, j]
            left = a[i, j] + i
    return total


def handed_on_array(a: f64[N], c: int):
    t = 0
    while t < 3 + c:
        if t == c - c:
            mean = a.copy()
        else:
            mean = 0.5 * (mean + a * t)
        t += 1
    return mean


def handed_on_until(a: f64[N], c: int):
    first = c > -100
    for x in a:
        if first:
            low = x
            first = False
        elif x < low:
            low = x
        else:
            break
    return low
