"""`nonlocal`, `match`, `**others`, `map`, dicts that change their keys, and classes with bases, operators and constants."""
from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import ClassVar, Optional

import numpy as np
import numpy.typing as npt


def counted(a: f64[N]):
    count, total = 0, 0.0

    def visit(x):
        nonlocal count, total
        count += 1
        total += x
        return count

    for x in a:
        if x > 0.3:
            visit(x)
    return visit(2.0) + visit(1.0), count, total


def cells_of_two(n: int, x: float):
    k = 0

    def add(by):
        nonlocal n
        n += by

    def outer(y):
        z = y

        def inner():
            nonlocal z, k
            z, k = z * 2, k + 1

        inner()
        inner()
        return z

    def own(k):
        k += 1
        return k

    if x > 0.5:
        add(10)
    for add_n in range(3):
        add(add_n)
    return n, outer(3), k, own(5), sum(n for n in (1, 2)), (lambda k: k + 1)(7)


def matched(n: int, x: float):
    match n:
        case 0:
            r = 1.0
        case 1 | 2 | -7:
            r = x
        case -3:
            r = 9.0
        case (5):
            r = 4.5
        case k if k > 5:
            r = k * x
        case _:
            r = -1.0
    match n, int(x):
        case 0, y:
            r += y
        case (1, 2) | (2, 2):
            r += 100
        case [y, 0] if y > 2:
            r += y * 1000
        case (p, q) as both:
            r += p - q + both[0]
    match n % 3:
        case 0:
            r *= 2
        case 1:
            return r + 0.5
    return r


class Limit:
    STEPS = 4


def operation(name, x):
    match name:
        case "square":
            return x * x
        case "negated" | "minus":
            return -x
        case None:
            return 0.0
        case _:
            raise ValueError("unknown") from None


def matched_texts(x: float, n: int):
    s = 0.0
    for i in range(n):
        match i:
            case Limit.STEPS:
                break
            case 1:
                continue
        s += i
    return operation("square", x) + operation("minus", x), operation(None, x), s


def scaled(a, *rest, k=1, **others):
    s = a * others.get("scale", 2.0) + k + len(rest)
    for v in others.values():
        s = s + v
    return (s - others["shift"] * 10 if "shift" in others else s), len(others)


def passed(a, **options):
    return scaled(a, 1, 2, **options)[0]


def others(a: f64[N], n: int):
    p = {"scale": 3.0, "shift": n}
    return scaled(a), scaled(a, scale=2.0, shift=1), scaled(a, **p), passed(a, shift=3, k=4), dict(**p, c=2)


def square(x):
    return x * x


def mapped(a: f64[N], n: int):
    return (list(map(square, [1, 2, n])), list(map(lambda x, y: x + y, (1, 2), (3, n))), sum(map(abs, a)),
            list(filter(lambda t: t > 0.5, a)), max(map(float, (1, n))), any(map(lambda t: t > 0.9, a)), math.hypot(1, 2, n))


def over_generators(a: f64[N], n: int):
    s = 0.0
    for x in map(abs, a):
        s += x
        if s > 2:
            break
    for y in (k * k for k in range(n) if k % 2):
        s += y
    for i, z in map(lambda t: (1, t), a):
        s += i * z
    return s


def ranks_in_comments(a: npt.NDArray[np.float64],  # (N, M)
                      b: npt.NDArray[np.float64],  # 1d
                      n: int) -> npt.NDArray[np.float64]:
    return a[:, 0] * n + b


def keys(x: float, n: int):
    d = {"size": n, "b": 2, 3: x}
    del d["size"]
    taken = d.pop("b"), d.pop("none", 7), d.setdefault("c", 3), d.setdefault(3, 9.0)
    e = {k: 0.0 for k in range(3)}
    e[1] += x
    g = {name: i * x for i, name in enumerate(("a", "b"))}
    h = {k: v * 2 for k, v in g.items() if k != "a"}
    t = {name: f(x) for name, f in [("sin", np.sin), ("exp", np.exp)]}
    return taken, d, e, g, h, t["exp"], n in {1, 2, 3}, n not in {5, n}


