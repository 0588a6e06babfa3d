# What dicts, named tuples and dataclasses do not do, each at its line.
# RUN: not %appyc %s -o - 2>&1 | FileCheck %s
from collections import namedtuple
from dataclasses import dataclass, field
from enum import Enum, IntEnum
from typing import NamedTuple, TypedDict

import numpy as np

SHARED = {"a": 1.0}


class Point(NamedTuple):
    x: float
    y: float = 0.5


class Third(dict):
    pass


class Plain:
    limit = []

    def __init__(self, x):
        self.x = x


Plain.limit.append(1.0)


@dataclass
class State:
    t: float
    count: int = 0


@dataclass(frozen=True)
class Fixed:
    t: float


@dataclass
class Made:
    t: float

    def __bytes__(self):
        return b""


@dataclass(order=True)
class Ordered:
    t: float


@dataclass
class Later:
    t: list = field(default_factory=set)


class Color(Enum):
    RED = 1


class Mode(IntEnum):
    FAST = 1

    def twice(self):
        return 2 * self


def unknown_key(x: float) -> float:
    d = {"a": x}
    return d["b"]
    # CHECK: :[[@LINE-1]]:12: error: the dict has no key "b" here, where Python raises KeyError


def computed_key(x: float, y: float) -> float:
    d = {0: x}
    return d[y]
    # CHECK: :[[@LINE-1]]:12: error: the keys of a dict that are computed are all texts here, or whole numbers, or floats, or tuples of as many numbers, not a scalar of f64, too


def made_of_computed(x: float, n: int) -> float:
    d = {"a": x, n: x}
    # CHECK: :[[@LINE-1]]:9: error: the keys of a dict that are computed are all texts here, or whole numbers, or floats, or tuples of as many numbers, not a scalar of i64, too
    return d[0]


def stored_at_computed(x: float, n: int) -> float:
    d = {"a": x}
    d[n] = x
    # CHECK: :[[@LINE-1]]:5: error: the keys of a dict that are computed are all texts here
    return d[0]


def grows_on_a_path(x: float) -> float:
    d = {"a": x}
    if x > 0:
        d["b"] = x
        # CHECK: :[[@LINE-1]]:9: error: the dict gets its key "b" on some paths only, or in a loop; give it a value where the dict is made
    return d["a"]


def grows_in_its_loop(x: float) -> float:
    d = {"a": x}
    for key in d:
        # CHECK: :[[@LINE-1]]:16: error: the dict that the loop runs over gets another key in it, where Python raises RuntimeError
        d["b"] = x
    return d["a"]


def pops(x: float) -> float:
    d = {"a": x}
    return d.popitem()
    # CHECK: :[[@LINE-1]]:12: error: `.popitem` of a dict is not translated; its keys stay those that it is given where it is made


def compared(x: float) -> bool:
    return {"a": x} == {"a": x}
    # CHECK: :[[@LINE-1]]:12: error: dicts and objects are not compared; compare their fields


FILES = {0: 1.0, 1: 2.0}


def changes_the_files_table(x: float, n: int) -> float:
    FILES[n] = x
    # CHECK: :[[@LINE-1]]:5: error: this dict is the file's, which all calls share; make one in the function
    return x


def drops_of_the_files(x: float) -> float:
    if x > 0.5:
        del SHARED["a"]
        # CHECK: :[[@LINE-1]]:13: error: this dict is the file's, which all calls share; make one in the function
    return x


def changes_the_files(x: float) -> float:
    SHARED["a"] = x
    # CHECK: :[[@LINE-1]]:5: error: this dict is the file's, which all calls share; make one in the function
    return x


def no_field(x: float) -> float:
    p = Point(x)
    return p.z
    # CHECK: :[[@LINE-1]]:12: error: `Point` has no field or method `z`


def immutable(x: float) -> float:
    p = Point(x)
    p.x = 2.0
    # CHECK: :[[@LINE-1]]:5: error: a named tuple does not change; write `p = p._replace(x=...)`
    return p.x


