"""Objects in lists whose length the run tells: read, changed through whatever name they have, chosen, ordered, found, shared."""
from __future__ import annotations

import math
from dataclasses import dataclass, replace

import numpy as np

TARGETS = ("cpu",)
SIZES = (0, 1, 2, 7)
COMPARES_RAISED = True


class Particle:
    def __init__(self, x, v, mass=1):
        self.x = x
        self.v = v
        self.mass = mass
        self.alive = True

    def move(self, dt):
        self.x += self.v * dt
        if self.x > 2.5:
            self.v = -self.v
            self.alive = not self.alive

    def energy(self):
        return 0.5 * self.mass * self.v ** 2


class System:
    def __init__(self, n):
        self.particles = []
        self.time = 0.0
        for i in range(n):
            self.particles.append(Particle(i * 0.5, math.cos(i)))

    def step(self, dt):
        for p in self.particles:
            p.move(dt)
        self.time += dt


def simulated(n: int, steps: int):
    s = System(n)
    for _ in range(steps):
        s.step(0.1)
    return [p.x for p in s.particles], sum(p.energy() for p in s.particles), sum(1 for p in s.particles if p.alive), s.time


def inputs_simulated(size, rng):
    return size + 1, 2 * size  # Python's sum of nothing is an int


def pulled(n: int):
    bodies = [Particle(float(i * i % 7), 0.0, 1 + i) for i in range(n)]
    for a in bodies:
        pull = 0.0
        for b in bodies:
            if a is not b:
                pull += b.mass * (b.x - a.x) / ((b.x - a.x) ** 2 + 0.1)
        a.v += 0.01 * pull
    fast = [b for b in bodies if abs(b.v) > 0.001]
    for b in fast:
        b.mass *= 2
    bodies.sort(key=lambda b: -b.x)
    best = bodies[0] if n > 0 else Particle(0.0, 0.0)
    for b in bodies:
        if b.v > best.v:
            best = b
    best.x = 100.0
    first = None
    for b in bodies:
        if b.mass > 3:
            first = b
            break
    if n > 1:
        bodies[0], bodies[-1] = bodies[-1], bodies[0]
        bodies[n // 2].v += 1.5
        bodies[-1] = Particle(7.0, -1.0)
    heaviest = max(bodies, key=lambda b: b.mass).mass if n > 0 else 0
    return [(b.x, b.v, b.mass) for b in bodies], len(fast), heaviest, -1 if first is None else first.mass


def inputs_pulled(size, rng):
    return (size,)


@dataclass
class Body:
    at: np.ndarray
    speed: np.ndarray
    steps: int = 0


def vectors(starts: f64[N, 2], dt: float):
    bodies = []
    for i in range(len(starts)):
        bodies.append(Body(starts[i].copy(), np.zeros(2)))
    total = np.zeros(2)
    for _ in range(3):
        for b in bodies:
            b.speed[1] -= 9.81 * dt
            b.at += dt * b.speed
            b.steps += 1
            if b.at[1] < 0.3:
                b.speed = b.speed * np.array([1.0, -0.5])
    for b in bodies:
        total += b.at * b.steps
    return total, [b.speed[1] for b in bodies]


def inputs_vectors(size, rng):
    return rng.random((size, 2)), 0.05


@dataclass(frozen=True)
class Step:
    cost: float
    to: int


def walked(n: int):
    steps = [Step(1.0 / (1 + i), (i * 3 + 1) % max(n, 1)) for i in range(n)]
    by_place = {}
    for s in steps:
        by_place[s.to] = s
    cheaper = [replace(s, cost=s.cost / 2) for s in steps]
    costs = [by_place[k].cost for k in sorted(by_place)]
    return costs, [s.cost for s in cheaper], min(steps, key=lambda s: s.to).cost


def inputs_walked(size, rng):
    return (size + 1,)


class Node:
    def __init__(self, v):
        self.v = v
        self.next = None
        self.near = []
        self.best = None
        self.at = Point(v, 2.0)

    def note(self, x):
        self.noted = x * self.v


class Point:
    def __init__(self, x, y):
        self.x, self.y = x, y


class Layer:
    def __init__(self, n, scale):
        self.w = np.full(n, scale)
        self.out = None

    def forward(self, x):
        self.x = x
        self.out = np.tanh(x * self.w)
        return self.out

    def back(self, g):
        d = (1 - self.out ** 2) * g
        self.w -= 0.1 * d * self.x
        return d * self.w


def of_nodes(x: f64[N], n: int):
    """Fields that are None at first, that are lists, other objects, arrays of the caller's sizes, or have no value before a call."""
    nodes = [Node(i * 1.5) for i in range(n)]
    for i in range(n - 1):
        nodes[i].next = nodes[i + 1]
        nodes[i].near.append(i + 1)
        nodes[i + 1].near.append(i)
    for a in nodes:
        a.note(2.0)
        a.at.x += a.noted
        for k in a.near:
            if a.best is None or nodes[k].v > a.best:
                a.best = nodes[k].v
    total, steps = 0.0, 0
    for a in nodes:
        if a.next is not None:
            a.next.at = Point(total, a.at.y)
            total += a.next.v + len(a.next.near)
        if a.best is not None:
            total += a.best * 10
    if n > 0:
        cur = nodes[0].next
        while cur is not None:
            cur.v += 1.0
            cur = cur.next
            steps += 1
    layers = []
    for i in range(n):
        layers.append(Layer(len(x), 0.5 + i))
    h = x * 1.0
    for l in layers:
        h = l.forward(h)
    g = h - 1
    for l in reversed(layers):
        g = l.back(g)
    return total, steps, [a.v for a in nodes], [a.at.x + a.at.y for a in nodes], [len(a.near) for a in nodes], h, g


def inputs_of_nodes(size, rng):
    return rng.random(size + 1), size
