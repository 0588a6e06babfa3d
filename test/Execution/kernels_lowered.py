"""Loops that lower (or raise) elements until none can be any more: the order of the iterations makes no difference then. And such where
it does."""
from __future__ import annotations

import numpy as np

SIZES = (0, 1, 2, 7, 61, 300)


def edges(size, rng):
    count = 3 * size
    near = rng.integers(0, max(size, 1), count)
    return near, (near + rng.integers(-2, 3, count)) % max(size, 1)


def inputs_shortest(size, rng):
    distance = np.full(size, np.inf)
    distance[:1] = 0.0
    return *edges(size, rng), rng.random(3 * size), distance


def shortest(start: i64[E], end: i64[E], length: f64[E], distance: f64[N]):
    changed = True
    while changed:
        changed = False
        for e in range(len(start)):
            if distance[start[e]] + length[e] < distance[end[e]]:
                distance[end[e]] = distance[start[e]] + length[e]
                changed = True


def inputs_components(size, rng):
    return *edges(size, rng), size


def components(start: i64[E], end: i64[E], n: int):
    """Labels in scalars, and one test where the other one fails."""
    label = np.arange(n)
    changed = True
    while changed:
        changed = False
        for e in range(len(start)):
            a = label[start[e]]
            b = label[end[e]]
            if a < b:
                label[end[e]] = a
                changed = True
            elif b < a:
                label[start[e]] = b
                changed = True
    return label


def inputs_widest(size, rng):
    ends, targets = edges(size, rng)
    order = np.argsort(ends, kind="stable")
    first = np.searchsorted(ends[order], np.arange(size + 1))
    width = np.zeros(size)
    width[:1] = 9.0
    return first, targets[order], rng.random(3 * size), width


def widest(first: i64[N1], target: i64[E], capacity: f64[E], width: f64[N]):
    """Rows of a sparse matrix; by pulling, in a scalar."""
    while True:
        changed = False
        for u in range(len(width)):
            best = width[u]
            for k in range(first[u], first[u + 1]):
                through = min(width[target[k]], capacity[k])
                if through > best:
                    best = through
            if best > width[u]:
                width[u] = best
                changed = True
        if not changed:
            break


def inputs_hysteresis(size, rng):
    shape = min(size, 40), min(size, 40) + 1
    return rng.random(shape) < 0.05, rng.random(shape) < 0.6


def hysteresis(strong: bool[H, W], weak: bool[H, W]):
    h, w = strong.shape
    out = strong.copy()
    changed = True
    while changed:
        changed = False
        for i in range(1, h - 1):
            for j in range(1, w - 1):
                if weak[i, j] and not out[i, j]:
                    if out[i - 1:i + 2, j - 1:j + 2].any():
                        out[i, j] = True
                        changed = True
    return out


def inputs_filled(size, rng):
    shape = min(size, 40), min(size, 40) + 1
    return rng.integers(0, 3, shape), np.arange(shape[0] * shape[1]).reshape(shape)


def filled(a: i64[H, W], label: i64[H, W]):
    """Two sweeps a round, backwards the second time."""
    h, w = a.shape
    going = True
    while going:
        going = False
        for i in range(h):
            for j in range(1, w):
                if a[i, j] == a[i, j - 1] and label[i, j - 1] < label[i, j]:
                    label[i, j] = label[i, j - 1]
                    going = True
        for i in range(h - 2, -1, -1):
            for j in range(w):
                if a[i, j] == a[i + 1, j] and label[i + 1, j] < label[i, j]:
                    label[i, j] = label[i + 1, j]
                    going = True


def inputs_rounds(size, rng):
    return inputs_shortest(size, rng)


def rounds(start: i64[E], end: i64[E], length: f64[E], distance: f64[N]):
    """How many rounds it took follows from the order."""
    changed = True
    count = 0
    while changed:
        changed = False
        count += 1
        for e in range(len(start)):
            if distance[start[e]] + length[e] < distance[end[e]]:
                distance[end[e]] = distance[start[e]] + length[e]
                changed = True
    return count


def inputs_parents(size, rng):
    return *inputs_shortest(size, rng), np.full(size, -1)


def parents(start: i64[E], end: i64[E], length: f64[E], distance: f64[N], parent: i64[N]):
    """So does whence the last one came."""
    changed = True
    while changed:
        changed = False
        for e in range(len(start)):
            if distance[start[e]] + length[e] < distance[end[e]]:
                distance[end[e]] = distance[start[e]] + length[e]
                parent[end[e]] = start[e]
                changed = True


def inputs_turned(size, rng):
    return *edges(size, rng), rng.random(size) + 1.0


def turned(start: i64[E], end: i64[E], x: f64[N]):
    """What is stored becomes larger where others become smaller."""
    changed = True
    while changed:
        changed = False
        for e in range(len(start)):
            if 2.5 - x[start[e]] < x[end[e]]:
                x[end[e]] = 2.5 - x[start[e]]
                changed = True


def inputs_late(size, rng):
    return *edges(size, rng), np.arange(size) * 1.0


def late(start: i64[E], end: i64[E], x: f64[N]):
    """The element in the scalar is older than the store before: the second store may raise it."""
    changed = True
    while changed:
        changed = False
        for e in range(len(start)):
            old = x[end[e]]
            if x[start[e]] < x[end[e]]:
                x[end[e]] = x[start[e]]
                changed = True
            if 3.0 < old:
                x[end[e]] = 3.0
                changed = True


def inputs_forgotten(size, rng):
    return inputs_shortest(size, rng)


def forgotten(start: i64[E], end: i64[E], length: f64[E], distance: f64[N]):
    """It ends though something was lowered in the last round: by the last edge alone."""
    changed = True
    while changed:
        changed = False
        for e in range(len(start)):
            changed = False
            if distance[start[e]] + length[e] < distance[end[e]]:
                distance[end[e]] = distance[start[e]] + length[e]
                changed = True


def inputs_twice(size, rng):
    return *edges(size, rng), np.arange(size) * 1.0


def twice(start: i64[E], end: i64[E], x: f64[N]):
    """The second store raises what the first one has lowered."""
    changed = True
    while changed:
        changed = False
        for e in range(len(start)):
            d = x[start[e]]
            if d < x[end[e]]:
                if d - 1.0 < x[end[e]]:
                    x[end[e]] = d - 1.0
                    changed = True
                x[end[e]] = d
                changed = True
