"""What is kept of many elements, in every spelling; `by_mask` is what the others are beside."""
from __future__ import annotations

import numpy as np


def by_mask(a: f64[M, N]):
    flat = a.ravel()
    return flat[flat > 0.5]


def comprehension(a: f64[M, N]):
    return np.array([x for x in a.ravel() if x > 0.5])


def appended(a: f64[M, N]):
    kept = []
    for x in a.ravel():
        if x > 0.5:
            kept.append(x)
    return np.array(kept)


def counted(a: f64[M, N]):
    flat = a.ravel()
    kept = np.empty(len(flat))
    n = 0
    for i in range(len(flat)):
        if flat[i] > 0.5:
            kept[n] = flat[i]
            n += 1
    return kept[:n]


def places(a: f64[M, N]):
    flat = a.ravel()
    return [i for i in range(len(flat)) if flat[i] > 0.5]


def distinct(a: f64[M, N]):
    return np.unique(a)


def inputs(name, shape, rng):
    return (rng.random(shape),)


CASES = dict.fromkeys(("by_mask", "comprehension", "appended", "counted", "places", "distinct"), ((10**4, 10**3),))
