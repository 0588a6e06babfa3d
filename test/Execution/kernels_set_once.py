"""Loops that set elements to one value, where they are not set yet: the order makes no difference. And such where it does."""
from __future__ import annotations

import numpy as np

SIZES = (0, 1, 2, 7, 61, 300)


def edges(size, rng):
    near = rng.integers(0, max(size, 1), 3 * size)
    return near, (near + rng.integers(-2, 3, 3 * size)) % max(size, 1)


def inputs_levels(size, rng):
    return *edges(size, rng), size


def levels(start: i64[E], end: i64[E], n: int):
    level = np.full(n, -1)
    level[:1] = 0
    d = 0
    changed = True
    while changed:
        changed = False
        for e in range(len(start)):
            if level[start[e]] == d and level[end[e]] == -1:
                level[end[e]] = d + 1
                changed = True
        d += 1
    return level, d


def inputs_by_rows(size, rng):
    start, end = edges(size, rng)
    order = np.argsort(start, kind="stable")
    return np.searchsorted(start[order], np.arange(size + 1)), end[order]


def by_rows(first: i64[N1], target: i64[E]):
    """Rows of a graph, unreached where infinitely far; a mark beside each that is reached."""
    n = len(first) - 1
    far = np.full(n, np.inf)
    far[:1] = 0.0
    front = np.zeros(n, dtype=np.bool_)
    for d in range(6):
        front[:] = False
        for u in range(n):
            if far[u] == d:
                for k in range(first[u], first[u + 1]):
                    v = target[k]
                    if far[v] > d + 1:
                        far[v] = d + 1
                        front[v] = True
    return far, front


def inputs_met(size, rng):
    return rng.integers(0, max(size, 1), 2 * size), np.zeros(size, dtype=np.bool_)


def met(x: i64[M], seen: bool[N]):
    any_new = False
    for k in range(len(x)):
        if not seen[x[k]]:
            seen[x[k]] = True
            any_new = True
    return any_new


def inputs_called_with(size, rng):
    level = np.full(size, -1)
    level[:1] = rng.integers(-1, 2)
    return *edges(size, rng), level, -1 if size == 61 else 0


def called_with(start: i64[E], end: i64[E], level: i64[N], d: int):
    """Where d is the mark itself, an edge behind finds what one before has set."""
    for e in range(len(start)):
        if level[start[e]] == d and level[end[e]] == -1:
            level[end[e]] = d + 1


def inputs_counted(size, rng):
    return inputs_met(size, rng)


def counted(x: i64[M], seen: bool[N]):
    """How many were new; which came first."""
    new = 0
    first = np.full(len(seen), -1)
    for k in range(len(x)):
        if not seen[x[k]]:
            seen[x[k]] = True
            first[x[k]] = k
            new += 1
    return new, first


def inputs_two_marks(size, rng):
    return *edges(size, rng), np.zeros(size, dtype=np.bool_), np.zeros(size, dtype=np.bool_)


def two_marks(s: i64[E], t: i64[E], a: bool[N], b: bool[N]):
    """The first mark says whether the second one is set: by whichever came before."""
    for e in range(len(s)):
        if not a[s[e]]:
            if not b[t[e]]:
                b[t[e]] = True
        if e % 3 == 0:
            if not a[t[e]]:
                a[t[e]] = True


def inputs_otherwise(size, rng):
    return inputs_two_marks(size, rng)


def otherwise(s: i64[E], t: i64[E], a: bool[N], twice: bool[N]):
    for e in range(len(s)):
        if not a[s[e]]:
            a[s[e]] = True
        else:
            twice[s[e]] = True


def inputs_reached(size, rng):
    return inputs_two_marks(size, rng)[:3]


def reached(s: i64[E], t: i64[E], seen: bool[N]):
    """One sweep, by which the order of the edges decides how far it comes."""
    seen[:1] = True
    for e in range(len(s)):
        if seen[s[e]] and not seen[t[e]]:
            seen[t[e]] = True
