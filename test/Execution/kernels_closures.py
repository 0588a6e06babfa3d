"""Lambdas, functions inside functions, comprehensions, generators, `:=`, `del`, starred targets, loops over all indices."""
from __future__ import annotations

import functools
import math
import operator

import numpy as np

TARGETS = ("cpu",)
SIZES = (1, 2, 7)

cube = lambda v: v * v * v


def apply(g, v, times=2):
    for _ in range(times):
        v = g(v)
    return v


def minimum_of(g, low, high):
    best = g(low)
    for i in range(low + 1, high):
        best = min(best, g(i))
    return best


def lambdas(a: f64[N], x: float):
    g = lambda v, by=2.0: v * by + x
    return g(a), g(x, by=3.0), apply(g, x), apply(lambda v: v + a, a), cube(x), (lambda: 7)()


def closures_see_variables(a: f64[N], n: int, x: float):
    s = 0.0

    def add(v):
        return s + v

    for i in range(n):
        s = add(a[i])
    x = x * 2.0
    half = lambda v: v / x
    x = x + 1.0
    return s, half(s), minimum_of(lambda i: (i - 1) * (i - 1) + n, 0, 4)


def defaults_are_early(n: int, x: float):
    y = x
    first = lambda v, y=y: v + y
    y = 10.0
    second = lambda v, y=y: v + y
    return first(1.0), second(1.0), y


def branches_of_closures(a: f64[N], x: float):
    def pick(k):
        if a[k] > x:
            return a[k]
        return x

    total = 0.0
    for k in range(a.shape[0]):
        total += pick(k)

    def fill(value):
        for k in range(a.shape[0]):
            a[k] = value + pick(k)

    fill(1.0)
    return total, a.sum()


def arrays_of_lists(a: f64[N], x: float, n: int):
    b = np.array([y * x + 1 for y in a])
    c = np.array([i * i for i in range(n)])
    d = np.array([[y * z for z in a] for y in a])
    e = np.array([[i + j for j in range(3)] for i in range(n)])
    f = np.array([a * y for y in a])
    return b, c, d, e, f, x


def lists(a: f64[N], n: int):
    squares = [a[i % n] for i in range(n + 20)]
    few = [i * 2 for i in range(3)]
    odd = [v for v in (1, 2, 3, 4, 5) if v % 2 == 1]
    pairs = [(i, j) for i in range(2) for j in range(2) if i <= j]
    s = 0.0
    for y in squares:
        s += y
    return s, len(squares), squares[-1], few[2] + len(odd) + odd[-1], len(pairs) + pairs[1][1], max(few)


def sums(a: f64[N], m: f32[N], k: i64[N], x: float):
    i = 3
    s = sum(y * y for y in a)
    t = sum(y + z for y, z in zip(a, m))
    u = sum(i for i in range(10))
    v = sum(1 for y in a if y > x)
    w = sum(y * z for y in a for z in k)
    return s, t, u, v, w, i, sum((y for y in m), 0.5), sum(p * p for p in (1, 2.5, x))


def any_all(a: f64[N], k: i64[N], x: float):
    return (any(y > x for y in a), all(y > x for y in a), any(i == 3 for i in range(x > 0.5, 9)),
            all(j < 5 for j in k), any(a[i] < a[i - 1] for i in range(1, a.shape[0])),
            all(i < x * 9 for i in range(10**15)), any(a[0] < i for i in range(10**15)))  # what decides is near


def extremes(a: f64[N], k: i64[N], x: float):
    return max(y * x for y in a), min(abs(j) for j in k), max([y - x for y in a]), min(i * i for i in (3, 1, 2))


