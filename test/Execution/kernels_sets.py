"""Sets, and dicts that are asked for computed keys, as scripts of simulation and statistics use them."""
from __future__ import annotations

import math
from collections import defaultdict

import numpy as np

SIZES = (0, 1, 2, 7, 33)

EDGES = {0, 3, 5}
MOVES = {0: (1, 0), 1: (-1, 0), 2: (0, 1), 3: (0, -1)}
RULE = {(1, 1, 1): 7, (1, 1, 0): 6, (1, 0, 1): 5, (1, 0, 0): 4, (0, 1, 1): 3, (0, 1, 0): 2, (0, 0, 1): 1, (0, 0, 0): 0}


def members(k: i64[N], x: f64[N], n: int):
    seen = set(k)
    firsts = {v // 2 for v in k if v > 2}
    halves = {0.5 * n, 1.0, 2.5}
    inside = np.zeros(len(k), bool)
    for i in range(len(k)):
        inside[i] = k[i] in EDGES or i in seen
    marks = [v in {1, 2, n} for v in k]
    return inside, marks, len(seen), sorted(seen), sorted(firsts, reverse=True), n in seen, x.sum() in halves, len(halves), len(set())


def inputs_members(size, rng):
    return rng.integers(0, 9, size), rng.integers(0, 3, size) / 2, size


def unique_in_order(k: i32[N], most: int):
    """Each the first time it comes, until there are enough."""
    seen = set()
    kept = []
    for v in k:
        if v in seen:
            continue
        seen.add(v)
        kept.append(v)
        if len(seen) == most:
            break
    seen.discard(3)
    seen.update(k[:2] + 50)
    return np.array(kept, dtype=np.int32), len(seen), max(seen) if seen else -1, sum(seen), 50 in seen, 3 not in seen


sizes_unique_in_order = (1, 2, 7, 33)


def inputs_unique_in_order(size, rng):
    return rng.integers(0, 9, size).astype(np.int32), 6


def walk(steps: i64[N]):
    x = y = 0
    visited = {(0, 0)}
    for s in steps:
        dx, dy = MOVES[int(s)]
        x += dx
        y += dy
        visited.add((x, y))
    return x, y, len(visited), (1, 0) in visited, math.hypot(x, y)


def inputs_walk(size, rng):
    return (rng.integers(0, 4, size),)


def ising(spins: i64[N, N], u: f64[N, N], beta: float):
    n = spins.shape[0]
    weights = {e: math.exp(-beta * e) for e in (-8, -4, 0, 4, 8)}
    for i in range(n):
        for j in range(n):
            near = spins[(i + 1) % n, j] + spins[i - 1, j] + spins[i, (j + 1) % n] + spins[i, j - 1]
            cost = 2 * spins[i, j] * near
            if u[i, j] < weights[cost]:
                spins[i, j] *= -1
    return spins.sum()


sizes_ising = (0, 1, 2, 7)


def inputs_ising(size, rng):
    return rng.choice([-1, 1], (size, size)), rng.random((size, size)), 0.3


def automaton(cells: i64[N], rule: int):
    after = np.zeros_like(cells)
    for i in range(len(cells)):
        after[i] = (rule >> RULE[cells[i - 1], cells[i], cells[(i + 1) % len(cells)]]) & 1
    return after


def inputs_automaton(size, rng):
    return rng.integers(0, 2, size), 110


def missing_key(k: i32[N], out: f64[N], n: int):
    """KeyError where a key is missing: what is stored before remains."""
    costs = {1: 0.5, 2: 1.5, 5: 2.0}
    total = 0.0
    for i in range(len(k)):
        total += costs.get(k[i], 0.25) + costs.get(n, 1.0)
        if n in costs and k[i] not in costs:
            total -= 1.0
    for i in range(len(k)):
        out[i] = costs[k[i]]
    return total, costs.get(n) is None


def inputs_missing_key(size, rng):
    return rng.choice([1, 2, 5], size).astype(np.int32) if size % 2 else rng.integers(0, 9, size).astype(np.int32), np.zeros(size), size


def weighted(x: f32[N], w: f32[N], k: i32[N]):
    counts, edges = np.histogram(x, bins=5, range=(0.0, 1.0), weights=w)
    density, _ = np.histogram(x, [0.0, 0.25, 0.5, 1.0], density=True)
    both, across, along = np.histogram2d(x, w, bins=(3, 4), range=[[0, 1], [0, 1]])
    return counts, edges, density, both, along, np.bincount(k, weights=w * x, minlength=6), math.fsum(w)


sizes_weighted = (1, 2, 7, 33)


def inputs_weighted(size, rng):
    return rng.random(size).astype(np.float32) / 2, rng.random(size).astype(np.float32), rng.integers(0, 6, size).astype(np.int32)


def small_things(a: f32[N], n: int, x: float):
    counted = np.fromiter((i * x for i in range(n)), dtype=np.float64, count=n)
    return counted, x.is_integer(), (x * 0.5).is_integer(), n.bit_length(), a.dtype.name == "float32", a.nbytes + a.itemsize, x or 1.5, n or 7


def inputs_small_things(size, rng):
    return rng.random(size).astype(np.float32), size, size / 2


def stacked(x: f64[N], c: f64[M], size: int, hop: int):
    a = np.stack([x * v for v in c])
    count = 1 + (len(x) - size) // hop
    b = np.array([x[i * hop:i * hop + size] for i in range(count)])
    w = np.stack([v * x[:3] + u for v, u in zip(c, c[::-1])], axis=1)
    return a, b, w, [x * v for v in c]


sizes_stacked = (7, 33)


def inputs_stacked(size, rng):
    return rng.random(size), rng.random(3), 4, 2


def masked(x: f64[N], m: f64[N, K], y: f64[L]):
    bad = x > 0.5
    x[bad] = np.arange(bad.sum()) * 1.5
    m[m > 0.5] = y[:np.count_nonzero(m > 0.5)]
    q = [i for i in range(len(x)) if i % 3 == 0]
    q.append(1)
    x[q] += 1.0
    return x[q], m[q].sum(axis=0), x[[]], m[:, [1, 0]]


sizes_masked = (2, 7, 33)


def inputs_masked(size, rng):
    return rng.random(size), rng.random((size, 2)), rng.random(size * 2)


def joined_sets(a: i64[N], b: i64[M], n: int):
    x, y = set(a), set(b)
    both = x & y
    z = {v * 2 for v in a}
    z |= {n, 3}
    odd = {(v, v + 1) for v in a} - {(v, w) for v, w in zip(b, b + 1)}
    missing = set(range(n)) - y
    none = set()
    return (sorted(both), sorted(x | y), sorted(x - y), sorted(x ^ y), len(z), sorted(missing), both <= x, x < y, x >= both,
            sorted(odd), x.issubset(a), len(x.union(b) | none), len(none & x), len(x - none))


def inputs_joined_sets(size, rng):
    return rng.integers(0, 9, size), rng.integers(4, 12, size), size


def shortest(D: f64[N, N], k: i64[M]):
    """By keys, of which no two are equal; comprehensions over sets where the order does not matter."""
    todo = set(range(1, len(D)))
    tour = [0]
    while todo:
        last = tour[-1]
        near = min(todo, key=lambda j: D[last, j])
        todo.remove(near)
        tour.append(near)
    s = set(k)
    reached = {0}
    for x in k[:4]:
        reached |= {r + x for r in reached}
    return (tour, sum(v for v in s if v > 2), any(v > 7 for v in s), sorted({v % 3 for v in s}), len(reached),
            max(s, key=lambda v: -v * 2) if len(k) > 0 else 0, sorted(s, key=lambda v: -v))


def inputs_shortest(size, rng):
    return rng.random((min(size, 9), min(size, 9))), rng.integers(0, 9, min(size, 9))


def hashes_decide(k: i64[M]):
    return min({int(v) for v in k}, key=lambda v: 0)


def inputs_hashes_decide(size, rng):
    return (np.array([7]),)


def by_class(k: i64[N], x: f64[N, D]):
    """Arrays as values: of a shape that the caller knows, and of sizes that the run tells."""
    means, sums = {}, {}
    for c in np.unique(k):
        means[c] = x[k == c].mean(axis=0)
    for c, row in zip(k, x):
        if c not in sums:
            sums[c] = np.zeros(x.shape[1])
        sums[c] += row * 2
        sums[c] = sums[c] * 0.5
    counts = defaultdict(lambda: np.zeros(3))
    for c in k:
        counts[c] += 1
        counts[c] -= counts[c] / 4
    places = {}
    for c in range(3):
        places[c] = np.where(k == c)[0]
    firsts = {c: x[k == c, 0] for c in np.unique(k)}
    total = np.zeros(x.shape[1])
    for c, mean in means.items():
        total += mean * len(firsts[c]) + sums[c] + counts[c][1]
    return total, len(means), places, sum(len(v) for v in places.values()), sum((c * v.sum() for c, v in firsts.items()), 0.0)


def inputs_by_class(size, rng):
    return rng.integers(0, 4, size), rng.random((size, 3))


def linked(k: i64[N]):
    """Sets as values and in lists."""
    near = defaultdict(set)
    for a, b in zip(k, k[::-1]):
        near[a].add(b)
        near[b].add(a + 1)
    d = {}
    for i, c in enumerate(k):
        d.setdefault(int(c), set()).add(i % 3)
    squares = [set() for _ in range(4)]
    for c in k:
        squares[c].add(c * c)
        squares[0] |= squares[c]
        squares[c].discard(4)
    found = sum(1 for c in range(4) if c in d and 1 in d[c])
    both = len(d[0] & d[1]) if 0 in d and 1 in d else -1
    return len(near), max((len(near[a]) for a in near), default=0), found, both, [len(s) for s in squares], sorted(squares[0])


def inputs_linked(size, rng):
    return (rng.integers(0, 4, min(size, 9)),)


def apart(a: i64[N], n: int):
    s, t = set(a), {1, n}
    return s.isdisjoint(t), t.isdisjoint(set()), {2, 3}.isdisjoint({n, 4}), s.isdisjoint(a + 100)


def inputs_apart(size, rng):
    return rng.integers(0, 30, size), size
