"""What small spellings of Python's and NumPy's mean: iterators that are unpacked, counting without an end, cached local functions,
what is one of two truth values, names of iterators, copies."""
from __future__ import annotations

import copy
import functools
import itertools
import math
import random
import statistics
import sys
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


def truth_itself(n: int, a: f64[N]):
    """NumPy's truth values are none of Python's two."""
    flags = [True] * (n + 1)
    flags[0] = n is True
    k = 0
    isSmall = k < n
    while isSmall is True:
        flags[k] = k % 3 == 0
        k += 1
        isSmall = k < n
    found = [i for i in range(n + 1) if flags[i] is True]
    return found, isSmall is False, flags[-1] is not True, (a.sum() > 0) is True, a is True


def inputs_truth_itself(size, rng):
    return size, rng.random(size)


def reached(n: int, x: float, bound=float("inf"), scale=2 * np.pi, tiny=sys.float_info.epsilon, root=math.sqrt(2)):  # noqa: B008
    lowest, highest = sys.maxsize, -sys.maxsize - 1
    for k in range(n):
        lowest, highest = min(lowest, k * k), max(highest, k)
    return lowest, highest, min(x * scale, bound), 1.0 + tiny > 1.0, root, sys.float_info.max


def inputs_reached(size, rng):
    return size, float(rng.random())


def halves(x, n):
    while n > 0:
        yield x
        x, n = x / 2, n - 1


def kept_iterators(a: f64[N], b: f64[N], n: int):
    """One that is read once may have a name."""
    points = (i * 0.5 + n for i in range(n))
    total = 0.0
    for p in points:
        total += p * p
    pairs = zip(a, b)
    for x, y in pairs:
        total += x * y
    squares = map(lambda v: v * v, a)
    powers = halves(3.0, n)
    for p in powers:
        total += p
    counted = enumerate(b)
    return total, sum(squares, 0.0), [i * y for i, y in counted]


def inputs_kept_iterators(size, rng):
    return rng.random(size), rng.random(size), size


def other_kinds(A: i64[3, 3], v: i64[3], n: int):
    """Arrays that are of another kind from a loop's first step on."""
    lam = 0.0
    w = v
    for _ in range(n + 1):
        u = A @ w
        w = u / np.linalg.norm(u)
        new = w @ (A @ w)
        if abs(new - lam) < 1e-3 * abs(new):
            break
        lam = new
    z, k = v, 0
    while k < n + 1:
        z = z * 0.5 + 1j
        k += 1
    return new, w, z


def inputs_other_kinds(size, rng):
    return np.array([[41, 4, 20], [4, 26, 30], [20, 30, 50]]), np.array([41, 4, 20]), size


def copied(k: list[int], a: f64[N], n: int):
    first, second, b = copy.copy(k), copy.deepcopy(k), copy.deepcopy(a)
    first.append(n)
    b[:1] = 5.0
    rows = [[0] * n for _ in range(2)]
    others = copy.deepcopy(rows)
    others[0].append(7)
    return first, second, b, rows, others, copy.copy(n)


def inputs_copied(size, rng):
    return [int(i) for i in rng.integers(0, 9, size)], rng.random(size), size


def python_statistics(x: list[float], a: f64[N], k: list[int]):
    return (statistics.mean(x), statistics.mean(a), statistics.fmean(k), statistics.median(x), statistics.median(a), statistics.stdev(x), statistics.stdev(k), statistics.pstdev(a),
            statistics.variance(x), statistics.variance(a), statistics.pvariance(x), statistics.mode(k), statistics.multimode([v % 2 for v in k]),
            statistics.quantiles(a, n=5), statistics.quantiles(k, method="inclusive"), statistics.covariance(a, x), statistics.correlation(a[::-1], a**2 + np.arange(len(a))))


sizes_python_statistics = (2, 7)


def inputs_python_statistics(size, rng):
    return rng.random(size).tolist(), rng.random(size), [int(i) for i in rng.integers(0, 9, size)]


def are_positive(*values: float) -> bool:
    return len(values) > 0 and all(v > 0 for v in values)


def what_they_are(rows: list[list[int]], x: float):
    copies = [list(row) for row in rows]
    return are_positive(x, x - 0.5), are_positive(), isinstance(rows, list), isinstance(copies, (list, tuple)), isinstance(rows, set), not isinstance(rows, int)


def inputs_what_they_are(size, rng):
    return [[1, 2]] * size, float(rng.random())


def whole_numbers_spelled(n: int, k: int, m: int):
    digits = bin(n)[2:]
    spelled = int("ff", 16) + n, int("0b101", 2), int("0o17", 8), int("-zz", 36), int("0x1F", 0), int("1_000", 10), int(" -12 "), int("+7")
    return spelled, int(digits, 2), int(digits[::-1], base=2), int(hex(n), 16), pow(k, n, m), pow(k, -1, 7), pow(k, n, 10**18 + 9), pow(k, -n, -10**18 - 9)


def inputs_whole_numbers_spelled(size, rng):
    return size * 10**12 + 5, 3, 11


def parts_of_constants(n: int):
    l, t = list(range(10)), (1, 2, 3, 4)
    of_generators = next(t for t in (i * (i + 1) // 2 for i in range(1, 1000)) if sum(1 for d in range(1, t + 1) if t % d == 0) > n)
    return l[n:], l[:n], l[n - 2:n + 1], sum(t[n:]), len(t[:-n]), l[-n:], l[::n + 1], of_generators, [x for x in (y for y in range(n) if y % 2) if x > 1]


def inputs_parts_of_constants(size, rng):
    return (size,)


def best_rows(points: i64[N, 2], x: f64[N]):
    far = max(points, key=lambda p: abs(p[0]) + abs(p[1]))
    return far, min(points * 2, key=lambda p: p[1])[0], max(points.tolist(), key=lambda p: p[1] - p[0]), min(range(len(x)), key=x.__getitem__), list(map(x.__getitem__, [0, -1]))


def inputs_best_rows(size, rng):
    return rng.integers(-9, 9, (size + 1, 2)), rng.random(size + 1)
