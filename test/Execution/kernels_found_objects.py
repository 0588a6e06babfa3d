"""Exceptions of the file's own, objects that are None on some paths, `__iter__` of classes, generators of fields, floats that become complex, lists of a known number of lists."""
from __future__ import annotations

import math
from dataclasses import dataclass
from enum import Enum

import numpy as np

TARGETS = ("cpu",)
SIZES = (1, 2, 3, 8)
COMPARES_RAISED = True


class ConvergenceError(Exception):
    """When an iteration does not end."""


class SingularError(ConvergenceError):
    pass


class RangeError(ValueError): ...


def newton(f, slope, x0, tolerance=1e-10, most=20):
    x = x0
    for _ in range(most):
        y = f(x)
        if abs(y) < tolerance:
            return x
        d = slope(x)
        if d == 0:
            raise SingularError
        x = x - y / d
    raise ConvergenceError(f"no root after {most} iterations, at {x:.3f}")


def root(a: float, x0: float):
    if a > 5:
        raise RangeError("too large")
    return newton(lambda x: x ** 2 - a, lambda x: 2 * x, x0)


def inputs_root(size, rng):
    return float(size) - 2, float(size % 3)


class Candidate:
    def __init__(self, x, score):
        self.x = x
        self.score = score


@dataclass
class Path:
    cost: float
    nodes: list


def best_of(xs: f64[N], target: float):
    best = None
    for x in xs:
        c = Candidate(x, (x - target) ** 2)
        if best is None or c.score < best.score:
            best = c
    shortest = None
    for i in range(len(xs)):
        p = Path(xs[i] ** 2, [i, i + 1])
        if shortest is None or p.cost < shortest.cost:
            shortest = p
    if shortest is None:
        return -1.0, 0.0, 0, True
    shortest.cost += 1
    only = Candidate(target, 1.0) if target > 0.5 else None
    return best.x if best is not None else 0.0, shortest.cost, shortest.nodes[1], only is None


def first_above(items, limit):
    for item in items:
        if item.score > limit:
            return item
    return None


def inputs_best_of(size, rng):
    return rng.standard_normal(size), rng.random()


def found(xs: f64[N], limit: float):
    items = [Candidate(k, x) for k, x in enumerate(xs)]
    item, none = first_above(items, limit), first_above(items, 9.0)
    if item is None:
        return -1, none is None
    item.score += 1
    return item.x, none is None


def inputs_found(size, rng):
    return rng.random(size), 0.7


class Mesh:
    def __init__(self, a, b, n):
        self.a, self.b, self.n = a, b, n
        self.marks = [a, b]

    def __iter__(self):
        h = (self.b - self.a) / self.n
        for i in range(self.n + 1):
            yield self.a + i * h

    def __len__(self):
        return self.n + 1

    def squares(self):
        for i in range(self.n):
            yield i * self.n


class Bag:
    def __init__(self, items):
        self.items = items

    def __iter__(self):
        return iter(self.items)


def over_classes(n: int, a: float):
    mesh = Mesh(0.0, a, n)
    total = 0.0
    for x in mesh:
        total += math.sin(x)
    for k in mesh.squares():
        total += k + mesh.n
    bag = Bag([1, 2, n])
    for i, v in enumerate(bag):
        total += i * v
    x, y, _ = bag
    return total, len(mesh), sum(mesh), list(bag), max(x * x for x in mesh), [v + 1 for v in bag], x + y


def inputs_over_classes(size, rng):
    return size, 2.0


def horner(c: f64[N], z: complex):
    p = c[0]
    for k in range(1, len(c)):
        p = p * z + c[k]
    return p


def inputs_horner(size, rng):
    return rng.random(size + 1), complex(rng.random(), rng.random())


