"""Dicts, dataclasses and named tuples: fields, names that share an object, calls, branches, loops, results, parameters."""
from __future__ import annotations

import collections
import dataclasses
from dataclasses import dataclass
from typing import NamedTuple, TypedDict

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


class Options(TypedDict):
    scale: float
    data: f64[:]
    at: Point


@dataclass
class Model:
    weights: f64[K, M]
    bias: f64[K]
    options: Options


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


def whole_number_keys(x: float, n: int):
    d = {0: x, 1: x * 2, "my key": n}
    d[0] += d[1]
    both = {**d, 2: 5.0, 0: d[0] * 10}
    made = dict(both, extra=1)
    total = 0.0
    for k, v in enumerate(both.values()):
        total += k * v
    for key in both:
        if key == 2 or key == "my key":
            total += both[key]
    return d[0], both[0], made["extra"], 2 in both, 3 in both, both["my key"], total, len(made)


def carried(x: float, n: int):
    p = Point(x, 1.0)
    t = (0, (1.0, 2))
    for i in range(n):
        p = p._replace(x=p.x * 0.5, y=p.y + p.x)
        t = (t[0] + i, (t[1][0] * 0.5, i))
    q = Point(0.0, 0.0)
    while q.x < n:
        q = Point(q.x + 1.5, q.x)
    w = (1, (x, 2.5), 3.5)
    d = {"w": w}
    for i in range(n):
        d["w"] = w
        w = (i, (w[1][1], w[1][0]), w[2] + w[1][0])
    return p.x, p.y, t[0], t[1][0], t[1][1], q.y, w, d["w"]


def carried_arrays(a: f64[N], n: int):
    s = (a, 0.0)
    for i in range(n):
        s = (s[0] * 0.5 + 1.0, s[1] + i)
    return s[0], s[1]


def paths(x: float, n: int):
    p = Point(x) if n > 2 else Point(2.0, x)
    if x > 0:
        q = {"v": p.x, "w": 1}
    else:
        q = {"v": p.y, "w": n}
    q["v"] += 1.0
    d = q
    if n > 1:
        d["w"] += 5
    return q["v"], q["w"], p.x


def pairs(x: float):
    d = {"a": x, "b": 2.0}
    d["a"], d["b"] = d["b"], d["a"]
    names = [key for key in d]
    s = State(x, np.zeros(3))
    s.t, (s.count, d["a"]) = 3.0, (4, s.t)
    return d["a"], d["b"], s.t, s.count, sum([v for v in d.values()]), len(names), max(d["a"], d["b"])


def scaled(p: Point, by: float) -> Point:
    return Point(p.x * by, p.y * by)


def moved(p: Point, by):
    return p._replace(x=p.x + by)


def helper_of_class(x: float):
    q = moved(Point(x, 3.0), 2.0)
    first, *rest = q
    return q.x + q.y, first, rest[0], q is None


def returns_dict(a: f64[N], x: float, n: int):
    d = {"sum": a.sum(), "twice": a * 2, "inner": {"n": n, 3: x}}
    d["last"] = (x, a[::2])
    return d


def returns_records(a: f64[N], x: float, n: int):
    return Point(x, 2.0), State(x, a + 1.0, n), [a * 2, x], {"p": Point(y=x, x=1.0)}


def returns_pair(a: f64[N], x: float, n: int):
    s = State(x, a.copy())
    for i in range(n):
        s.step(0.5)
    return s


def takes_point(p: Point, a: f64[N]) -> f64[N]:
    a += p.x
    return a * p.norm2()


def takes_options(o: Options, n: int):
    o["data"][0] = o["scale"]
    total = 0.0
    for i in range(n):
        total += o["data"].sum() * o["at"].x
    return total, o["data"] * 2


def keywords_in_order(x: float, n: int):
    d = dict(z=x, a=n, m=2.5)
    d.update(y=1, b=x)
    o = Options(scale=x, data=np.zeros(2), at=Point(x))
    total = 0.0
    for v in d.values():
        total = total / 2 + v
    return d, total, len(o)


def takes_model(m: Model, x: f64[M]):
    return m.weights @ x + m.bias, m.options["scale"]


def inputs_takes_point(size, rng):
    return Point(float(rng.standard_normal()), 2.0), rng.standard_normal(size)


def inputs_takes_options(size, rng):
    return {"scale": 2.5, "data": rng.standard_normal(size), "at": Point(1.5)}, size


def inputs_takes_model(size, rng):
    options = {"scale": 2.5, "data": rng.standard_normal(size), "at": Point(1.5)}
    return Model(rng.standard_normal((size + 1, size)), rng.standard_normal(size + 1), options), rng.standard_normal(size)


def inputs_named_tuples(size, rng):
    return rng.standard_normal(size), float(rng.standard_normal())


inputs_nested = inputs_named_tuples


def inputs_carried_arrays(size, rng):
    return rng.standard_normal(size), size


def inputs_dicts(size, rng):
    return rng.standard_normal(size), float(rng.standard_normal()), size


inputs_dataclasses_change = inputs_returns_dict = inputs_returns_records = inputs_returns_pair = inputs_dicts


