"""Lists that a loop's steps and branches rebind, lists in fields, deques, and arrays that names pass on."""
from __future__ import annotations

from collections import deque

import numpy as np


def pascal(n: int):
    row = [1]
    first = row
    for i in range(n):
        row = [1] + [row[j] + row[j + 1] for j in range(len(row) - 1)] + [1]
    return row, first


def edit_distance(s: i64[N], t: i64[M]):
    prev = list(range(len(t) + 1))
    for i in range(1, len(s) + 1):
        cur = [i] + [0] * len(t)
        for j in range(1, len(t) + 1):
            cur[j] = min(prev[j] + 1, cur[j - 1] + 1, prev[j - 1] + (0 if s[i - 1] == t[j - 1] else 1))
        prev = cur
    return prev


def levels(adjacent: bool[N, N]):
    n = len(adjacent)
    distance = [-1] * n
    frontier, d = [k for k in range(n) if k == 0], 0
    for k in frontier:
        distance[k] = 0
    while frontier:
        d += 1
        found = []
        for u in frontier:
            for v in range(n):
                if adjacent[u, v] and distance[v] < 0:
                    distance[v] = d
                    found.append(v)
        frontier = found
    return distance, d


def growing_tuples(n: int):
    edges = [(0, 1.5)]
    while len(edges) < n:
        edges = [(i + 1, w * 2) for i, w in edges] + [(0, 0.5)]
    return edges


def chosen_lists(a: f64[N], n: int):
    values = [float(x) for x in a]
    if n > 2:
        values = sorted(values)
    elif n > 1:
        values = [1.5]
    pairs = []
    if n > 3:
        pairs = [(1, 2.0)]
    else:
        pairs.append((n, 0.5))
    values.append(0.5)
    return values, pairs


def joined_tuples(n: int):
    a = [(i, i * 0.5) for i in range(n)]
    b = [(9, 1.5)]
    b.append((n, 0.5))
    return b[:-1] + a[1:], [(0, 0)] * n, a + b


def of_two_kinds(a: i64[N]):
    before, halves = [-1] * len(a), [0.0]
    for i in range(len(a)):
        before[i] = a[i]
        halves.append(a[i] * 0.5)
    return before, halves


def in_fields(a: f64[N], n: int):
    found = []
    for i in range(n):
        found.append(i)
    d = {"found": found, "n": n, "own": []}
    found.append(7)
    d["found"].append(8)
    for x in a:
        if x > 0.5:
            d["own"].append(x)
    return d


class Stack:
    def __init__(self):
        self.items = []
        self.pushed = 0

    def push(self, x):
        self.items.append(x)
        self.pushed += 1


def in_objects(a: f64[N]):
    s = Stack()
    for x in a:
        if x > 0.3:
            s.push(x)
    return s.items, s.pushed


def queue(n: int):
    q = deque([1, 2, n])
    q.appendleft(5)
    first, last = q.popleft(), q.pop()
    q.extend([7, 8])
    s = 0
    while q:
        s = s * 10 + q.popleft()
        if s % 7 == 0:
            q.append(1)
    return s, first, last, len(q)


def windows(a: f64[N], k: int):
    q, out = deque(), []
    for i in range(len(a)):
        while q and q[0] <= i - k:
            q.popleft()
        while q and a[q[-1]] <= a[i]:
            q.pop()
        q.append(i)
        if i >= k - 1:
            out.append(a[q[0]])
    return out


def sums_of_arrays(g: i64[N, N]):
    near = sum(np.roll(np.roll(g, i, 0), j, 1) for i in (-1, 0, 1) for j in (-1, 0, 1) if (i, j) != (0, 0))
    return near, sum((np.ones(3) * k for k in (1, 2)), np.zeros(3))


def passed_on(a: f64[N], n: int):
    now, before = a * 2, a.copy()
    for _ in range(n):
        later = np.zeros_like(now)
        later[1:-1] = now[2:] - before[1:-1] + 0.5 * now[:-2]
        before, now = now, later
    return now, before


def passed_on_by_three(a: f64[N], n: int):
    x, y, z = a.copy(), a * 0.5, a * 0.25
    for k in range(n):
        new = x + 0.5 * y - 0.3 * z
        x, y, z = y, z, new
        z[:1] += k
        y[:1] -= k
    return x, y, z


TARGETS = ("cpu", "emulated", "cuda")  # lists have rooms of 32 MB, whose checks take minutes
SIZES = (0, 1, 2, 3, 5, 7)


def make_inputs(size, rng):
    return (size,)


def inputs_edit_distance(size, rng):
    return rng.integers(0, 3, size), rng.integers(0, 3, size + 1)


