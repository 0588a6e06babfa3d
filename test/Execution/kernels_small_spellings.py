"""What small spellings of Python's and NumPy's mean: iterators that are unpacked, counting without an end, cached local functions."""
from __future__ import annotations

import functools
import itertools
import random
from functools import lru_cache

import numpy as np

TARGETS = ("cpu",)
SIZES = (0, 1, 7)


def unpacked_iterators(n: int):
    p, q = zip(*[(1, 2), (3, 4)])
    i, j, k = range(3)
    a, b = map(float, (n, 2))
    c, d = reversed((n, 2))
    return p, q, i, j, k, a, b, c, d


def inputs_unpacked_iterators(size, rng):
    return size,


def unpacked_pairs(n: int):
    pts = []
    for i in range(n + 1):
        pts.append((i, i * 0.5))
    xs, ys = zip(*pts)
    return xs, ys


def inputs_unpacked_pairs(size, rng):
    return size,


def unpacked_made(n: int):
    pts = [(i, i * 0.5) for i in range(n + 1)]
    xs, ys = zip(*pts)
    return np.array(xs), np.array(ys), max(ys), list(xs)


def inputs_unpacked_made(size, rng):
    return size,


def unpacked_lists(n: int):
    pts = [(i, i * 0.5) for i in range(n + 1)]
    xs, ys = map(list, zip(*pts))
    return xs, ys


def inputs_unpacked_lists(size, rng):
    return size,


def counted(n: int):
    s = 0
    for i in itertools.count():
        if i > n:
            break
        if i % 2:
            continue
        s += i
    for j in itertools.count(3, 2):
        s += j
        if j > n:
            break
    for k in itertools.count(1):
        if k * k > n:
            return s, i, j, k


def inputs_counted(size, rng):
    return size,


def range_parts(n: int):
    r = range(1, n, 2)
    t = 0
    for i in r:
        t += i
    return len(r), t, (3 in r), list(r), sum(r), r.start, r.stop, r.step, sum(range(n)), sum(range(5))


def inputs_range_parts(size, rng):
    return size,


def tuple_methods(n: int, x: float):
    t = (n, 2, n)
    return t.count(n), (5, 6).index(6), t.index(2), (1.5, 2.5).count(x)


def inputs_tuple_methods(size, rng):
    return size, rng.random()


def cached_inside(n: int):
    @lru_cache(maxsize=None)
    def f(k):
        return k * 2

    @functools.cache
    def fib(k):
        return k if k < 2 else fib(k - 1) + fib(k - 2)
    return f(n), fib(n)


def inputs_cached_inside(size, rng):
    return size,


def cached_search(a: f64[N]):
    @functools.lru_cache(None)
    def go(i, j):
        if i >= len(a) or j < 0:
            return 0.0
        return max(go(i + 1, j), go(i + 1, j - 1) + a[i])
    return go(0, 2)


def inputs_cached_search(size, rng):
    return rng.random(size),


def random_state(n: int):
    rs = np.random.RandomState(3)
    g = np.random.RandomState(n)
    s = 0.0
    for _ in range(3):
        s += g.rand() + g.randint(5)
    p = np.arange(5)
    rs.shuffle(p)
    return rs.rand(n).shape, rs.randn(2, 2).shape, rs.uniform(size=3).shape, rs.randint(0, 5, 4).max() < 5, s < 20, np.sort(p), rs.normal(0, 1, n).shape, np.sort(rs.permutation(4)), rs.choice(5, 2).shape


def inputs_random_state(size, rng):
    return size,


def cells_of_nothing(A: f64[N, M]):
    s = 0.0
    for x in np.nditer(A):
        s += x * x
    return s


def inputs_cells_of_nothing(size, rng):
    return rng.random((size, size + 1)),


def shuffled(n: int):
    random.seed(n)
    l = [1, 2, 3]
    random.shuffle(l)
    m = list(range(n))
    random.shuffle(m)
    return random.sample(range(10), 3), l, m


def inputs_shuffled(size, rng):
    return size,


def none_or_convolved(a: f64[N], b: f64[N], n: int):
    if n > 0:
        return np.convolve(a, b)
    return None


def inputs_none_or_convolved(size, rng):
    return rng.random(size), rng.random(size), size


def none_or_zeros(a: f64[N], b: f64[N], n: int):
    if n == 0:
        return None
    return np.zeros(n - 1)


def inputs_none_or_zeros(size, rng):
    return rng.random(size), rng.random(size), size


def none_or_two(a: f64[N], n: int):
    m = n - 3
    if m < 0:
        return None
    return np.zeros(m), np.zeros((2, n - 2))


def inputs_none_or_two(size, rng):
    return rng.random(size), size


def none_or_part(a: f64[N], n: int):
    if n < 3:
        return None
    return a[:n - 2] * 2


def inputs_none_or_part(size, rng):
    return rng.random(size), size


def crossed(S: f64[3, 3], A: f64[N, 2]):
    return np.cross(S[:, :2], S), np.cross(S, S[:, :2]), np.cross(A, A[::-1]), np.cross(S[0, :2], S[1, :2]), np.linalg.cross(S, S[::-1])


def inputs_crossed(size, rng):
    return rng.random((3, 3)), rng.random((size, 2))


def averaged(a: f64[N], A: f64[N, 3], n: int):
    weights = np.ones(n)
    if n == 0:
        return None
    return np.average(a, weights=weights), np.average(A, axis=1, weights=np.ones((n, 3))), np.tile(2.0, n), np.tile(1, (2, 3))


def inputs_averaged(size, rng):
    return rng.random(size), rng.random((size, 3)), size


def folded(k: i64[N], a: f64[N]):
    return np.gcd.reduce(-np.abs(k)), np.hypot.reduce(-np.abs(a)), np.bitwise_xor.reduce(k), np.gcd.outer(k, [4, 6]), np.logaddexp.outer(a, a)


def inputs_folded(size, rng):
    return rng.integers(-9, 9, size), rng.random(size)
