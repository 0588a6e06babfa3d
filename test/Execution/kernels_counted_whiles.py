"""`while` loops that count are loops over ranges; what only looks like them is not."""
from __future__ import annotations

import numpy as np

SIZES = (0, 1, 2, 3, 7, 33, 130)


def elementwise(x: f64[N]):
    """By the end, by the start, in steps, downwards; the number is read behind the loop."""
    n = len(x)
    y = np.empty(n)
    i = 0
    while i < n:
        y[i] = 2 * x[i]
        i += 1
    k = 0
    while len(x) > k:
        y[k] += i
        k = k + 3
    j = n - 1
    while j >= 0:
        y[j] += x[n - 1 - j]
        j -= 2
    m = -1
    while m < x.shape[0] - 1:
        m += 1
        y[m] *= m
    return y, i, k, j, m


def inputs_elementwise(size, rng):
    return (rng.random(size),)


def nested(a: f64[N, M], first: int, last: int):
    """Bounds that are arguments; loops in loops, some of which have no iteration."""
    total = 0.0
    i = first
    while i <= last:
        j = i
        while j < a.shape[1]:
            total += a[i % a.shape[0], j]
            j += 1
        total += j
        i += 1
    return total, i


def inputs_nested(size, rng):
    return rng.random((size + 1, size + 2)), int(rng.integers(0, 3)), int(rng.integers(-1, size + 2))


def shortest(d: f64[N, N]):
    """An array that each step makes anew."""
    k = 0
    while k < d.shape[0]:
        d = np.minimum(d, d[:, k, None] + d[None, k, :])
        k += 1
    return d


def inputs_shortest(size, rng):
    return (rng.random((size, size)),)


def bounds_that_change(x: f64[N], limit: int):
    """The bound, the number or a list changes inside, or a step is left out: no range."""
    i, n, found = 0, len(x), 0
    while i < n:
        if x[i] < 0.5:
            n -= 1
        found += n
        i += 1
    j = 0
    while j < len(x):
        if x[j] > 0.5:
            j += 1
            found += 1
        j += 1
    queue = [1]
    k = 0
    while k < len(queue):
        if len(queue) < limit:
            queue.append(queue[k] + k)
        k += 1
    m = 0
    while m < len(x):
        if x[m] > 0.9:
            m += 1
            continue
        found += m
        m += 1
    while m < 2 * len(x) + 5:
        if found % 7 == 3:
            break
        found += 1
        m += 1
    return found, i, j, k, m, n, sum(queue)


def inputs_bounds_that_change(size, rng):
    return rng.random(size), int(rng.integers(1, 30))


def numbers_of_other_types(x: f64[N]):
    """A float counts as floats do; NumPy's numbers stay what they are."""
    t = 0.0
    steps = 0
    while t < 1:
        t += 0.125
        steps += 1
    k = np.int64(0)
    while k < 5:
        k += 1
    i = 0
    while i < 3.5:
        i += 1
    return t, steps, k, i


def inputs_numbers_of_other_types(size, rng):
    return (rng.random(size),)


def read_by_functions(x: f64[N]):
    """Functions inside read the number; what is given on is the number of that step."""
    i = 0
    def here():
        return x[i] + i
    total = 0.0
    while i < len(x):
        total += here() * i
        i += 1
    scale = 0
    while scale < 4:
        scale += 1
        total = (lambda v: v * scale + i)(total)  # noqa: B023
    return total


def inputs_read_by_functions(size, rng):
    return (rng.random(size),)


def stepping(u: f64[N], steps: int):
    """Steps of time, two arrays in turn."""
    v = u.copy()
    t = 0
    while t < steps:
        v[1:-1] = (u[:-2] + u[1:-1] + u[2:]) / 3
        u, v = v, u
        t += 1
    return u, t


def inputs_stepping(size, rng):
    return rng.random(size), int(rng.integers(0, 9))


def asked_at_the_start(x: f64[N], n: int):
    """`while True` that asks first, and one that asks later."""
    total = 0.0
    i = 0
    while True:
        if i >= len(x):
            break
        total += x[i]
        i += 1
    k = n
    while True:
        if not k > 0:
            break
        total += k
        k -= 1
    j = 0
    while True:
        total += j
        if j >= n:
            break
        j += 2
    return total, i, k, j


def inputs_asked_at_the_start(size, rng):
    return rng.random(size), int(rng.integers(-2, size + 1))
