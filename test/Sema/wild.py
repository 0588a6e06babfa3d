# RUN: not %appyc %s -fsyntax-only 2>&1 | FileCheck %s
# Found by scripts/fuzz --wild.
from __future__ import annotations
import numpy as np


def selected_into_one(a: f64[N]):
    a[0] //= a[a > 1]
# CHECK: wild.py:8:{{[0-9]+}}: error: cannot store an array of 1 dimensions into 0


def view_behind_its_loop(a: f64[N, N]):
    for i in range(a.shape[0]):
        row = a[i, :]
    return row
# CHECK: wild.py:15:{{[0-9]+}}: error: `row` is a part of an array, or a tuple, that the loop has chosen


def complex_of_python():
    return (-1.5) ** 0.5


def call(a: f64[N]):
    return complex_of_python()
# CHECK: wild.py:20:{{[0-9]+}}: error: Python's power of a negative number to a fraction is complex


def booleans_to_a_power(m: bool[N], k: int):
    return np.power(m, k), m ** k
# CHECK: wild.py:[[@LINE-1]]:{{[0-9]+}}: error: NumPy's type of booleans to a power depends on the exponent's value


def none_on_a_path(n: int):
    v = {n}
    if n > 3:
        v = None
# CHECK: wild.py:[[@LINE-1]]:{{[0-9]+}}: error: this is None on one path and a set on another; numbers, arrays, and tuples and lists of them, may be None on one
    return v


def type_on_a_path(a: f64[N], n: int):
    f = t = np.float32
    if n > 3:
        f = np.float64
# CHECK: wild.py:[[@LINE-1]]:{{[0-9]+}}: error: the two paths give a type and a type; make them alike
    for i in range(n):
# CHECK: wild.py:[[@LINE-1]]:{{[0-9]+}}: error: `t`, which is a type, changes from one iteration to the next; use two names
        t = np.float64
    return f(n) + t(n)


def method_on_a_path(a: f64[N], n: int):
    f = a.sum
    if n > 3:
        f = a.max
# CHECK: wild.py:[[@LINE-1]]:{{[0-9]+}}: error: the two paths give the method `.max` and the method `.sum`
    return f()


def method_returned(a: f64[N], n: int):
# CHECK: wild.py:[[@LINE-1]]:{{[0-9]+}}: error: `method_returned` returns the method `.sum`; return scalars, arrays, or tuples, lists and dicts of them
    return [a, a.sum]


def list_on_a_path(n: int):
    v = (n, 1)
    if n > 3:
        v = [n, 1]
# CHECK: wild.py:[[@LINE-1]]:{{[0-9]+}}: error: the two paths give a list of 2 and a tuple of 2; make them alike
    return v


def list_that_grows(n: int):
    v = [n, 1]
    w = v
    w += [3]
# CHECK: wild.py:[[@LINE-1]]:{{[0-9]+}}: error: a list that grows in place grows for all of its names; write `a = a + b`
    return len(v)


def list_and_tuple(n: int):
    return len([n, 1] + (2,))
# CHECK: wild.py:[[@LINE-1]]:{{[0-9]+}}: error: a list of 2 cannot be an operand here


def attributes(a: f64[N], n: int):
    b = a.nothing
# CHECK: wild.py:[[@LINE-1]]:{{[0-9]+}}: error: arrays have no method or attribute `.nothing` here; use operators or NumPy's functions
    return n.shape
# CHECK: wild.py:[[@LINE-1]]:{{[0-9]+}}: error: Python's own numbers have no `.shape`; use a function


def bound_by_a_loop_and_by_a_branch(q: f64[N], n: int):
    for k in range(1):
        v = q * 2
    if n > 3:
        for j in range(n):
# CHECK: wild.py:[[@LINE-1]]:{{[0-9]+}}: error: `v` is an array of f64 with 1 dimension(s) before the loop and a scalar of f64 after an iteration
            v = 2.0
    return v


def while_of_what_is_refused(q: f64[N], n: int):
    while n > len(f"{n}"):
# CHECK: wild.py:[[@LINE-1]]:{{[0-9]+}}: error: a text with numbers in it has no len()
        v = q[0]
        n -= 2
    return v


def index_or_mask(q: f64[N]):
    for i in range(1, q.shape[0]):
        k = i % 2 or False
        q[i] = q[k]
# CHECK: wild.py:[[@LINE-1]]:{{[0-9]+}}: error: this index is a bool on one path, which NumPy takes for a mask


def loop_in_a_while_of_what_is_refused(n: int):
    while b"0":
# CHECK: wild.py:[[@LINE-1]]:{{[0-9]+}}: error:
        for v in range(n):
            pass
        n -= 2
    return v


# CHECK: wild.py:[[@LINE+1]]:{{[0-9]+}}: error: `nothing_in_a_tuple` returns a tuple of 0
def nothing_in_a_tuple(x: f64):
    return x.shape


def shown_when_its_name_has_another(a: f64[N], n: int):
    for i in range(n):
        v = a
        a = a.cumsum()
    return v
# CHECK: wild.py:[[@LINE-1]]:{{[0-9]+}}: error: `v` shows an array that the loop's next iteration replaces


def selection_of_another_kind_in_place(a: i64[N]):
    v = a[a > 2]
    v /= 2
# CHECK: wild.py:[[@LINE-1]]:{{[0-9]+}}: error: NumPy cannot store f64 back into an array of i64 in place
    return v


def selection_and_array_in_place(a: f64[N]):
    v = a[a > 2]
    v += a
# CHECK: wild.py:[[@LINE-1]]:{{[0-9]+}}: error: a selection by a mask cannot be combined with a whole array
    return v


def element_of_a_selection(a: f64[N]):
    v = a[a > 2]
    w = v
    w[0] = 5