def frozen(x: float) -> float:
    p = Fixed(x)
    p.t = 2.0
    # CHECK: :[[@LINE-1]]:5: error: an instance of a frozen dataclass does not change; write `p = dataclasses.replace(p, x=...)`
    return p.t


def new_attribute(x: float) -> float:
    s = State(x)
    s.other = x
    # CHECK: :[[@LINE-1]]:5: error: `State` has no field `other`; attributes are not added to instances
    return s.t


def missing(x: float) -> float:
    s = State()
    # CHECK: :[[@LINE-1]]:9: error: `State` misses its argument `t`
    return x


def inherits(x: float) -> float:
    return Third(x).x
    # CHECK: :[[@LINE-1]]:12: error: the class `Third` is not translated: a class is translated if it is a `typing.NamedTuple`, a `TypedDict` or a `@dataclass`, or has an `__init__` that assigns its attributes; its base may be another such class of the file


def no_numbers(n: int) -> bool:
    return n < 2 and Color.RED < 2
    # CHECK: :[[@LINE-1]]:22: error: members of an `Enum` have no order; compare them by `==`, or write `enum.IntEnum`


def numbers_with_methods(n: int) -> bool:
    return n == Mode.FAST
    # CHECK: :[[@LINE-1]]:17: error: the class `Mode` is not translated: methods of an enumeration are functions of its members; write them so


def plain(x: float) -> float:
    return Plain(x).x
    # CHECK: :[[@LINE-1]]:12: error: the class `Plain` is not translated: the file may change what `limit` of it stands for, which all instances share; make it a field, `self.limit = ...` in `__init__`


def equal_by_its_own(x: float) -> float:
    return Made(x).t
    # CHECK: :[[@LINE-1]]:12: error: the class `Made` is not translated: its method `__bytes__` has a meaning of its own


def ordered(x: float) -> float:
    return Ordered(x).t
    # CHECK: :[[@LINE-1]]:12: error: the class `Ordered` is not translated: `order=True` of `@dataclass` is not translated


def factory(x: float) -> float:
    return Later().t[0]
    # CHECK: :[[@LINE-1]]:12: error: the class `Later` is not translated: the default of the field `t` is no constant number


def another_object(x: float, n: int) -> float:
    s = State(x)
    first = s
    for i in range(n):
        s = State(s.t + 1.0)
    return s.t + first.t
    # CHECK: :[[@LINE-1]]:18: error: `first` is an object that has another name from the loop's next iteration on; use that


def other_fields(x: float) -> float:
    if x > 0:
        d = {"a": x}
    else:
        d = {"b": x}
        # CHECK: :[[@LINE-1]]:9: error: the two paths give a dict and a dict with other fields, or in another order; make them alike
    return 1.0


def changes_inside(x: float) -> float:
    s = State(x)

    def step():
        s.count += 1
        return 1.0

    return step() if x > 0 else 2.0
    # CHECK: :[[@LINE-1]]:12: error: the field `count` changes inside an expression that is evaluated on some paths only


def computed_fields(x: float, n: int) -> float:
    P = namedtuple("P", "x", defaults=[x])
    # CHECK: :[[@LINE-1]]:9: error: write `namedtuple("Name", ["x", "y"])`, with constant texts, or a class with the base `typing.NamedTuple`, which has defaults, too
    return x


def twice(x: float):
    d = {"a": x}
    return d, d
    # CHECK: error: `twice` returns a dict twice, which is one object in Python and would be two; return it once


class Options(TypedDict):
    scale: float


def keys_of_the_caller(o: Options) -> int:
    return len(o)
    # CHECK: :[[@LINE-1]]:12: error: the dict is the caller's, which may have its keys in another order, and others


def of_the_caller(s: State) -> State:
    return s
    # CHECK: error: `of_the_caller` returns an object of the caller's


def adds_to_the_callers(o: Options, x: float) -> None:
    o["more"] = x
    # CHECK: :[[@LINE-1]]:5: error: the dict is the caller's, which gets no keys that its type does not name
