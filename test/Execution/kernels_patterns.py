"""Patterns of `match` that take values apart: sequences and their rest, classes by position, keys of dicts, names in alternatives."""
from __future__ import annotations

from typing import NamedTuple

import numpy as np

SIZES = (0, 1, 2, 3, 7)


class Circle(NamedTuple):
    r: float


class Box(NamedTuple):
    w: float
    h: float


class Corner:
    __match_args__ = ("a", "b")

    def __init__(self, b, a):
        self.a, self.b = a, b


def area(s):
    match s:
        case Circle(r):
            return 3.0 * r * r
        case Box(w, h) if w == h:
            return w**2
        case Box(w, h=h):
            return w * h
        case Corner(a, 0):
            return a
        case Corner(a, b):
            return a * b / 2


def areas(n: int, x: float):
    return area(Circle(x)), area(Box(x, n + 0.5)), area(Box(x, x)), area(Corner(n, x)), area(Corner(0, x))


def of_lists(n: int):
    items = list(range(n))
    match items:
        case []:
            return -1
        case [a]:
            return a + 50
        case [a, 1, b, *_] if n > 5:
            return a + b + 100
        case [a, *rest, z]:
            return a * len(rest) + sum(rest) + z


def kind(p):
    match p:
        case (0, x) | (x, 0):
            return x
        case ((1 | 2 as k), (3 | -4)) | (k, 7):
            return k * 100
        case (x, y, *rest):
            return x + y + len(rest)
        case {"kind": "point", "at": (x, y)}:
            return x * y
        case {"size": x, 3: y}:
            return x + y
        case str(text):
            return len(text)
        case int():
            return 7
        case _:
            return -1


def kinds(n: int, x: float):
    of_pairs = kind((n, 3)), kind((0, n)), kind((n, 7)), kind((2, -n - 1)), kind([n, 2, 4])
    return of_pairs, kind({"kind": "point", "at": (n, 5)}), kind({"size": n, 3: x, "more": 1}), kind("abc"), kind(n), kind(x), kind((n,))


def total(xs):
    match xs:
        case []:
            return 0
        case [x, *rest]:
            return x + total(rest)
        case _:
            return -1


def find(a, x):
    for i in range(a.shape[0]):
        for j in range(a.shape[1]):
            if a[i, j] == x:
                return i, j
    return None


def of_results(a: i64[N, N], n: int):
    match find(a, n):
        case None:
            at = -1
        case (i, j):
            at = i * 10 + j
    match list(a[0]) if len(a) else []:
        case [first, *_]:
            r = first
        case _:
            r = n
    match n, at:
        case 0, _:
            s = 0
        case first, *others:
            s = first + others[0]
    return at, r, s, total([n, 2, 3])


def commands(n: int):
    stack = []
    for command in [("push", 3), ("push", n), ("add",), ("double",)]:
        match command:
            case ("push", v):
                stack.append(v)
            case ("add",):
                stack.append(stack.pop() + stack.pop())
            case ("double",):
                stack.append(stack[-1] * 2)
    return stack


def inputs_areas(size, rng):
    return size, 1.5


inputs_kinds = inputs_areas


def inputs_of_results(size, rng):
    return rng.integers(0, 5, (size, size)), size


def make_inputs(size, rng):
    return (size,)