# CHECK: wild.py:[[@LINE-1]]:{{[0-9]+}}: error: in NumPy this changes what a mask has selected
    return v


def part_of_a_selection_in_place(a: f64[N]):
    v = a[a > 2]
    w = v.reshape(-1)[1:]
    w += 1
# CHECK: wild.py:[[@LINE-1]]:{{[0-9]+}}: error: in NumPy this changes what a mask has selected
    return v


def flat_stores_that_overlap(q: i64[:, :], k: i64[N]):
    q.flat[::-1] = q[0]
# CHECK: wild.py:[[@LINE-1]]:{{[0-9]+}}: error: NumPy reads here what it has just stored
    k.flat[k] = 5
# CHECK: wild.py:[[@LINE-1]]:{{[0-9]+}}: error: NumPy reads here what it has just stored


# What is computed from transposed arrays lies in their order, so that reshape() copies it.
def memory_in_another_order(m: f64[M, N], c: f64[M, N, K]):
    a = 2.0 / m.T
    a.reshape(-1)[3] = 1
# CHECK: wild.py:[[@LINE-1]]:{{[0-9]+}}: error: NumPy gives memory of `a` or a copy here
    d = np.where(m.T > 1, m.T, 0.0)
    d.ravel()[0] += 1
# CHECK: wild.py:[[@LINE-1]]:{{[0-9]+}}: error: NumPy gives memory of `d` or a copy here
    e = np.concatenate((m.T, m.T))
    e.reshape(-1)[3] = 1
# CHECK: wild.py:[[@LINE-1]]:{{[0-9]+}}: error: NumPy gives memory of `{{[a-z]+}}` or a copy here
    f = np.cumsum(m.T, axis=0)
    f.reshape(-1)[3] = 1
# CHECK: wild.py:[[@LINE-1]]:{{[0-9]+}}: error: NumPy gives memory of `{{[a-z]+}}` or a copy here
    g = m[:, np.array([1, 0])] + 1
    g.reshape(-1)[3] = 1
# CHECK: wild.py:[[@LINE-1]]:{{[0-9]+}}: error: NumPy gives memory of `g` or a copy here
    h = c.T.sum(0)
    h.reshape(-1)[3] = 1
# CHECK: wild.py:[[@LINE-1]]:{{[0-9]+}}: error: NumPy gives memory of `h` or a copy here
    i = np.sort(m.T, axis=0)
    i.reshape(-1)[3] = 1
# CHECK: wild.py:[[@LINE-1]]:{{[0-9]+}}: error: NumPy gives memory of `{{[a-z]+}}` or a copy here
    k = np.zeros_like(m.T)
    k.ravel()[0] = 1
# CHECK: wild.py:[[@LINE-1]]:{{[0-9]+}}: error: NumPy gives memory of `k` or a copy here


def array_without_dimensions_in_place(x: float, n: int):
    a = np.asarray(x) if n > 2 else 0.5
    b = a
    b += 1
# CHECK: wild.py:[[@LINE-1]]:{{[0-9]+}}: error: this changes an array without dimensions for all of its names
    c = np.transpose(0.25)
    c /= 2
# CHECK: wild.py:[[@LINE-1]]:{{[0-9]+}}: error: this changes an array without dimensions for all of its names
    d = np.where(n > 2, x, 0.5)
    d += 1
# CHECK: wild.py:[[@LINE-1]]:{{[0-9]+}}: error: this changes an array without dimensions for all of its names
    e = np.zeros((), dtype=np.int64)
    e += 1.5
# CHECK: wild.py:[[@LINE-1]]:{{[0-9]+}}: error: NumPy cannot store f64 back into an array of i64 in place
    return a, b


def complex_power_in_a_loop(n: int):
    for i in range(n):
        v = -1.5
        w = v ** 0.5
# CHECK: wild.py:[[@LINE-1]]:{{[0-9]+}}: error: Python's power of a negative number to a fraction is complex
    return w


def loop_within_a_loop_over_one_name(x: f32[M], n: int):
    for i in x:
        for i in range(n):
# CHECK: wild.py:[[@LINE-1]]:{{[0-9]+}}: error: `i` is f32 on one path and Python's int on another
            pass
        r = i == 2.0
    return r


def rows_of_vectors(m: f64[M, N]):
    return np.matvec(m, m)
# CHECK: wild.py:[[@LINE-1]]:{{[0-9]+}}: error: np.matvec takes an array of 2 dimensions and one of 1


def array_of_an_inner_loop(n: int):
    for i in range(2):
        for j in range(3):
            if n > 1:
                n = np.atleast_1d(0.25)
# CHECK: wild.py:[[@LINE-1]]:{{[0-9]+}}: error: the two paths give an array of f64 with 1 dimension(s) and a scalar of i64
    return n


class Point:
    def __init__(self, x):
        self.x = x


def infinite(a: list[int], b: i64[N]):
    best = float("inf")
    points = []
    for x in a:
        best = min(best, x)
        points.append(Point(x))
    b[0] -= best
# CHECK: wild.py:[[@LINE-1]]:{{[0-9]+}}: error: this number is a whole number or an infinity, as it has begun with one; convert it
    c = best ** 2
# CHECK: wild.py:[[@LINE-1]]:{{[0-9]+}}: error: this computes as Python's int of a whole number and as Python's float of an infinity, which differ; convert
    found = points[0] in points
# CHECK: wild.py:[[@LINE-1]]:{{[0-9]+}}: error: `in` of objects is not translated; write `any(p is q for p in objects)`
    return sorted(points)
# CHECK: wild.py:[[@LINE-1]]:{{[0-9]+}}: error: objects have no order here; write `key=lambda p: p.x`
