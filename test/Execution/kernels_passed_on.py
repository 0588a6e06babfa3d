"""Dicts and objects that are others in the next step: `old = new`, `old, new = new, old`."""
from __future__ import annotations

from collections import Counter, defaultdict
from dataclasses import dataclass

import numpy as np

SIZES = (0, 1, 2, 7, 33)
TARGETS = ("cpu", "checked")


def ranks(source: i64[M], target: i64[M], n: int):
    links = {i: [] for i in range(n)}
    for s, t in zip(source, target):
        links[s].append(t)
    rank = {}
    for i in range(n):
        rank[i] = 1.0 / n
    for _ in range(5):
        new = {}
        for i in range(n):
            new[i] = 0.15 / n
        for i in range(n):
            for j in links[i]:
                new[j] += 0.85 * rank[i] / len(links[i])
        change = sum(abs(new[i] - rank[i]) for i in range(n))
        rank = new
        if change < 1e-3:
            break
    return [rank[i] for i in range(n)], rank


def inputs_ranks(size, rng):
    n = size + 2
    return rng.integers(0, n, 3 * size), rng.integers(0, n, 3 * size), n


def sums(a: i64[N]):
    now = {0: 1}
    for x in a[:6]:
        new = {}
        for total, ways in now.items():
            new[total] = new.get(total, 0) + ways
            new[total + x] = new.get(total + x, 0) + ways
        now = new
    return sorted(now.items())


def inputs_sums(size, rng):
    return (rng.integers(0, 5, size),)


def swapped(a: i64[N]):
    one = {0: 1}
    two = {5: 2}
    for x in a:
        one[x] = one.get(x, 0) + 1
        one, two = two, one
    return one, two


def inputs_swapped(size, rng):
    return (rng.integers(0, 5, size),)


def counters(a: i64[N]):
    seen = Counter()
    for k in range(len(a)):
        more = Counter(a[: k % 3 + 1])
        for x in seen:
            more[x + 1] += seen[x]
        seen = more
    return sorted(seen.items())


def inputs_counters(size, rng):
    return (rng.integers(0, 5, size),)


def states(a: i64[N]):
    reached = defaultdict(int)
    reached[0] = 1
    for x in a:
        after = defaultdict(int)
        for s, c in reached.items():
            after[(s + x) % 7] += c
            after[s * 2 % 7] += 1
        reached = after
    return sorted(reached.items())


def inputs_states(size, rng):
    return (rng.integers(0, 5, size),)


def best_of(a: i64[N]):
    best = {}
    now = {}
    for x in a:
        now[x] = now.get(x, 0) + 1
        if x % 3 == 0:
            best = now.copy()
    return sorted(best.items()), len(now)


def inputs_best_of(size, rng):
    return (rng.integers(0, 9, size),)


def graph_layers(source: i64[M], target: i64[M], n: int):
    links = {i: [] for i in range(n)}
    for s, t in zip(source, target):
        links[s].append(t)
    for _ in range(2):
        after = {i: [] for i in range(n)}
        for i in links:
            for j in links[i]:
                after[j].append(i)
        links = after
    return [len(links[i]) for i in range(n)]


def inputs_graph_layers(size, rng):
    n = size + 1
    return rng.integers(0, n, 2 * size), rng.integers(0, n, 2 * size), n


@dataclass
class State:
    places: list
    weights: list
    x: float


def objects(n: int):
    s = State([1], [0.5], 1.0)
    for i in range(n):
        t = State([], [], s.x / 2 + i)
        for p in s.places[-3:]:
            t.places.append(p + i)
        for w in s.weights[-2:]:
            t.weights.append(w / 2)
        t.places.append(7)
        t.weights.append(s.x)
        s = t
    return s.places, s.weights, s.x


def inputs_objects(size, rng):
    return (size,)


def lists_of_paths(n: int):
    t = ([1], [1.5])
    if n > 1:
        t = ([2, 3], [0.5, 0.25])
    return t


def inputs_lists_of_paths(size, rng):
    return (size,)


def named_fields(a: f64[N]):
    state = {"x": 1.0, "v": 0.5, "n": 0}
    for f in a:
        new = {"x": state["x"] + state["v"], "v": state["v"] + f, "n": state["n"] + 1}
        state = new
    return state


def inputs_named_fields(size, rng):
    return (rng.random(size),)
