"""Dicts, dataclasses and named tuples within a function: fields, names that share an object, calls, branches, loops."""
from __future__ import annotations

import collections
import dataclasses
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

TARGETS = ("cpu",)
SIZES = (1, 2, 7)

Pair = collections.namedtuple("Pair", ["first", "second"])
SCALE = {"by": 2.0, "shift": 1}


class Point(NamedTuple):
    """A point."""

    x: float
    y: float = 0.5

    def norm2(self):
        return self.x * self.x + self.y * self.y

    @property
    def swapped(self):
        return Point(self.y, self.x)


@dataclass
class State:
    t: float
    values: np.ndarray
    count: int = 0

    def step(self, dt):
        self.t += dt
        self.values[:] = self.values * 0.5
        self.count += 1
        return self.count


@dataclass(frozen=True)
class Parameters:
    rate: float
    steps: int = 3


def named_tuples(a: f64[N], x: float):
    p = Point(x)
    q = p._replace(y=x + 1.0)
    first, second = q
    r = Pair(second=a, first=p.norm2())
    whole = p + q
    return q.x + q[1], first, second, r.first, r.second.sum(), len(p), whole[3], q.swapped.x, p == (x, 0.5)


def dicts(a: f64[N], x: float, n: int):
    d = {"a": x, "b": a, "n": n}
    d["a"] += 1.5
    d["b"][0] = 3.0
    d["b"] += 1.0
    d["new"] = d["a"] * 2
    e = d
    e["n"] = e["n"] * 2
    k = "a"
    total = 0.0
    for key in d:
        if key != "b":
            total += d[key]
    for key, v in d.items():
        if key == "a":
            d["new"] = 100.0
        if key == "new":
            total += v
    return d["n"], d["a"], d[k], d["new"], len(d), "a" in d, "z" in d, d.get("z", 7), total, d["b"].sum()


def copies(x: float):
    d = {"a": x}
    e = dict(d)
    f = d.copy()
    d["a"] = 5.0
    e.update({"a": x * 3, "b": 1})
    return d["a"], e["a"], f["a"], e["b"], SCALE["by"] * x + SCALE["shift"]


def grow(state, key):
    state[key] = state[key] * 2 + 1
    return state[key]


def helpers(x: float, n: int):
    d = {"x": x, "k": n}
    first = grow(d, "x")
    for i in range(n):
        grow(d, "k")
    return first, d["x"], d["k"]


def make(x, n):
    if n > 2:
        return {"x": x, "k": n}
    return {"x": x * 2, "k": 0}


def returned(x: float, n: int):
    d = make(x, n)
    d["k"] += 1
    return d["x"], d["k"]


def early(d, n):
    if n > 2:
        d["x"] = -1.0
        return 1
    d["x"] += 1.0
    return 2


def early_returns(x: float, n: int):
    d = {"x": x}
    k = early(d, n)
    return k, d["x"]


def branches(x: float, n: int):
    d = {"x": 0.0, "k": 1}
    if x > 0:
        d["x"] = x
        if n > 2:
            d["k"] = n
    else:
        d["x"] = x * 2
    e = {"y": 1.0} if x > 0 else {"y": x}
    return d["x"], d["k"], e["y"]


def loops(a: f64[N], n: int):
    best = {"value": a[0], "at": 0, "seen": 0}
    for i in range(a.shape[0]):
        if a[i] > best["value"]:
            best["value"] = a[i]
            best["at"] = i
        best["seen"] += 1
    k = {"i": 0}
    while k["i"] < n:
        k["i"] += 2
    return best["value"], best["at"], best["seen"], k["i"]


def dataclasses_change(a: f64[N], x: float, n: int):
    s = State(x, a, 2)
    other = s
    for i in range(n):
        other.step(0.25)
    s.count += 10
    t = dataclasses.replace(s, t=1.0)
    t.count = 0
    s.values = a + 1.0
    return s.t, s.count, other.count, t.count, t.values.sum(), s.values.sum()


def frozen(x: float):
    p = Parameters(x)
    q = dataclasses.replace(p, steps=p.steps + 1)
    both = (p, q)
    d = dataclasses.asdict(q)
    return both[1].steps, both[0].rate, d["steps"] + 1


def nested(a: f64[N], x: float):
    d = {"p": Point(x, 2.0), "inner": {"z": 1.0}, "list": [1, 2]}
    inner = d["inner"]
    d["inner"]["z"] += x
    s = State(0.0, a)
    d["s"] = s
    d["s"].count = 4
    return inner["z"], d["p"].y, d["p"].norm2(), s.count, d["list"][1]


def closures(x: float, n: int):
    d = {"hits": 0}

    def hit(v):
        d["hits"] += 1
        return v + d["hits"]

    total = 0.0
    for i in range(n):
        total = total + hit(x)
    return total, d["hits"]


def inputs_named_tuples(size, rng):
    return rng.standard_normal(size), float(rng.standard_normal())


inputs_nested = inputs_named_tuples


def inputs_dicts(size, rng):
    return rng.standard_normal(size), float(rng.standard_normal()), size


inputs_dataclasses_change = inputs_dicts


def inputs_copies(size, rng):
    return (float(rng.standard_normal()),)


inputs_frozen = inputs_copies


def inputs_helpers(size, rng):
    return float(rng.standard_normal()), size


inputs_returned = inputs_early_returns = inputs_branches = inputs_closures = inputs_helpers


def inputs_loops(size, rng):
    return rng.standard_normal(size), size
