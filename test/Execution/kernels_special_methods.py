"""Classes with operators of their own: `abs`, `m[i, j] = x`, `in`, `+=`, and integrals of functions by `scipy.integrate.quad`."""
from __future__ import annotations

from typing import NamedTuple

import math

import numpy as np
from scipy.integrate import quad

TARGETS = ("cpu",)
SIZES = (1, 2, 5)


class Vec:
    def __init__(self, x, y):
        self.x, self.y = x, y

    def __add__(self, o):
        return Vec(self.x + o.x, self.y + o.y)

    def __iadd__(self, o):
        self.x += o.x
        self.y += o.y
        return self

    def __isub__(self, o):
        return Vec(self.x - o.x, self.y - o.y)

    def __mul__(self, k):
        return Vec(self.x * k, self.y * k)

    __rmul__ = __mul__

    def __pos__(self):
        return Vec(abs(self.x), abs(self.y))

    def __neg__(self):
        return Vec(-self.x, -self.y)

    def __abs__(self):
        return math.hypot(self.x, self.y)

    def __iter__(self):
        yield self.x
        yield self.y

    def __float__(self):
        return math.hypot(self.x, self.y)

    def __int__(self):
        return int(self.x) + 1

    def __and__(self, o):
        return self.x * o.y - self.y * o.x


HALF = 0.5


class Grid:
    STEPS = [(-1, 0), (1, 0), (0, -1), (0, 1)]
    WEIGHTS = np.array([1, 2, 3, 4]) * HALF
    NAMES = {"up": 0, "down": 1}

    def __init__(self, rows, columns):
        self.rows, self.columns = rows, columns
        self.cells = np.zeros(rows * columns)
        self.stores = 0

    def __getitem__(self, at):
        i, j = at
        return self.cells[i * self.columns + j]

    def __setitem__(self, at, value):
        i, j = at
        self.cells[i * self.columns + j] = value
        self.stores += 1

    def __contains__(self, value):
        for c in self.cells:
            if c == value:
                return True
        return False

    def __len__(self):
        return self.rows


class Series:
    def __init__(self, terms):
        self.terms = terms

    def __getitem__(self, k):
        return self.terms[k]

    def __setitem__(self, k, value):
        self.terms[k] = value


def orbit(n: int, dt: float):
    p, v = Vec(1.0, 0.0), Vec(0.0, 1.0)
    q = p
    drift = Vec(0.0, 0.0)
    for i in range(n):
        v = v + (-dt / abs(p) ** 3) * p
        p += v * dt
        drift -= v * dt
    return p.x, p.y, q.x, q.y, drift.x, abs(+drift), v & p, abs(-p) == abs(q)


def inputs_orbit(size, rng):
    return size * 3, 0.05


def filled(a: f64[N], n: int):
    g = Grid(n, n + 1)
    for i in range(n):
        for j in range(n):
            g[i, j] = a[i] * j
            g[i, j + 1] += 0.5
    g[0, 0] -= g[n - 1, n]
    s = Series(a.copy())
    s[0] = 7.0
    s[-1] *= 2.0
    return g.cells, g.stores, 0.5 in g, 1e9 in g, 1e9 not in g, len(g), s.terms


def inputs_filled(size, rng):
    return rng.standard_normal(size), size


def decaying(x, a, b):
    return a * np.exp(-b * x)


def integrals(a: float, b: float):
    area, off = quad(decaying, 0, 2, args=(a, b))
    backwards = quad(lambda x: x ** 3 - 0.5 * a, 3, -1)[0]
    gauss = quad(lambda x: math.exp(-b * x * x), -np.inf, np.inf)[0]
    tail = quad(decaying, 1.0, np.inf, (a, b))[0]
    head = quad(lambda x: np.exp(x) * a, -np.inf, 0)[0]
    root = quad(lambda x: math.sqrt(x), 0, a)[0]
    kink = quad(lambda x: abs(x - 0.3), 0, 1, epsabs=1e-6, epsrel=1e-6)[0]
    return area, off < 1e-8, backwards, gauss, tail, head, root, kink, quad(math.sin, a, a)


def inputs_integrals(size, rng):
    return float(size), 0.5 + size / 4


def bessel(x: f64[N]):
    out = np.zeros(len(x))
    for i in range(len(x)):
        out[i] = quad(lambda t: np.cos(x[i] * np.sin(t)), 0.0, np.pi)[0] / np.pi  # noqa: B023
    return out


def inputs_bessel(size, rng):
    return (rng.uniform(0, 20, size),)


class Pair(NamedTuple):
    x: float
    y: float

    def __add__(self, o):
        return Pair(self.x + o.x, self.y + o.y)

    def __sub__(self, o):
        return Pair(self.x - o.x, self.y - o.y)

    def __mul__(self, s):
        return Pair(self.x * s, self.y * s)

    __rmul__ = __mul__
    LEAST = 0.5

    def __neg__(self):
        return Pair(-self.x, -self.y)


def swung(n: int, dt: float):
    """A tuple whose class has operators: the others are a tuple's."""
    p, v = Pair(1.0, 0.0), Pair(0.0, 1.0)
    for _ in range(n):
        v += dt * -p
        p = p + v * dt
    d = p - v
    return d.x, d[1], p == v, len(p), tuple(v), Pair.LEAST in (p.x, 0.5)


inputs_swung = inputs_orbit


class Wide(Grid):
    STEPS = Grid.STEPS + [(0, 2)] if HALF else []

    def around(self, i, j):
        total = 0.0
        for k, (di, dj) in enumerate(self.STEPS):
            r, c = i + di, j + dj
            if 0 <= r < self.rows and 0 <= c < self.columns:
                total += self[r, c] * self.WEIGHTS[k % len(self.WEIGHTS)]
        return total


def stepped(rows: int, columns: int, at: int):
    """What a class has for all of its instances: lists, dicts, arrays, expressions of the file's."""
    g = Wide(rows, columns)
    for i in range(rows):
        for j in range(columns):
            g[i, j] = i - j * 2.5
    di, dj = Grid.STEPS[at % 4]
    return [g.around(i, 0) for i in range(rows)], di, dj, Grid.WEIGHTS.sum(), Grid.NAMES["down"], len(Wide.STEPS), abs(Vec(3.0, at) * 2), float(Vec(3.0, at)), int(Vec(3.0, at))


def inputs_stepped(size, rng):
    return size, 3, int(rng.integers(0, 9))


class Stack:
    def __init__(self):
        self.items, self.n = [], 0

    def push(self, x):
        self.items.append(x)
        self.n += 1

    def pop(self):
        self.n -= 1
        return self.items.pop()

    def __len__(self):
        return self.n


class Above:
    def __init__(self, x, least):
        self.x, self.least = x, least

    def __bool__(self):
        return bool(self.x > self.least)


def truths(a: i64[N]):
    s = Stack()
    for x in a:
        s.push(x)
    t = 0
    while s:
        t = t * 3 + s.pop()
    g = Above(t % 5, 2)
    total = sum([Vec(1.0, 2.0), Vec(t, 3.0)], Vec(0.5, 0.0))
    return t, not s, not g, bool(g), 1 if g else 2, 5 if g and t > 3 else 6, not g or t > 3, total.x, sum([Vec(x, 1.0) for x in a], Vec(0.0, 0.0)).x


def inputs_truths(size, rng):
    return (rng.integers(0, 9, size),)