def inputs_levels(size, rng):
    return (rng.random((size, size)) > 0.6,)


def inputs_of_two_kinds(size, rng):
    return (rng.integers(0, 9, size),)


def inputs_in_objects(size, rng):
    return (rng.random(size),)


def inputs_sums_of_arrays(size, rng):
    return (rng.integers(0, 2, (size + 2, size + 2)),)


def inputs_windows(size, rng):
    return rng.random(size), 2


def inputs_chosen_lists(size, rng):
    return rng.random(size), size


inputs_in_fields = inputs_passed_on = inputs_passed_on_by_three = inputs_chosen_lists


def tour_length(tour, d):
    return sum(d[tour[i], tour[(i + 1) % len(tour)]] for i in range(len(tour)))


def two_opt(d: f64[N, N]):
    tour = list(range(len(d)))
    best = tour_length(tour, d)
    improved = True
    while improved:
        improved = False
        for i in range(1, len(d) - 1):
            for j in range(i + 1, len(d)):
                other = tour[:i] + tour[i:j][::-1] + tour[j:]
                length = tour_length(other, d)
                if length < best - 1e-12:
                    tour = other
                    best = length
                    improved = True
    return tour, best


def inputs_two_opt(size, rng):
    p = rng.random((size % 9 + 3, 2))
    return (np.sqrt(((p[:, None] - p[None]) ** 2).sum(-1)),)


def latest(k: i64[N]):
    kept = [0]
    for i in range(len(k)):
        if k[i] > 4:
            kept = [i, int(k[i])]
        elif k[i] > 2:
            kept = [x + 1 for x in kept]
    return sum(kept), len(kept)


def inputs_latest(size, rng):
    return (rng.integers(0, 9, size),)


def given_on(n: int):
    """Lists that change places, which a step changes before and behind that."""
    old, now = list(range(n + 1)), [0] * (n + 1)
    a, b, c = [1.5], [2.5, 1.0], [0.0]
    for i in range(n):
        for j in range(1, n + 1):
            now[j] = max(old[j - 1], now[j - 1]) + i
        old, now = now, old
        a.append(b[0] + i)
        a, b, c = b, c, a
        c.append(a[-1])
    p, q = [1], [2, 3]
    while len(p) < n:
        p.append(q[0])
        last = p
        p = q
        q = last
        q.append(p[-1] + 1)
    return old, now, a, b, c, p, q


def inputs_given_on(size, rng):
    return (min(size, 33),)


def searched(cost: i64[N, N], steps: int):
    """A list that a step changes a copy of and keeps where it is better; the first of some, or none."""
    n = cost.shape[0]
    now, better = list(range(n)), []

    def total(order):
        return sum(cost[i, order[i]] for i in range(n))

    best, least = now[:], total(now)
    for k in range(steps):
        new = now.copy()
        if n > 0:
            i, j = k % n, (k * 7 + 1) % n
            new[i], new[j] = new[j], new[i]
        if total(new) <= total(now):
            now = new
            better.append([k, total(now)])
            if total(now) < least:
                best, least = now[:], total(now)
    mean = []
    for k in range(steps):
        mean.append(1.0 * k if not mean else 0.3 * k + 0.7 * mean[-1])
    return best, least, now, better[0] if better else [], mean


def inputs_searched(size, rng):
    return rng.integers(0, 9, (size % 20, size % 20)), size % 20


def apart(xs: list[int], a: f64[N]):
    """Names for the first and the last, and the rest as a list; None where there is nothing."""
    first, *middle, last = xs + [1, 2]
    *front, end = a * 2.0, 1.5
    x, y, *others = np.append(a, [1.0, 2.0])
    counts = {k: v for k, v in enumerate(a)}
    kept = [y for v in xs if (y := v * v % 7) > 2]
    return (first, middle, last, len(front), end, x, len(others), 0.0 + sum(others), max(xs, default=None),
            max(counts.values(), default=None), min(xs, key=lambda v: -v, default=-1), kept)


def inputs_apart(size, rng):
    return [int(v) for v in rng.integers(0, 9, size)], rng.random(size)


def outliving(n: int, steps: int):
    """Lists that the last step makes are read behind the loop."""
    u, v = [1.0] * n, [0.0]
    w = v
    for k in range(steps):
        v = [x * 2 + k for x in u]
        u = [x + 1 for x in v]
        if k == 1:
            w = v
    for k in range(3):
        ordered = sorted(u)
        z = [x for x in ordered if x > 5]
        y = [x * k for x in u]
        y[0] = 7.0
    return sum(u), sum(a * b for a, b in zip(u, v)), sum(w), len(w), z, ordered, y


def inputs_outliving(size, rng):
    return size + 1, size
