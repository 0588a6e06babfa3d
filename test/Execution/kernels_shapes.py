"""`a.shape = ...`, where nobody else has the array."""
from __future__ import annotations

import numpy as np

TARGETS = ("cpu",)
SIZES = (0, 1, 3)


def set_at_once(n: int):
    a = np.arange(6.0 * n)
    a.shape = (2, 3 * n)
    b, c = np.ones((n, 4)), np.zeros((2, n, 2), np.int32)
    b.shape = c.shape = 4 * n
    b[:2] = 7
    c[-1:] += 2
    a[1, :] *= 2
    return a, b, c, a.shape[1]


def inputs_set_at_once(size, rng):
    return (size,)


def set_twice(x: f64[:, :], k: int):
    y = x * 2
    y.shape = -1,
    y[k:] = 1
    y.shape = (x.shape[1], x.shape[0])
    z = y.copy()
    z.shape = x.shape
    return y, z


def inputs_set_twice(size, rng):
    return rng.random((4, size + 1)), size


def of_another_size(x: f64[:], n: int):
    y = x + 1
    y.shape = (2, n)
    return y


def inputs_of_another_size(size, rng):
    return rng.random(4), size + 1


def helper(n):
    t = np.zeros(n * 2)
    t.shape = n, 2
    t[:, 1] = 3
    return t


def made_elsewhere(n: int):
    total = 0.0
    for i in range(n):
        t = helper(n)
        total += t.sum()
    return total, helper(n)


def inputs_made_elsewhere(size, rng):
    return (size,)
