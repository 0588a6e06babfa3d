"""Programs that fail at some calls, for --sanitize: CASES has the calls, and what is raised where CPython would not."""
from __future__ import annotations

import math

import numpy as np

TRANSLATE_OPTIONS = ("--sanitize=bounds,arithmetic,memory",)
WIDE = True


# --- bounds


def get(a: f64[:], i: int):
    return a[i]


def item(a: f64[:], i: int):
    return a.item(i)


def put(a: f64[:], i: int, v: float):
    a[i] = v


def update(a: f64[:, :], i: int, j: int):
    a[i, -j] += 1.0


def row(a: f64[:, :], i: int):
    return a[i].sum()


def past_the_end(a: f64[:], n: int):
    s = 0.0
    for i in range(n):
        s += a[i]
    return s


def all_written_before(a: f64[:], k: i64[:]):
    for i in range(k.shape[0]):
        a[k[i]] = i
    a[0] = 100.0


def in_parallel(a: f64[:], k: i64[:]):
    #pragma parallel for
    for i in range(k.shape[0]):
        #pragma atomic
        a[k[i]] += 1.0


def gathered(a: f64[:], k: i64[:]):
    return a[k]


def gathered_rows(a: f64[:, :], k: i32[:]):
    return a[k, 1] * 2.0


def gathered_columns(a: f64[:, :], k: i32[:]):
    return a[:, k]


def scattered(a: f64[:], k: i64[:]):
    a[k] = 1.0


def guarded(a: f64[:], k: i64[:], i: int):
    return i < k.shape[0] and a[k[i]] > 0.0


def chosen(a: f64[:], i: int):
    return a[i] if i < a.shape[0] else -1.0


def search(a: f64[:], v: float):
    i = 0
    while a[i] != v:
        i += 1
    return i


def search_in_time(a: f64[:], v: float):
    i = 0
    while i < a.shape[0] and a[i] != v:
        i += 1
    return i


def first_of_two(a: f64[:], b: f64[:], i: int, j: int):
    return a[i] * b[j]


def steps(a: f64[:], k: i64[:]):
    """A loop of the host, with array work."""
    for t in range(k.shape[0]):
        a[:] = a * 0.5
        a[k[t]] = 1.0
    return a.sum()


def at(a: f64[:], i: int):
    return a[i + 1] - a[i]


def in_helper(a: f64[:], n: int):
    d = np.zeros(a.shape[0])
    for i in range(n):
        d[i] = at(a, i)
    return d.sum()


def nested(a: f64[:, :], k: i64[:]):
    s = 0.0
    for i in range(a.shape[0]):
        for j in range(k.shape[0]):
            if a[i, k[j]] > 0.0:
                s += a[i, k[j]]
            else:
                a[i, 0] = s
    return s


# --- arithmetic


def floor_divided(a: int, b: int):
    return a // b


def modulo_of(a: int, b: int):
    return a % b


def divided(a: int, b: int):
    return a / b


def float_divided(a: float, b: float):
    return a / b + a // b


def float_remainder(a: float, b: float):
    return a % b


def numpys_division(a: i64, b: i64[:]):
    """NumPy only warns."""
    return b // a


def in_loop(a: f64[:], n: int):
    for i in range(a.shape[0]):
        a[i] = 10 // (n - i)


def shifted(a: int, k: int):
    return (a << k) + (a >> k)


def added(a: int, b: int):
    return a + b


def subtracted(a: int, b: int):
    return a - b


def multiplied(a: int, b: int):
    return a * b


def factorial(n: int):
    f = 1
    for i in range(2, n + 1):
        f *= i
    return f


def power_of_integers(a: i64[:], k: i64[:]):
    return a ** k


def power_of_floats(a: float, b: float):
    return a ** b


def with_integer(a: u8[:], k: int):
    return a + k


def stored_integer(a: i8[:], k: int):
    a[0] = k


def made_integer(k: int):
    return np.uint16(k)


def integer_of(x: float):
    return int(x)


def floor_of(x: float):
    return math.floor(x)


def integers_of(a: f64[:]):
    s = 0
    for i in range(a.shape[0]):
        s += int(a[i])
    return s


# --- memory


def one_written(n: int, i: int, j: int):
    t = np.empty(n)
    t[i] = 1.0
    return t[j]


def part_written(n: int, m: int):
    t = np.empty((n, 3))
    for i in range(m):
        t[i, :] = i
    s = 0.0
    for i in range(n):
        s += t[i, 2]
    return s


def updated(n: int):
    t = np.empty(n)
    t += 1.0
    return t


def all_written(n: int):
    t = np.empty(n)
    t[:] = 2.0
    u = np.empty(n)
    for i in range(n):
        u[i] = t[i] * 2.0
    return u


def exchanged(n: int, steps: int):
    a = np.zeros(n)
    b = np.empty(n)
    for _ in range(steps):
        b[1:] = a[:-1] + 1.0
        a, b = b, a
    return a.sum()


