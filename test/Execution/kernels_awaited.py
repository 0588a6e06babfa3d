"""Steps that need elements of those which the data name: they run side by side and wait for these alone."""
from __future__ import annotations

import numpy as np

SIZES = (1, 257, 700)


def lower_solve(indptr: i64[R], indices: i64[Z], data: f64[Z], b: f64[N]):
    """Forward substitution on compressed rows."""
    x = np.zeros(len(b))
    for i in range(len(b)):
        s = b[i]
        d = 1.0
        for k in range(indptr[i], indptr[i + 1]):
            j = indices[k]
            if j < i:
                s -= data[k] * x[j]
            elif j == i:
                d = data[k]
        x[i] = s / d
    return x


def rows_below(size, rng):
    counts = np.minimum(np.arange(size), 3)
    indptr = np.concatenate(([0], np.cumsum(counts + 1)))
    indices = np.concatenate([np.append(rng.choice(i, c, replace=False) if c else [], i) for i, c in enumerate(counts)])
    return indptr, indices.astype(np.int64), np.where(rng.random(len(indices)) < 0.5, 2.0, 0.5)


def inputs_lower_solve(size, rng):
    return *rows_below(size, rng), rng.normal(size=size)


def relax(indptr: i64[R], indices: i64[Z], data: f64[Z], b: f64[N], x: f64[N], sweeps: int):
    """What later rows have is read as it was; a row may name itself."""
    for _ in range(sweeps):
        for i in range(len(b)):
            s = b[i]
            for k in range(indptr[i], indptr[i + 1]):
                s -= data[k] * x[indices[k]]
            x[i] = 0.25 * s


def inputs_relax(size, rng):
    indptr = np.arange(0, 2 * size + 1, 2)
    return indptr, rng.integers(-size, size, 2 * size), rng.normal(size=2 * size), rng.normal(size=size), rng.normal(size=size), 2


def depths(parent: i64[N], weight: f64[N]):
    """Two arrays at once, of which one is new; a parent may be none, itself, or lie behind."""
    depth = np.ones(len(parent), dtype=np.int64)
    far = np.empty(len(parent))
    for i in range(len(parent)):
        p = parent[i]
        depth[i] = depth[p] + 1 if p >= 0 else 0
        far[i] = weight[i]
        if 0 <= p and p < i:
            far[i] += far[p]
    return depth, far


def inputs_depths(size, rng):
    return rng.integers(-1, size, size) * (np.arange(size) < size // 2) + (rng.random(size) * np.arange(size)).astype(np.int64) * (
        np.arange(size) >= size // 2), rng.normal(size=size)


def expressions(op: i64[N], left: i64[N], right: i64[N], leaf: f64[N]):
    """Steps that count down, and wait for those above."""
    n = len(op)
    value = np.empty(n)
    for i in range(n - 1, -1, -1):
        if op[i] == 0:
            value[i] = leaf[i]
        elif op[i] == 1:
            value[i] = value[left[i]] + value[right[i]]
        else:
            value[i] = value[left[i]] * value[right[i]]
    return value


def inputs_expressions(size, rng):
    behind = np.arange(size, dtype=np.int64)
    ahead = size - 1 - behind
    left, right = (behind + 1 + (rng.random(size) * ahead).astype(np.int64) for _ in range(2))
    return np.where(ahead == 0, 0, rng.integers(0, 3, size)), np.minimum(left, size - 1), np.minimum(right, size - 1), rng.normal(size=size)


def rows_of_trees(parent: i64[N], x: f64[N, 5], w: f64[5]):
    """A row needs another one whole: it waits once, and its lanes share the rest."""
    h = np.zeros_like(x)
    h[0] = x[0]
    for i in range(1, len(parent)):
        s = 1.0
        for c in range(5):
            s += abs(h[parent[i], c])
        for c in range(5):
            h[i, c] = x[i, c] + w[c] * h[parent[i], 4 - c] / s
    return h


def inputs_rows_of_trees(size, rng):
    return (rng.random(size) * np.arange(size)).astype(np.int64), rng.normal(size=(size, 5)), rng.normal(size=5)


def chains(parent: i64[N]):
    """Most steps need one right before: one thread makes all."""
    depth = np.zeros(len(parent), dtype=np.int64)
    for i in range(1, len(parent)):
        depth[i] = depth[parent[i]] + 1
    return depth


def inputs_chains(size, rng):
    return (np.maximum(np.arange(size) - rng.integers(1, 4, size), 0),)


def collatz(n: int):
    """A step runs until it falls below itself."""
    length = np.zeros(n + 2, dtype=np.int64)
    length[1] = 1
    for i in range(2, n + 2):
        m = i
        steps = 0
        while m >= i:
            m = m // 2 if m % 2 == 0 else 3 * m + 1
            steps += 1
        length[i] = length[m] + steps
    return length


def inputs_collatz(size, rng):
    return (size,)


def longest_paths(first: i64[R], source: i64[Z], cost: f64[Z]):
    """The best of those before, and the path that leads there."""
    n = len(first) - 1
    best = np.zeros(n)
    via = np.full(n, -1)
    for v in range(n):
        for e in range(first[v], first[v + 1]):
            u = source[e]
            if best[u] + cost[e] > best[v]:
                best[v] = best[u] + cost[e]
                via[v] = u
    return best, via, best.max()


def inputs_longest_paths(size, rng):
    indptr, indices, data = rows_below(size, rng)
    return indptr, np.maximum(indices - 1, 0), data


def inputs_fewest_coins(size, rng):
    return np.array([1, 7, 10, 25]), size


def fewest_coins(coins: i64[K], amount: int):
    """Each step asks for the one right before, and asks again under what that one tells."""
    fewest = np.full(amount + 1, amount + 1)
    fewest[0] = 0
    for s in range(1, amount + 1):
        for c in coins:
            if c <= s and fewest[s - c] + 1 < fewest[s]:
                fewest[s] = fewest[s - c] + 1
    return fewest


def inputs_winning(size, rng):
    return np.array([2, 3, 9]), size


def winning(moves: i64[K], n: int):
    """What is asked says how long the loop goes on."""
    wins = np.zeros(n + 1, dtype=np.bool_)
    for i in range(1, n + 1):
        for m in moves:
            if m <= i and not wins[i - m]:
                wins[i] = True
                break
    return wins
