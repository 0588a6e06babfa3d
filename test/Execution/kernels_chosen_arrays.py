"""An array that is an argument itself on one path and a new one on another: what is stored into it, and what is returned."""
from __future__ import annotations

import numpy as np

SIZES = (0, 1, 2, 7, 33)
COMPARES_SHARING = True


def normalised(a: f64[N], flag: bool):
    if flag:
        a = a / (1 + a.sum())
    return a


def inputs_normalised(size, rng):
    return rng.random(size), size % 2 == 1


def in_place(a: f64[N], inplace: bool):
    x = a if inplace else a.copy()
    for i in range(len(x)):
        x[i] += i
    return x


def inputs_in_place(size, rng):
    return rng.random(size), size % 2 == 1


def in_place_sum(a: f64[N, M], copy: bool, twice: bool):
    if copy:
        a = a.copy()
    elif twice:
        a = a * 2
    a[:, 0] = 1.0
    a -= a.min(initial=0)
    return a.sum()


def inputs_in_place_sum(size, rng):
    return rng.random((size, 3)), size % 3 == 1, size % 2 == 0


def either(a: f64[N], b: f64[N], which: int):
    if which == 0:
        x = a
    elif which == 1:
        x = b
    else:
        x = a + b
    x *= 3
    return x, which


def inputs_either(size, rng):
    return rng.random(size), rng.random(size), size % 3


def prepared(x, copy):
    return np.array(x) if copy else x


def through_functions(a: f64[N], b: f64[N], copy: bool):
    x = prepared(a, copy)
    y = prepared(b, not copy)
    x[:] = x + y
    y += 1
    return x


def inputs_through_functions(size, rng):
    return rng.random(size), rng.random(size), size % 2 == 0


def chosen_twice(a: f64[N], first: bool, second: bool):
    x = a if first else a + 1
    if second:
        x = x * 2
    return x


def inputs_chosen_twice(size, rng):
    return rng.random(size), size % 2 == 0, size % 3 == 0


def raises_behind(a: f64[N], inplace: bool, most: float):
    """What has been stored by then remains, in the caller's array where it is that one."""
    x = a if inplace else a.copy()
    for k in range(len(x)):
        if k > 0:
            x[k - 1] = 5
        if x[k] > most:
            raise ValueError("large")
    x[:2] = 7
    if x.sum() > 3 * most:
        raise ValueError("their sum")
    return x


def inputs_raises_behind(size, rng):
    return rng.random(size), bool(size % 3), 0.9 + size % 2


def two_arrays(size, rng):
    return rng.random(size + 1), rng.random(size + 1), bool(size % 2)


def fill(x, v):
    x[:] = v


def pick(a, b, c):
    if c:
        return a
    else:
        return b


def element(a: f64[N], b: f64[N], c: bool):
    x = b
    if c:
        x = a
    for i in range(a.shape[0]):
        x[i] = i


inputs_element = two_arrays


def of_a_view(a: f64[N], b: f64[N], c: bool):
    if c:
        x = a
    else:
        x = b
    y = x[1:]
    y[:] = 0.0


inputs_of_a_view = two_arrays


def by_call(a: f64[N], b: f64[N], c: bool):
    if c:
        x = a
    else:
        x = b
    fill(x, 2.0)


inputs_by_call = two_arrays


def chosen_by_call(a: f64[N], b: f64[N], c: bool):
    x = pick(a, b, c)
    x[:] = 0.0


inputs_chosen_by_call = two_arrays


def mixed_exchange(a: f64[N], b: f64[N], c: bool):
    keep = a[1:]
    if c:
        a, b = b, a
    a[:] = 0.0
    return keep.sum()


inputs_mixed_exchange = two_arrays


def masked(a: f64[N], b: f64[N], c: bool):
    x = a if c else b
    x[x > 0.5] = 0.0


inputs_masked = two_arrays


def scatter(a: f64[N], b: f64[N], c: bool):
    x = a if c else b
    for i in range(len(x)):
        x[(i * 3) % len(x)] += 1.0


inputs_scatter = two_arrays


def while_store(a: f64[N], b: f64[N], c: bool):
    x = a if c else b
    k = 0
    while x[k] < 0.7:
        x[k] = 5.0
        k += 1
        if k == len(x):
            break
    return k


inputs_while_store = two_arrays
