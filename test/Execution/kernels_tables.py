"""Dicts whose keys the data tell: counts, places, memos; Counter and defaultdict; in classes; what raises."""
from __future__ import annotations

from collections import Counter, defaultdict
from dataclasses import dataclass
from enum import Enum, auto

import numpy as np

SIZES = (0, 1, 5, 33, 129)
TARGETS = ("cpu", "checked")


def frequencies(words: i64[N]):
    counts = {}
    for w in words:
        counts[w] = counts.get(w, 0) + 1
    best = -1
    most = 0
    for w, c in counts.items():
        if c > most:
            most = c
            best = w
    return best, most, len(counts), counts


def inputs_frequencies(size, rng):
    return (rng.integers(-9, 90, size),)


def two_sum(values: i32[N], target: int):
    seen = {}
    for i, v in enumerate(values):
        if target - v in seen:
            return seen[target - v], i
        seen[v] = i
    return -1, -1


def inputs_two_sum(size, rng):
    return rng.integers(0, 100, size).astype(np.int32), 77


def counted(a: i64[N]):
    c = Counter(a)
    total = 0
    for k in c:
        total = total * 3 + k * c[k]
    c[3] += 2
    c.update(a[:2])
    return total, c[1000], c.most_common(2), c


def inputs_counted(size, rng):
    return (rng.integers(-9, 9, size),)


def grouped(k: i64[N], x: f64[N]):
    sums = defaultdict(float)
    n = defaultdict(int)
    for i in range(len(k)):
        sums[k[i]] += x[i]
        n[k[i]] += 1
    means = {g: sums[g] / n[g] for g in sums}
    for g in means:
        means[g] *= 2.0
    return means, sorted(means), sorted(n.items())


def inputs_grouped(size, rng):
    return rng.integers(-9, 9, size), rng.random(size)


def of_pairs(a: i64[N], b: i64[N]):
    joint = {}
    for x, y in zip(a, b):
        joint[x, y] = joint.get((x, y), 0) + 1
    h = 0.0
    for key, c in joint.items():
        h += key[0] * c - key[1]
    return h, joint, (1, 2) in joint, sum(joint.values())


def inputs_of_pairs(size, rng):
    return rng.integers(0, 4, size), rng.integers(0, 4, size)


def window(a: i64[N], width: int):
    inside = {}
    best = 0
    left = 0
    for right in range(len(a)):
        inside[a[right]] = inside.get(a[right], 0) + 1
        while len(inside) > width:
            inside[a[left]] -= 1
            if inside[a[left]] == 0:
                del inside[a[left]]
            left += 1
        best = max(best, right - left + 1)
    last = inside.pop(a[-1]) if len(a) > 0 else 0
    return best, inside, last, inside.pop(3, -1), inside.pop(99, -2.5), len(inside)


def inputs_window(size, rng):
    return rng.integers(0, 7, size), 3


def missing(a: i64[N], k: int):
    d = {}
    for i, x in enumerate(a):
        d[x] = i
    return d[k]


def inputs_missing(size, rng):
    return rng.integers(0, 7, size), 3


def of_floats(a: f64[N]):
    d = {0.0: 0.5}
    for x in a:
        y = round(x * 4) / 4
        d[y] = d.get(y, 0.0) + x
    return list(d.keys()), max(d, key=d.get), np.array(list(d.values()))


def inputs_of_floats(size, rng):
    return (rng.normal(size=size),)


def joined(a: i64[N]):
    where = {x: i for i, x in enumerate(a)}
    other = dict(zip(a, range(len(a))))
    other.update(where)
    other.setdefault(np.int64(1000), 5)
    c = other.copy()
    c.clear()
    return where, other, len(c), not c


def inputs_joined(size, rng):
    return (rng.integers(0, 70, size),)


def on_paths(n: int):
    d = {}
    if n > 2:
        d[1] = 2.5
    else:
        d[2] = 3.5
    e = {i: 0.5 * i for i in range(n)}
    return d, 1 in d, e


def inputs_on_paths(size, rng):
    return (size,)


class Cache:
    def __init__(self):
        self.hits = 0
        self.seen = {}

    def ask(self, k):
        if k in self.seen:
            self.hits += 1
            return self.seen[k]
        self.seen[k] = k * k
        return k * k


def cached(a: i64[N]):
    c = Cache()
    s = 0
    for x in a:
        s += c.ask(x)
    return s, c.hits, len(c.seen)


def inputs_cached(size, rng):
    return (rng.integers(-20, 70, size),)


class State(Enum):
    WELL = auto()
    SICK = auto()
    OVER = auto()


COSTS = {State.WELL: 0.0, State.SICK: 3.0, State.OVER: 0.5}


@dataclass
class Agent:
    x: float
    state: State = State.WELL
    days: int = 0


def of_members(a: f64[N], steps: int):
    """Members of an enumeration as keys, and as what a field is if nothing else is given."""
    agents = [Agent(x) for x in a]
    seen, first, cost = [], {}, 0.0
    for t in range(steps):
        tally = {s: 0 for s in State}
        for g in agents:
            if g.state is State.WELL and g.x * (t + 1) > 0.5:
                g.state = State.SICK
            elif g.state == State.SICK:
                g.days += 1
                if g.days > 1:
                    g.state = State.OVER
            tally[g.state] += 1
            cost += COSTS[g.state]
            if g.state not in first:
                first[g.state] = t
        seen.append((tally[State.WELL], tally[State.SICK], tally[State.OVER]))
    return seen, cost, len(first), first.get(State.OVER, -1)


def inputs_of_members(size, rng):
    return rng.random(size), min(size, 5)
