"""The best of many, with its place or with what goes with it, as loops; `by_argmax` is what the first is beside."""
from __future__ import annotations

import numpy as np


def by_argmax(a: f64[M, N]):
    k = np.argmax(a)
    return a.ravel()[k], k


def largest(a: f64[M, N]):
    best, at = -1.0, -1
    flat = a.ravel()
    for i in range(len(flat)):
        if flat[i] > best:
            best = flat[i]
            at = i
    return best, at


def by_place(a: f64[M, N]):
    at = 0
    flat = a.ravel()
    for i in range(1, len(flat)):
        if flat[i] > flat[at]:
            at = i
    return at


def best_row(a: f64[M, N]):
    best = -1.0
    x = np.zeros(a.shape[1])
    for i in range(len(a)):
        size = np.linalg.norm(a[i])
        if size > best:
            best = size
            x[:] = a[i] / size
    return best, x


def closest(a: f64[M, N]):
    best, p, q = np.inf, -1, -1
    for i in range(len(a)):
        for j in range(i + 1, len(a)):
            d = (a[i, 0] - a[j, 0]) ** 2 + (a[i, 1] - a[j, 1]) ** 2
            if d < best:
                best, p, q = d, i, j
    return best, p, q


def inputs(name, shape, rng):
    return (rng.random(shape),)


CASES = {"by_argmax": ((10**4, 10**3),), "largest": ((10**4, 10**3),), "by_place": ((10**4, 10**3),),
         "best_row": ((10**5, 64), (100, 10**5)), "closest": ((2 * 10**4, 3),)}