def assignments_inside(a: f64[N], n: int, x: float):
    count = 0
    while (half := n // 2) > 1:
        n = half
        count += 1
    if (y := x * 2.0) > 1.0:
        count += 1
    z = (p := y + 1.0) + p
    last = 0.0
    s = sum((last := v) * 2.0 for v in a)
    return count, half, y, z, s, last


def unpacked(a: f64[N], n: int, x: float):
    first, *rest = (n, 2, 3)
    *front, back = [x, 1.0, 2.0]
    head, *none = (n,)
    b = a * 2.0
    c = b + 1.0
    del b
    return first, rest[1] + len(rest), front[0] + back, len(none) + head, c


def all_indices(A: f64[N, M], n: int):
    B = np.zeros_like(A)
    for i, j in np.ndindex(A.shape):
        B[i, j] = A[i, j] * 2.0 + i - j
    for (i, j), v in np.ndenumerate(A):
        B[i, j] += v
    s = 0
    for index in np.ndindex(n, 2):
        s += index[0] * 3 + index[1]
    k = -1
    for k, l in np.ndindex(n - 1, 2):
        if k > 2:
            break
        k += 1
    return B, s, k


def items(n: int, x: float):
    total = functools.reduce(lambda p, q: p * q + x, (1.0, 2.0, 3.0))
    plus = functools.reduce(operator.add, [n, 2, 3], 1)
    low, *others = sorted((3, 1, 2), reverse=True)
    return total, plus, low, others[1], tuple(range(3))[2], list(zip((1, 2), (n, 4)))[0][1], operator.mul(n, x)


def make_inputs(size, rng):
    return rng.random(size), float(rng.random())


def inputs_closures_see_variables(size, rng):
    return rng.random(size), size, float(rng.random())


def inputs_defaults_are_early(size, rng):
    return size, float(rng.random())


inputs_items = inputs_defaults_are_early


def inputs_arrays_of_lists(size, rng):
    return rng.random(size), float(rng.random()), size


def inputs_lists(size, rng):
    return rng.random(size), size


def inputs_sums(size, rng):
    return rng.random(size), rng.random(size).astype(np.float32), rng.integers(1, 9, size), float(rng.random())


def inputs_any_all(size, rng):
    return rng.random(size), rng.integers(-9, 9, size), float(rng.random())


inputs_extremes = inputs_any_all


def inputs_assignments_inside(size, rng):
    return rng.random(size), size * 5, float(rng.random())


inputs_unpacked = inputs_assignments_inside


def inputs_all_indices(size, rng):
    return rng.random((size, size + 1)), size


def list_up_to_a_variable(n: int):
    m = n
    m //= len([2 for i in range(m)])
    return m, len([i for i in range(m)])


def inputs_list_up_to_a_variable(size, rng):
    return (size + 3,)


def weighted(x, y, scale=1.0, shift=0):
    return scale * x + 2 * y + shift


def partials(a: f64[N], x: float):
    half = functools.partial(weighted, x, scale=0.5)
    more = functools.partial(half, shift=3)
    power = functools.partial(pow, 2)
    return half(a), more(1), more(2, scale=a), functools.reduce(functools.partial(weighted, shift=1), (1, 2, 3)), power(5)


def inputs_partials(size, rng):
    return rng.random(size), 2.5


def made_of(k, by=1.0):
    scale = k * 2

    def gauss(v):
        return np.exp(-scale * v * v) * by

    return gauss


def twice(g):
    return lambda v: g(g(v))


def returned_functions(a: f64[N], x: float):
    g = made_of(x)
    h = made_of(x + 1.0, by=2.0)
    x = 5.0
    return g(a) + h(a), twice(g)(x), twice(twice(h))(a)


def inputs_returned_functions(size, rng):
    return rng.random(size), 0.25


def kind_of(v):
    if isinstance(v, np.ndarray):
        return 1
    if isinstance(v, bool):
        return 2
    if isinstance(v, (int, np.integer)):
        return 3
    if isinstance(v, float):
        return 4
    if isinstance(v, (complex, np.number)):
        return 5
    if isinstance(v, (list, tuple)):
        return 6
    if isinstance(v, (str, dict)):
        return 7
    return 8


def kinds(a: f64[N], b: f32[N], k: i32[N], n: int, x: float):
    return (kind_of(a), kind_of(a[0]), kind_of(b[0]), kind_of(k[0]), kind_of(n), kind_of(x), kind_of(n > 2), kind_of(1j),
            kind_of(a.sum()), kind_of((n, x)), kind_of([n]), kind_of("a"), kind_of({"n": n}), kind_of(None), kind_of(a[a > 0]),
            kind_of(np.complex128(1j)), isinstance(a[0] > 0, bool), isinstance(n, int) and not isinstance(n, np.generic))


def inputs_kinds(size, rng):
    return rng.random(size), rng.random(size).astype(np.float32), rng.integers(0, 9, size).astype(np.int32), size, 0.5


def without_warnings(a: f64[N], b: f64[N]):
    with np.errstate(divide="ignore", invalid="ignore"):
        r = a / b
        with np.errstate(all="ignore"), np.errstate(over="warn"):
            r = r * 2
    r[~np.isfinite(r)] = 0
    return r


def inputs_without_warnings(size, rng):
    return rng.integers(-1, 2, size).astype(float), rng.integers(-1, 2, size).astype(float)


def list_and_array(a: f64[N], n: int):
    b = [1.0] * n
    b += a * 2
    c = [2.0, 3.0]
    c += np.float64(1)
    return b.sum(), c, a + [0.5] * 1, (1,) + a


def inputs_list_and_array(size, rng):
    return rng.random(size), size


SETTINGS = {"by": 2.0, "times": 3}
LIMIT = 2 * np.pi


def with_settings(v, settings=SETTINGS, limit=LIMIT, pair=(1, 2)):
    for _ in range(settings["times"]):
        v = v * settings["by"] + pair[1]
    return np.minimum(v, limit)


def constant_defaults(a: f64[N], top=LIMIT):
    return with_settings(a), with_settings(a, limit=top * 2)


def inputs_constant_defaults(size, rng):
    return (rng.random(size),)


def labels(x: f64[N, 2], k: int, steps: int):
    centers = x[:k].copy()
    label = None
    for _ in range(steps):
        label = np.abs(x[:, None] - centers[None]).sum(axis=2).argmin(axis=1)
        for j in range(k):
            if np.any(label == j):
                centers[j] = x[label == j].mean(axis=0)
    return centers, label


def inputs_labels(size, rng):
    return rng.random((size + 3, 2)), min(size, 3) + 1, size % 4


def swept(x: f64[N], k: int):
    """Functions that are no numbers, and texts that have a name where they are raised."""
    def sweep(f, g, u):
        if f is None or f == 0:
            f = lambda v: v * 0.5
        if g != 0:
            u = g(u)
        return f(u)
    if k > 2:
        msg = f"{k} is too many for {x}"
        raise ValueError(msg)
    return sweep(None, np.abs, x), sweep(0, np.sin, x), sweep(np.cos, 0, x)


def inputs_swept(size, rng):
    return rng.random(size), size % 4


class Stepper:
    """Functions in fields see the names of the call that has made them."""

    def __init__(self, f, scale):
        self.f = lambda t, u: np.asarray(f(t, u), float) * scale
        if isinstance(scale, float):
            self.g = lambda v: v + scale

    def solve(self, u0, n):
        u = np.zeros((n + 1, len(u0)))
        u[0] = u0
        for k in range(n):
            u[k + 1] = u[k] + 0.1 * self.f(0.1 * k, u[k])
        return self.g(u)


def stepped(x: f64[2], k: int, w: float):
    s = Stepper(lambda t, u: [u[1] + t, -u[0]], w)
    return s.solve(x, k), s.g(w)


def inputs_stepped(size, rng):
    return rng.random(2), size % 5, 0.5


def functions_chosen(a: f64[N], x: float):
    count = 0

    def up(v):
        nonlocal count
        count += 1
        return v + 1.0

    def doubled(v, by=2.0):
        return v * by

    f = up if x > 0.5 else doubled
    if a[0] > 0.3:
        g = np.sin
    elif a[0] > 0.1:
        g = cube
    else:
        g = lambda v: v - 1.0
    table = [up, doubled, math.fabs]
    h = table[int(x * 10) % 3]
    s = f(x) + apply(g, x) + (up, doubled)[-1 - int(x * 4) % 2](2.0)
    for v in a:
        k = f if v > x else g
        s += k(v) + table[int(v * 3)](v)
    return s, f(a), g(a), h(-1.5), count


def doubled_or_negated(a: f64[N], x: float):
    def doubled(b):
        b *= 2

    def negated(b):
        b[:] = -b

    def raised(v, by=2.0):
        return v ** by

    def scaled(v, by=3.0):
        return v * by

    p = raised if x > 0.25 else scaled
    a[0] = p(x) + p(v=x, by=1.5)
    f = doubled if x < 0.5 else negated
    f(a)
    f(a[1:])


def tested(a: f64[N], x: float):
    np.testing.assert_allclose(a * 3, a + a + a)
    np.testing.assert_array_equal(a, a.copy(), err_msg="a copy")
    np.testing.assert_equal(len(a), a.size)
    np.testing.assert_array_less(a - 1, a)
    for i in range(a.size):
        np.testing.assert_almost_equal(a[i], a[i] + 1e-9)
        np.testing.assert_allclose(a[i], a[i] + x * 1e-7 * i)
    return x


def tested_whole(a: f64[N], x: float):
    np.testing.assert_array_almost_equal(a, a + np.arange(a.size) * 1e-7, decimal=6)
    np.testing.assert_array_equal(a, x)
