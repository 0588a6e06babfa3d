"""What is kept of many elements, in order: conditions of nests, several arrays at one place, all that is appended, steps that see
what others have done."""
from __future__ import annotations

import numpy as np

SIZES = (0, 1, 33, 257, 1500)


def by_mask(a: f64[N], m: f32[N, 3]):
    k = np.flatnonzero(a > 0.5)
    i, j = np.nonzero(m > 0.25)
    return a[a > 0.5], k, i, j, m[m < 0.25] * 2, np.argwhere(m > 0.9)


def inputs_by_mask(size, rng):
    return rng.random(size), rng.random((size, 3)).astype(np.float32)


def by_loop(a: f64[N], b: i64[N]):
    kept, odd, all_of = [], [], []
    n = 0
    out = np.zeros(a.shape[0] + 1)
    for i in range(a.shape[0]):
        x = a[i] * a[i]
        if x > 0.25 and b[i] != 3:
            kept.append(x)
            odd.append(b[i])
    for i in range(a.shape[0]):
        all_of.append(a[i] + i)
    for i in range(2, a.shape[0]):
        if a[i] < a[i - 1]:
            out[n] = a[i - 2]
            n += 1
    return np.array(kept), odd, np.array(all_of), out, n


def inputs_by_loop(size, rng):
    return rng.random(size), rng.integers(0, 5, size)


def by_library(a: f64[N], b: i64[N], m: f64[N, 3]):
    """Elements, their numbers, flags that stand in memory, elements of a matrix in its order; counters of one's own."""
    kept = np.empty(len(a))
    n = 0
    for i in range(len(a)):
        x = a[i]
        if x > 0.5:
            kept[n] = x
            n += 1
    odd = b % 2 == 1
    flat = m.ravel()
    places = [i for i in range(len(flat)) if flat[i] > 0.5]
    return kept[:n], n, [x for x in a if x < 0.25], b[odd], flat[flat > 0.5], places, np.unique(b), np.unique(m)


def inputs_by_library(size, rng):
    a = rng.random(size)
    a[::7] = np.nan
    return a, rng.integers(0, 9, size), np.round(rng.random((size, 3)), 2)


def in_order(a: f64[N]):
    """Each step sees what is kept so far: no places can be known before."""
    kept = [0.0]
    for i in range(a.shape[0]):
        if a[i] > 0.5 * kept[-1]:
            kept.append(a[i] * 0.9)
    return np.array(kept)


def inputs_in_order(size, rng):
    return (rng.random(size),)


def twice(a: f64[N], t: int):
    """In steps of the host."""
    total = 0.0
    for s in range(t):
        big = a[a > s / 8]
        total += big.sum() + len(big)
        a *= 0.9
    return total


def inputs_twice(size, rng):
    return rng.random(size), 4


def nothing_on_the_path(a: f64[N]):
    for i in range(a.shape[0]):
        a += 0.5
        if a[i] > 1:
            continue


def inputs_nothing_on_the_path(size, rng):
    return (rng.random(min(size, 3)),)


def no_steps(n: int, x: float):
    """Loops whose bounds cross make no step, and one in another of them makes none of its."""
    v = [x]
    for j in range(3, n):
        v.append(x * j)
    for i in range(2, n):
        for j in range(4, n - 1):
            v.append(x + i * j)
    w = [x]
    for j in range(2, n):
        if j % 2 == 0:
            w.append(j + x)
    return v, w


def inputs_no_steps(size, rng):
    return size % 7, 0.5


sizes_no_steps = (0, 1, 2, 3, 6)
