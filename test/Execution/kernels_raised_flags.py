"""Flags that loops raise, alone, in nests, in steps that go on while one is raised; the best of what a loop of each element's own finds."""
from __future__ import annotations

import numpy as np

SIZES = (0, 1, 2, 3, 17, 129, 1030)


def kinds(x: f64[N]):
    """Raised to a bool, taken back, set to numbers; what no element raises stays as it was."""
    found, all_small, code, weight = False, True, 5, -1.5
    for i in range(len(x)):
        if x[i] < -0.4:
            found = True
        if x[i] > 0.3:
            all_small = False
            code = 7
        elif x[i] > 0.45:
            code = 7
        if x[i] > 2.0:
            weight = 0.25
    seen = 0
    for v in x:
        seen = 1
    return found, all_small, code, weight, seen


def inputs_kinds(size, rng):
    return (rng.random(size) - 0.5,)


def labelled(img: i64[M, N]):
    """Until no label changes; the flag of a row is its own."""
    n, m = img.shape
    lab = np.zeros((n, m), dtype=np.int64)
    for i in range(n):
        for j in range(m):
            if img[i, j]:
                lab[i, j] = i * m + j + 1
    rounds = 0
    changed = True
    while changed:
        changed = False
        new = lab.copy()
        for i in range(1, n - 1):
            for j in range(1, m - 1):
                if lab[i, j]:
                    best = max(lab[i, j], lab[i - 1, j], lab[i + 1, j], lab[i, j - 1], lab[i, j + 1])
                    if best != lab[i, j]:
                        new[i, j] = best
                        changed = True
        lab = new
        rounds += 1
    full = np.zeros(n, dtype=np.int64)
    for i in range(n):
        has_gap = False
        for j in range(m):
            if not img[i, j]:
                has_gap = True
        if has_gap:
            full[i] = 1
    return lab, rounds, full


def inputs_labelled(size, rng):
    side = min(size, 40)
    return ((rng.random((side, side + 1)) < 0.6).astype(np.int64),)


def read_or_changed(x: f64[N]):
    """What the loop asks for, or sets to several values, is no flag."""
    first, state, last = -1, 0, -1
    found = False
    for i in range(len(x)):
        if not found:
            if x[i] > 0.2:
                found = True
                first = i
        if x[i] > 0.4:
            state = 2
        elif x[i] < -0.4:
            state = 1
        if x[i] > 0.0:
            last = i
    return first, state, last, found


def inputs_read_or_changed(size, rng):
    return (rng.random(size) - 0.5,)


def longest_orbit(n: i64, x: i64[N]):
    """Of starts that no array holds, and of an array's."""
    best, start = 0, 0
    for i in range(1, n):
        k, steps = i, 0
        while k != 1:
            if k % 2 == 0:
                k //= 2
            else:
                k = 3 * k + 1
            steps += 1
        if steps > best:
            best = steps
            start = i
    fewest, where = 1000, -1
    for i in range(len(x)):
        k, digits = x[i], 0
        while k > 0:
            k //= 3
            digits += 1
        if digits < fewest:
            fewest = digits
            where = i
    return best, start, fewest, where


def inputs_longest_orbit(size, rng):
    return size, rng.integers(0, 10**6, size)


def triangles(a: i64[N, N]):
    """Three loops, each from where the one around it is, with conditions between."""
    n = len(a)
    t = 0
    for i in range(n):
        for j in range(i + 1, n):
            if a[i, j]:
                for k in range(j + 1, n):
                    if a[i, k] and a[j, k]:
                        t += 1
    return t


def inputs_triangles(size, rng):
    return (rng.integers(0, 2, (min(size, 65), min(size, 65))),)


def toppled(g: i64[M, N]):
    """Grains that conditions give to neighbours, until none moves."""
    n, m = g.shape
    rounds = 0
    moved = True
    while moved:
        moved = False
        h = g.copy()
        for i in range(1, n - 1):
            for j in range(1, m - 1):
                if g[i, j] >= 4:
                    moved = True
                    h[i, j] -= 4
                    h[i - 1, j] += 1
                    h[i + 1, j] += 1
                    h[i, j - 1] += 1
                    h[i, j + 1] += 1
        g[:] = h
        rounds += 1
    return rounds


def inputs_toppled(size, rng):
    side = min(size, 14)
    return (rng.integers(0, 7, (side + 2, side)),)
