"""Methods of lists, what is sorted, lists that grow in `while` loops."""
from __future__ import annotations

import heapq
from collections import deque
from heapq import heappush

import numpy as np

TARGETS = ("cpu",)
SIZES = (0, 1, 2, 7, 12)


def ordered(k: i64[N], x: f64[N], n: int):
    l = list(k)
    l.sort()
    m = [v for v in x]
    m.sort(reverse=True)
    own = [(i * 7) % 5 for i in range(n)]
    by = sorted(own, key=lambda v: -v)
    own.sort(key=abs, reverse=True)
    return l, m, own, by, sorted(x), sorted(k, reverse=True), sorted(own), sorted(v % 3 for v in k)


def inputs_ordered(size, rng):
    return rng.integers(-9, 9, size), rng.integers(0, 4, size) * 0.5, size


def inserted(n: int, at: int):
    l = []
    for i in range(n):
        l.insert(at, i)
        l.insert(i // 2, -i)
    l.insert(100, 5)
    l.insert(-100, 6)
    return l, l.index(5), l.count(0), 6 in l, 77 in l


def inputs_inserted(size, rng):
    return size, -2 if size % 2 else 3


def taken_out(n: int):
    l = [i % 5 for i in range(n + 4)]
    a = l.pop(0)
    b = l.pop(-2)
    c = l.pop(1)
    del l[0]
    if 3 in l:
        l.remove(3)
    l.reverse()
    m = l.copy()
    m.append(9)
    del m[-1]
    return l, a, b, c, m == l, m != l, l == [], l == [3], [1, 2] == m


def inputs_taken_out(size, rng):
    return (size,)


def raises(n: int, how: int):
    l = [i for i in range(n)]
    if how == 0:
        return l.pop(3)
    if how == 1:
        return l.index(5)
    if how == 2:
        l.remove(5)
    if how == 3:
        del l[3]
    if how == 4:
        return max(l, key=lambda v: -v)
    if how == 5:
        return l.pop(-9)
    l.append(n)
    return l[-1]


sizes_raises = tuple(range(30))


def inputs_raises(size, rng):
    return size % 5 * 2, size // 5


def floats(x: f64[N], n: int):
    l = [v for v in x]
    l.append(x.sum() * 0 + 0.5)
    return 0.5 in l, l.index(0.5), l.count(0.5), 7.5 in l, l == [v for v in x], any(l), all(l), max(l, key=lambda v: abs(v - 0.7))


def inputs_floats(size, rng):
    return rng.integers(0, 3, size) * 0.5, size


def collatz(n: int):
    path = [n]
    while n != 1:
        n = n // 2 if n % 2 == 0 else 3 * n + 1
        path.append(n)
    return path, len(path), max(path)


def inputs_collatz(size, rng):
    return (size + 1,)


def adaptive(x: float, end: float):
    ts, ys = [0.0], [x]
    t, h = 0.0, 0.1
    while t < end:
        y = ys[-1]
        step = -y * h
        if abs(step) > 0.05:
            h *= 0.5
            continue
        t += h
        h *= 1.2
        ts.append(t)
        ys.append(y + step)
    return np.array(ts), np.array(ys), len(ts)


def inputs_adaptive(size, rng):
    return 1.0, size * 0.25


def roots(low: float, high: float):
    """Bisection by a stack of intervals; what is found in its order."""
    open_, found = [(low, high)], []
    while open_:
        a, b = open_.pop()
        if b - a < 1e-3:
            found.append(0.5 * (a + b))
            continue
        m = 0.5 * (a + b)
        for u, v in ((a, m), (m, b)):
            if np.sin(u) * np.sin(v) <= 0:
                open_.append((u, v))
    found.sort()
    return np.array(found), len(found)


def inputs_roots(size, rng):
    return 0.3, 0.4 + size


def passes_on(n: int):
    """A list of which nothing tells the length goes on into another."""
    l = []
    while n > 0:
        l.append(n % 3)
        n //= 3
    m = []
    for v in l:
        m.append(v * 2)
    m.extend(l)
    twice = np.array(m) * 2
    return m, twice, sum(l), [v for v in m if v > 1]


def inputs_passes_on(size, rng):
    return (size**3 + 1,)


def shortest(w: f64[N, N]):
    """Dijkstra's paths."""
    n = w.shape[0]
    far = [float("inf")] * n
    heap = []
    if n > 0:
        heappush(heap, (0.0, 0))
        far[0] = 0.0
    while heap:
        d, u = heapq.heappop(heap)
        if d > far[u]:
            continue
        for v in range(n):
            if w[u, v] > 0.3:
                there = float(d + w[u, v])
                if there < far[v]:
                    far[v] = there
                    heapq.heappush(heap, (there, v))
    return far


def inputs_shortest(size, rng):
    return (rng.random((size, size)),)


def heaps(k: i64[N], n: int):
    h = [(i * 7) % 5 for i in range(n)]
    heapq.heapify(h)
    first = list(h)
    for x in k:
        heapq.heappush(h, int(x))
    taken = []
    while len(h) > n // 2:
        taken.append(heapq.heappop(h))
    a = heapq.heappushpop(h, 3)
    b = heapq.heapreplace(h, 1) if h else -1
    return first, taken, h, a, b


def inputs_heaps(size, rng):
    return rng.integers(0, 9, size), size


def by_keys(x: f64[N], n: int):
    best = max(range(len(x)), key=lambda i: x[i])
    near = min((1, 5, 9), key=lambda v: abs(v - n))
    ends = dict(zip(("low", "high"), (x.min(), x.max())))
    kinds = dict([(1, 2.0), (5, n * 0.5)])
    small = sorted(range(n), key=lambda i: -x[i])[:2]
    values = [v * 2 for v in x]
    return best, near, ends["high"] - ends["low"], kinds[5], small, np.mean(values), np.sum(values), np.sqrt(values)


def inputs_by_keys(size, rng):
    return rng.random(size + 1), size + 1


def triangle(n: int):
    pairs = [(i, j) for i in range(n) for j in range(i)]
    products = [i * j for i in range(n) for j in range(i, n) if (i + j) % 2]
    return pairs, products, len(pairs)


def inputs_triangle(size, rng):
    return (size,)


def left_empty(n: int):
    a, b = [], [n]
    a.clear()
    b.append(1)
    a.reverse()
    return a, b, len(a)


def inputs_left_empty(size, rng):
    return (size,)


def first_of_few(n: int):
    """Among items that are known at translation."""
    l = [n, 2, n, 3]
    m = [n * 2] * 3
    return l.index(n), l.index(3), l.count(n), m.index(n + n), 2 in m, l == m, l == [n, 2, n, 3]


def inputs_first_of_few(size, rng):
    return (size,)


def turned(n: int, k: int):
    """Who is left of those that stand in a circle, and pairs that go around."""
    circle, order = deque(range(1, n + 1)), []
    while circle:
        circle.rotate(-(k - 1))
        order.append(circle.popleft())
    pairs = deque()
    for i in range(n):
        pairs.append((i, i * 0.5))
        pairs.rotate()
    pairs.rotate(n + 3)
    return order, list(pairs)


def inputs_turned(size, rng):
    return size, 3


def slices_replaced(n: int, a: i64[N]):
    """Slices that are deleted, or get more or fewer items than they have."""
    l = list(range(n))
    l.append(7)
    l[1:3] = [9, 8, 7]
    l[1:1] = [n, n]
    l[len(l):] = a
    l[:2] = []
    l[-2:] = [x * 2 for x in a]
    del l[3:5], l[-1:]
    m = [0]
    for i in range(n):
        m[i:i] = [i, i * 10]
        m[0:1] = m[:2]
        if i % 2:
            m.append(i)
            del m[:2]
    pairs = [(i, i * 0.5) for i in range(n)]
    del pairs[n // 2:]
    z = [1.5, 2.5]
    z.append(3.5)
    z[1:2] = (4.5, 5.5, 6.5)
    z[:] = z[::-1]
    rows = []
    for x in a:
        rows.append([x] * (x % 3))
    return l, m, pairs, z, sum(rows, [])


def inputs_slices_replaced(size, rng):
    return size, rng.integers(0, 9, size)