def zeros_of(coefficients: f64[N]):
    """Durand and Kerner's steps."""
    n = len(coefficients) - 1
    roots = [(0.4 + 0.9j) ** k for k in range(n)]
    for _ in range(60):
        new = []
        for i in range(n):
            value = 0
            for c in coefficients:
                value = value * roots[i] + c
            under = coefficients[0]
            for j in range(n):
                if j != i:
                    under *= roots[i] - roots[j]
            new.append(roots[i] - value / under)
        roots = new
    return np.sort_complex(np.round(np.array(roots), 8))


sizes_zeros_of = (3, 4, 5)


def inputs_zeros_of(size, rng):
    return (np.arange(1.0, size + 1) * np.where(np.arange(size) % 2, -1, 1),)


def knapsack(capacity: int):
    weights = [3, 4, 2]
    best = [[0.0] * (capacity + 1) for _ in range(len(weights) + 1)]
    for i, w in enumerate(weights, 1):
        for c in range(capacity + 1):
            best[i][c] = best[i - 1][c]
            if w <= c:
                best[i][c] = max(best[i][c], best[i - 1][c - w] + w + 0.5)
    chosen, left, i = [], capacity, len(weights)
    while i > 0:
        if best[i][left] != best[i - 1][left]:
            chosen.append(i - 1)
            left -= weights[i - 1]
        i -= 1
    rows = [[0.0] * capacity, [1.0] * capacity]
    for i in range(1, 2):
        for j in range(capacity):
            rows[i][j] += rows[i - 1][j] + j
    return best[-1][capacity], chosen[::-1], rows


def inputs_knapsack(size, rng):
    return (size,)


class Turn:
    def __init__(self, w, x, y, z):
        self.w, self.x, self.y, self.z = w, x, y, z

    @classmethod
    def about(cls, axis, angle):
        s = math.sin(angle / 2)
        return cls(math.cos(angle / 2), *(a * s for a in axis))


def turned(angle: float):
    t = Turn.about((0.0, 0.6, 0.8), angle)
    return t.w, t.x, t.y, t.z


def inputs_turned(size, rng):
    return (0.3 * size,)


class Link:
    def __init__(self, value, behind=None):
        self.value = value
        self.behind = behind


def chained(n: int):
    """What may be None is handed to a class as it is."""
    head = None
    for i in range(n):
        head = Link(i * i, head)
    total, link = 0, head
    while link is not None:
        total = total * 3 + link.value
        link = link.behind
    return total, head is None


def inputs_chained(size, rng):
    return (size,)


sizes_chained = (0, 1, 5)


class Leaf:
    def __init__(self, value):
        self.value = value
        self.left = None
        self.right = None


class Move(Enum):
    IN = 1
    OUT = 2


@dataclass
class Step:
    kind: Move
    amount: float


def in_order(xs: f64[N], coins: list[int]):
    """Lists and objects asked for their truth together, members of an enumeration in objects, the least of wholes and infinities."""
    root = None
    for x in xs:
        new = Leaf(x)
        if root is None:
            root = new
            continue
        at = root
        while True:
            if x < at.value:
                if at.left is None:
                    at.left = new
                    break
                at = at.left
            else:
                if at.right is None:
                    at.right = new
                    break
                at = at.right
    found, stack, node = [], [], root
    while stack or node:
        while node:
            stack.append(node)
            node = node.left
        node = stack.pop()
        found.append(node.value)
        node = node.right
    total = 0.0
    for x in xs:
        step = Step(Move.IN, x) if x > 0.5 else Step(Move.OUT, 1 - x)
        total += step.amount if step.kind is Move.IN else -step.amount
    least = [0] + [float("inf")] * 7
    for a in range(1, 8):
        least[a] = min((least[a - c] for c in coins if c <= a), default=float("inf")) + 1
    mixed = [0.0] * 3
    for i in range(xs.shape[0]):
        mixed[i % 3] += xs[i]
    return found, total, least[7], least, max(mixed, default=-1.0)


def inputs_in_order(size, rng):
    return rng.random(size), [2, 5][:size] + [3] * (size > 2)