@dataclass
class Shape:
    x: float
    y: float = 1.0

    def area(self):
        return 0.0

    def twice(self):
        return 2 * self.area()


@dataclass
class Circle(Shape):
    r: float = 2.0

    def area(self):
        return math.pi * self.r ** 2


@dataclass
class Plan:
    n: int
    G: ClassVar[float] = 9.81
    w: float = field(default=2.0)
    items: list = field(default_factory=list)
    s: float = field(init=False)

    def __post_init__(self):
        self.s = self.n * 2.0
        self.t = 5

    @staticmethod
    def half(x):
        return x / 2

    @classmethod
    def unit(cls, k=1):
        return cls(k)

    def fall(self):
        return self.n * self.G + self.half(self.w)


class Spring:
    UNIT = 0.5

    def __init__(self, k):
        self.k = k

    def force(self, x):
        return -self.k * x

    def energy(self, x):
        return self.UNIT * x * -self.force(x)


class Cubic(Spring):
    def __init__(self, k, c):
        super().__init__(k)
        self.c = c

    def force(self, x):
        return super().force(x) - self.c * x ** 3


class Soft(Spring):
    UNIT = 0.25


def classes(x: float, n: int):
    c, plan = Circle(x, 3.0, 1.5), Plan(n)
    plan.items.append(n)
    plan.items.append(4)
    springs = Spring(2.0).energy(x), Cubic(2.0, 0.5).energy(x), Soft(3.0).energy(x)
    return (c.area(), c.twice(), c.x, Shape(x).twice(), isinstance(c, Shape), isinstance(Shape(x), Circle), plan.fall(),
            Plan.half(3.0), Plan.unit().n, plan.s, plan.t, plan.items, springs, Spring.UNIT, Soft.UNIT)


class Vector:
    def __init__(self, x, y):
        self.x = x
        self.y = y

    def __add__(self, other):
        return Vector(self.x + other.x, self.y + other.y)

    def __mul__(self, s):
        return Vector(self.x * s, self.y * s)

    def __rmul__(self, s):
        return self * s

    def __sub__(self, other):
        return self + (-1) * other

    def __neg__(self):
        return Vector(-self.x, -self.y)

    def __len__(self):
        return 2

    def __getitem__(self, i):
        return self.x if i == 0 else self.y

    def __call__(self, t):
        return self.x * t + self.y


def operators(x: float, a: f64[N]):
    v = Vector(x, 2.0)
    v += Vector(1.0, 1.0)
    w = Vector(a, a * 2) * 2.0
    return (v + Vector(1.0, x) * 3.0).y, (2.0 * v - Vector(1.0, 2.0)).y, (-v).x, len(v), v[0], v[1], v(3.0), w.x


def fixed(a: f64[N], mode: str = "sum", k: Optional[int] = None):
    if mode == "sum":
        return a.sum() if k is None else 2.0
    return a.mean()


def iterated(a: f64[N, M]):
    with np.nditer(a, op_flags=["readwrite"]) as it:
        for x in it:
            x[...] = 2 * x
    return a.sum()


TARGETS = ("cpu",)
SIZES = (0, 1, 2, 3, 7)


def make_inputs(size, rng):
    return float(rng.random()) * 3, size


def inputs_matched(size, rng):
    return int(rng.integers(-8, 9)), float(rng.integers(0, 3))


def inputs_cells_of_two(size, rng):
    return size, float(rng.random())


def inputs_counted(size, rng):
    return (rng.random(size),)


inputs_fixed = inputs_counted


def inputs_over_generators(size, rng):
    return rng.random(size) - 0.5, size


def inputs_ranks_in_comments(size, rng):
    return rng.random((size, 2)), rng.random(size), size


def inputs_iterated(size, rng):
    return (rng.random((size + 1, size + 2)),)


def inputs_others(size, rng):
    return rng.random(size), size


def inputs_mapped(size, rng):
    return rng.random(size + 1), size


def inputs_operators(size, rng):
    return float(rng.random()), rng.random(size)
