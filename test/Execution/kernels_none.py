"""Values that are None on some paths: what is not yet found, what a function gives where it finds nothing."""
from __future__ import annotations

from dataclasses import dataclass
from typing import Optional

import numpy as np

SIZES = (0, 1, 2, 7, 33)


def nearest(points: f64[N, 2], q: f64[2]):
    best = None
    at = None
    for i in range(points.shape[0]):
        d = ((points[i] - q) ** 2).sum()
        if best is None or d < best:
            best = d
            at = i
    return at, best


def inputs_nearest(size, rng):
    return rng.random((size, 2)), rng.random(2)


def root(a: float, b: float):
    if a * b > 0:
        return None
    return (a + b) / 2


def inputs_root(size, rng):
    return float(rng.normal()), float(rng.normal())


def first_above(a: f64[N], x: float):
    for i in range(len(a)):
        if a[i] > x:
            return i


def inputs_first_above(size, rng):
    return rng.random(size), 0.7


def doubled_unless_empty(a: f64[N]):
    if len(a) == 0:
        return None
    return a * 2


def inputs_doubled_unless_empty(size, rng):
    return (rng.random(size),)


def found_pair(a: f64[N], x: float):
    found = None
    for i, y in enumerate(a):
        if y > x:
            found = (i, y)
    if found is None:
        return -1, 0.0
    i, y = found
    return i, y * 2


inputs_found_pair = inputs_first_above


def set_back(a: f64[N], x: float):
    last = 0.5
    count = 0
    for y in a:
        if last is not None and y < last:
            last = None
            count += 1
        elif last is None:
            last = y
    return last, count


inputs_set_back = inputs_first_above


def narrowed_by_return(a: f64[N], x: float):
    best = None
    for y in a:
        if y > x and (best is None or y < best):
            best = y
    if best is None:
        return 0.0
    return best + 1.0


inputs_narrowed_by_return = inputs_first_above


def truth_of(a: f64[N], x: float):
    n = None
    for i in range(len(a)):
        if a[i] > x:
            n = i
    if n:
        return n
    if not n and n is None:
        return -1
    return -2


inputs_truth_of = inputs_first_above


def helper(a, limit=None):
    if limit is None:
        return a.sum()
    if limit < 0:
        return None
    return a.sum() * limit


def passed_on(a: f64[N], x: float):
    kept = None
    if x > 0.5:
        kept = x
    given = helper(a, kept)
    other = kept if given is None else given
    chosen = None if len(a) % 2 else other
    return given, other, chosen, kept is not None


def inputs_passed_on(size, rng):
    return rng.random(size), float(rng.random())


@dataclass
class Search:
    count: int
    best: float = None


def in_fields(a: f64[N], x: float):
    s = Search(0)
    for y in a:
        if y > x:
            s.count += 1
            if s.best is None or y > s.best:
                s.best = y
    return s.count, s.best


inputs_in_fields = inputs_first_above


def in_parallel(A: f64[N, M], x: float):
    out = np.zeros(A.shape[0])
    for i in range(A.shape[0]):
        best = None
        for j in range(A.shape[1]):
            if A[i, j] > x and (best is None or A[i, j] < best):
                best = A[i, j]
        out[i] = -1.0 if best is None else best
    return out


def inputs_in_parallel(size, rng):
    return rng.random((size, 5)), 0.6


def two_arrays(a: f64[N], b: f64[M], n: int):
    c = None
    if n > 3:
        c = a[1:] * 2 if n % 2 else b + 1
    if c is None:
        return b.copy()
    return c.sum() + b


def inputs_two_arrays(size, rng):
    return rng.random(size + 1), rng.random(size), size


def none_of_types(a: f64[N], n: int):
    k = None
    for i in range(n):
        k = 2.0 * i if k is None else k + a[i]
    return k


def inputs_none_of_types(size, rng):
    return rng.random(size), size


def or_else(a: f64[N], x: float):
    best = None
    for y in a:
        if y > x:
            best = y
    by = best or 0.5
    return by, best and by + 1.0, not best, best == x, x != best


inputs_or_else = inputs_first_above


def in_a_while(n: int):
    previous = None
    steps = 0
    while previous != n:
        if previous is not None and previous % 2 == 0:
            n = previous // 2
        previous = n
        n = n // 2
        steps += 1
    return previous, steps


def inputs_in_a_while(size, rng):
    return (size + 5,)


def pair_that_goes(a: f64[N], x: float):
    pair = (1, 2.0)
    for y in a:
        if y > x:
            pair = None
        elif pair is not None:
            pair = (2, y)
    return pair


inputs_pair_that_goes = inputs_first_above


def none_after_an_inner_loop(a: f64[N], n: int):
    last = 0.25
    pair = (n, 0.5)
    hits = 0
    for i in range(n):
        for y in a:
            if not last or y > last:
                last = y
            if pair is None or y > pair[1]:
                pair = (i, y)
        if last is not None and last > 0.9:
            hits += pair[0]
        last = None
        pair = None
    return last, pair, hits


def inputs_none_after_an_inner_loop(size, rng):
    return rng.random(size), size


def kept_elsewhere(a: f64[N], x: float):
    best = None
    s = Search(0)
    before = None
    pair = (0, None)
    for y in a:
        before = best
        pair = (1, best)
        s.best = best
        if y > x:
            best = y
    return best, before, s.best, pair


inputs_kept_elsewhere = inputs_first_above


def default_of_field(a: f64[N], x: float):
    found = None
    for y in a:
        if y > x:
            found = y
    d = {"found": found, "n": len(a)}
    found = 5.0
    return d


inputs_default_of_field = inputs_first_above


def left_out(a: f64[N], n: "int | None" = None, out: f64[N] = None, scale: float = 2.0):
    if n is None:
        n = len(a)
    if out is None:
        out = np.zeros_like(a)
    for i in range(n):
        out[i] += a[i] * scale
    return out, n


def inputs_left_out(size, rng):
    """None, one or both of those that may be None."""
    given = (size // 2, rng.random(size), 0.5)
    return rng.random(size), *{0: (None, None), 1: given, 2: (given[0],), 7: (None, given[1])}.get(size, ())


def handed_on(a, k=None):
    return a.sum() if k is None else a[:k].sum() + 1


def left_out_of_a_helper(a: f64[N], first: Optional[int] = None, last: Optional[int] = None):
    return handed_on(a), handed_on(a, first), handed_on(a, k=last)


def inputs_left_out_of_a_helper(size, rng):
    return rng.random(size), *{0: (None, 0), 1: (1,), 2: (None, 1), 7: (3, 4)}.get(size, ())