def array(*shape):
    return np.arange(1.0, 1.0 + math.prod(shape)).reshape(shape)


BIG = 2 ** 62
PAST = "OverflowError"  # where CPython's integers go on past 64 bits
UNWRITTEN = "RuntimeError"
CASES = [  # (function, arguments...), or a pair of that and what it raises instead
    *[("get", array(10), i) for i in (0, 9, 10, -1, -10, -11, 17, 1 << 40)], ("get", array(0), 0),
    *[("item", array(10), i) for i in (9, -10, -11, 17)],
    *[("put", array(3), i, 1.0) for i in (2, 3, -3, -4)],
    *[("update", array(3, 4), i, j) for i, j in ((0, 4), (2, 5), (3, 1), (-4, 9))],
    *[("row", array(3, 4), i) for i in (2, 3, -4)],
    *[("past_the_end", array(5), n) for n in (0, 5, 6)],
    *[("all_written_before", array(5), np.array(k)) for k in ([0, 1, 4, -5], [0, 5, 1], [1, -6], [1, 1 << 40], [1 << 32])],
    *[("in_parallel", array(5), np.array(k)) for k in ([0, 1, 4, -5], [0, 5, 1], [1, -6])],
    *[(name, array(5), np.array(k, int)) for name in ("gathered", "scattered")
      for k in ([0, 4, -5], [], [0, 5, 7], [1, -6], [1, 1 << 32])],
    *[(name, array(5, 5), np.array(k, np.int32)) for name in ("gathered_rows", "gathered_columns")
      for k in ([0, 4, -5], [0, 5, 7], [1, -6])],
    ("gathered_rows", array(5, 1), np.array([0], np.int32)),
    *[("guarded", array(5), np.array([0, 4, 5]), i) for i in (0, 1, 2, 3, 100)],
    *[("chosen", array(5), i) for i in (4, 5, 6, -6)],
    *[(name, array(5), v) for name in ("search", "search_in_time") for v in (3.0, 9.0)],
    *[("first_of_two", array(3), array(2), i, j) for i, j in ((2, 1), (3, 1), (2, 2), (3, 2))],
    *[("steps", array(5), np.array(k)) for k in ([0, 4], [0, 5, 1])],
    *[("in_helper", array(5), n) for n in (4, 5)],
    *[("nested", array(4, 3), np.array(k)) for k in ([0, 2], [1, 3], [-4])],
    *[(name, a, b) for name in ("floor_divided", "modulo_of", "divided") for a, b in ((7, -2), (7, 0), (0, 0))],
    *[(name, a, b) for name in ("float_divided", "float_remainder") for a, b in ((7.0, -2.0), (7.0, 0.0))],
    *[("numpys_division", np.int64(a), np.array([1, 2, -3])) for a in (0, 2)],
    *[("in_loop", array(4), n) for n in (5, 4, 2, 0)],
    *[("shifted", a, k) for a, k in ((5, 3), (-5, 60), (1, -1), (0, 99))], (("shifted", 1, 63), PAST),
    (("shifted", -5, 62), PAST), ("added", BIG, BIG - 1), (("added", BIG, BIG), PAST), (("added", -BIG, -BIG - 1), PAST),
    ("subtracted", -BIG, BIG), (("subtracted", -BIG, BIG + 1), PAST),
    *[("multiplied", a, b) for a, b in ((3, BIG // 2), (-4, BIG // 2), (0, -BIG), (-1, BIG), (BIG, -2))],
    *[(("multiplied", a, b), PAST) for a, b in ((BIG, 2), (-BIG, 3), (3, -BIG), (1 << 32, 1 << 32), (-BIG, -2))],
    ("factorial", 20), (("factorial", 21), PAST),
    *[("power_of_integers", np.array([2, 3]), np.array(k)) for k in ([3, 0], [1, -1])],
    *[("power_of_floats", a, b) for a, b in ((2.0, -1.0), (0.0, 2.0), (0.0, -1.0))],
    *[("with_integer", np.array([1, 2], np.uint8), k) for k in (3, 255, 256, -1)],
    *[("stored_integer", np.array([1, 2], np.int8), k) for k in (3, -128, 128, -129)],
    *[("made_integer", k) for k in (65535, 65536, -1)],
    *[("floor_of", x) for x in (-2.5, float("nan"), float("inf"))],
    *[("integer_of", x) for x in (-2.5, float("nan"), float("inf"), -float("inf"))], (("integer_of", 1e300), PAST),
    *[("integers_of", np.array(a)) for a in ([1.5, -2.5], [1.5, np.nan], [np.inf, np.nan])],
    ("one_written", 4, 1, 1), (("one_written", 4, 1, 2), UNWRITTEN), ("one_written", 4, 4, 2),
    ("part_written", 4, 4), (("part_written", 4, 3), UNWRITTEN), ("part_written", 0, 0),
    (("updated", 3), UNWRITTEN), ("updated", 0), ("all_written", 5),
    (("exchanged", 4, 1), UNWRITTEN), ("exchanged", 4, 0),
]