def inputs_copies(size, rng):
    return (float(rng.standard_normal()),)


inputs_frozen = inputs_pairs = inputs_helper_of_class = inputs_copies


def inputs_helpers(size, rng):
    return float(rng.standard_normal()), size


inputs_keywords_in_order = inputs_returned = inputs_early_returns = inputs_branches = inputs_closures = inputs_helpers
inputs_whole_number_keys = inputs_carried = inputs_paths = inputs_helpers


def inputs_scaled(size, rng):
    return Point(1.5, float(rng.standard_normal())), 2.0


def inputs_loops(size, rng):
    return rng.standard_normal(size), size


class Moments:
    """Welford's mean and variance."""

    def __init__(self, start=0):
        self.n = start
        self.mean = self.m2 = 0.0
        self.first, self.last = None, None

    def update(self, x):
        self.n += 1
        d = x - self.mean
        self.mean += d / self.n
        self.m2 += d * (x - self.mean)
        if self.first is None:
            self.first = x
        self.last = x

    @property
    def variance(self):
        return self.m2 / self.n if self.n else 0.0


class Oscillator:
    def __init__(self, x, v, k=1.5):
        self.x = x.copy()
        self.v = v
        self.k = k
        self.steps = 0

    def force(self):
        return -self.k * self.x

    def step(self, dt):
        self.v = self.v + dt * self.force()
        self.x += dt * self.v
        self.steps += 1
        return self


def of_moments(a: f64[N]):
    w = Moments()
    for x in a:
        w.update(x)
    return w.mean, w.variance, w.n, w.first, w.last


def inputs_of_moments(size, rng):
    return (rng.random(size),)


def of_oscillators(x: f64[N], n: int):
    o = Oscillator(x, np.zeros_like(x))
    p = Oscillator(x + 1, x, k=0.5)
    for i in range(n):
        o.step(0.1)
        if i % 2 == 0:
            p.step(0.2)
    return o.x, o.v, p.x, p.steps + o.steps


def inputs_of_oscillators(size, rng):
    return rng.random(size), size


@dataclass
class Body:
    pos: "f64[N]"
    vel: "f64[N]"
    mass: float = 1.0
    steps: int = 0
    last: "f64" = 0.0


@dataclass
class Bodies:
    first: Body
    gap: float


def moves(b: Body, dt: float):
    b.pos += dt * b.vel
    b.steps += 1
    if dt > 0.05:
        b.mass = b.mass * 0.99
        return b.steps
    b.last = b.pos.sum()
    return -1


def inputs_moves(size, rng):
    return Body(rng.random(size), rng.random(size), 2.0, 3), 0.1 if size == 1 else 0.01


def moves_in_loops(b: Body, n: int):
    for k in range(n):
        b.steps += k
        b.vel = b.vel * 0.5 + b.pos
        for i in range(b.pos.shape[0]):
            b.pos[i] += b.vel[i]


def inputs_moves_in_loops(size, rng):
    return Body(rng.random(size), rng.random(size)), size


def moves_inner(p: Bodies, q: Body):
    p.first.steps, q.steps = q.steps, p.first.steps
    p.gap = p.first.pos[0] - q.pos[0]
    q.mass = 0.5


def inputs_moves_inner(size, rng):
    return Bodies(Body(rng.random(size), rng.random(size), steps=4), 1.0), Body(rng.random(size), rng.random(size), steps=9)


class Settings(TypedDict):
    rate: float
    count: int


def sets_items(s: Settings, a: f64[N]):
    s["rate"] *= 0.5
    for x in a:
        if x > s["rate"]:
            s["count"] += 1
    return s["count"] > 2


def inputs_sets_items(size, rng):
    return {"rate": 1.0, "count": 0}, rng.random(size)


@dataclass(frozen=True)
class Vec:
    x: float
    y: float

    def __add__(self, other):
        return Vec(self.x + other.x, self.y + other.y)

    def __mul__(self, by):
        return Vec(self.x * by, self.y * by)

    __rmul__ = __mul__

    @property
    def norm(self):
        return (self.x * self.x + self.y * self.y) ** 0.5


class Network:
    def __init__(self, n):
        self.w = np.full(n, 0.5)

    def forward(self, x):
        self.h = np.tanh(x * self.w)
        self.calls = 1
        return self.h.sum()

    def step(self, x):
        y = self.forward(x)
        self.w -= 0.1 * y * (1 - self.h ** 2) * x
        return y + self.calls


def orbit(steps: int, dt: float):
    p = Vec(1.0, 0.0)
    v = Vec(0.0, 1.0)
    path = np.zeros((steps, 2))
    for i in range(steps):
        v = v + dt * ((-1.0 / p.norm ** 3) * p)
        p = p + v * dt
        path[i] = p.x, p.y
    return path, p.norm


def inputs_orbit(size, rng):
    return size, 0.01


def trained(x: f64[N], epochs: int):
    net = Network(len(x))
    total = 0.0
    for _ in range(epochs):
        total += net.step(x)
    return total, net.step(x * 2)


def inputs_trained(size, rng):
    return rng.random(size), size
