"""What Python's tutorial and library reference show: patterns of classes, texts that conditions choose, a list or None,
returns under what never holds."""
from __future__ import annotations

import statistics
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

TARGETS = ("cpu",)
SIZES = (0, 1, 3, 8)


@dataclass
class Point:
    x: int
    y: int


@dataclass
class Line:
    a: Point
    b: Point


class Size(NamedTuple):
    w: int
    h: int


def make_inputs(size, rng):
    return (size,)


def patterns_of_classes(n: int):
    """A field is asked for only of what is of the class."""
    found, total = [], 0.0
    for x in range(4):
        match Point(x, n):
            case Point(x=0, y=0):
                found.append(0)
            case Point(x=0, y=y):
                found.append(y)
            case Point(x=2 | 3, y=_) if x < n:
                found.append(x * 10)
            case Point(x=x, y=1):
                found.append(-x)
            case Size(w=w):
                found.append(w)
            case Point():
                found.append(100)
        match Line(Point(x, n), Point(n, 2)):
            case Line(a=Point(x=1), b=Point(y=2, x=k)):
                found.append(k)
            case Line(b=Point(x=3)):
                found.append(-5)
    match Size(n, 3):
        case Size(w=1):
            kind = "thin"
        case Size(w=w, h=h) if w == h:
            kind = "square"
        case _:
            kind = "other"
    for t in (n, n * 0.5, "text", n > 2):
        match t:
            case bool():
                total += 1
            case int(k) if k > 3:
                total += k
            case float():
                total += t * 2
            case int():
                total += 100
            case _:
                total += 1000
    match n > 2:
        case True:
            total += 0.5
        case False:
            total -= 0.5
    return found, kind, total


def graded(status: int):
    """More than two texts, None among them."""
    match status:
        case 0:
            return "Bad request"
        case 1:
            return "Not found"
        case 3:
            return None
        case 401 | 403:
            return "Not allowed"
        case _:
            return "Something else"


def known_texts(n: int):
    nothing, name, kind, label = "", "Trondheim", "yes" if n > 2 else "", None
    if n > 1:
        label = kind
    return (nothing or name or "x", "x" and "y", nothing and kind, nothing or kind, kind or name, kind and "and", label or "none", "ABC" < "C" < "Pascal" < "Python", "b" >= "ba", "a" <= "a",
            "TestHook".removeprefix("Test"), "a.py".removesuffix(".py"), "ab".removesuffix("c"), "x=1=2".partition("="), "x=1=2".rpartition("="),
            "abc".partition("-"), "abc".rpartition("-"))


def list_or_none(n: int):
    """It is the list itself where it is there."""
    order, rows, found = [], [[i] * i for i in range(n)], []
    rows.append([5])
    for i in range(n):
        order.append(i)
    r = None if n < 3 else order
    if r is not None:
        r.append(7)
    some = rows if n > 2 else None
    if some is not None:
        some[0].append(4)
    for k in range(n):
        cur = []
        for j in range(k):
            cur.append(j)
        last = cur if k > 1 else None
        if last is not None:
            found.append(len(last))
            cur.append(9)
            found.append(last[-1])
    return order, rows, found


def whole_or_none(n: int):
    order = []
    for i in range(n):
        order.append(i)
    return order if n > 2 else None


def never_in_a_loop(n: int):
    """`r != r` never holds of a whole number: nothing is returned there."""
    for i in range(n):
        r = i * 2
        if r != r:
            return None
    return n


def never_in_a_while(n: int):
    r = n
    while r > 1:
        r = r // 2
        if r != r:
            return r
    return [n]


def low_and_high(x: list[float], k: list[int], a: f64[N]):
    return (statistics.harmonic_mean(x), statistics.geometric_mean(x), statistics.harmonic_mean(a), statistics.geometric_mean(a), statistics.median_low(x),
            statistics.median_low(k), statistics.median_high(k))


sizes_low_and_high = (1, 4, 7)


def inputs_low_and_high(size, rng):
    return (rng.random(size) + 0.5).tolist(), [int(v) for v in rng.integers(0, 9, size)], rng.random(size) + 0.5
