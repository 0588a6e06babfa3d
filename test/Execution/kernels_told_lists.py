"""Lists of which later statements tell what they hold, whole numbers of Python's and NumPy's that are infinite at first, rows that change
places, arrays that take turns, dicts of tuples with arrays."""
from __future__ import annotations

import heapq
from enum import Enum

import numpy as np

SIZES = (1, 2, 7, 31)


class Side(Enum):
    BUY = 1
    SELL = 2
    HOLD = "h"


def matched(side: i64[N], price: f64[N], quantity: i64[N]):
    """An order book: what one list gets follows from what the other one has, and is asked for before."""
    bids, asks = [], []
    trades = []
    for s, p, q in zip(side, price, quantity):
        if s == 0:
            while q > 0 and asks and asks[0][0] <= p:
                best, left = asks[0]
                t = min(q, left)
                trades.append((best, t))
                q -= t
                if t == left:
                    asks.pop(0)
                else:
                    asks[0] = (best, left - t)
            if q > 0:
                bids.append((p, q))
                bids.sort(key=lambda x: -x[0])
        else:
            while q > 0 and bids and bids[0][0] >= p:
                best, left = bids[0]
                t = min(q, left)
                trades.append((best, t))
                q -= t
                if t == left:
                    bids.pop(0)
                else:
                    bids[0] = (best, left - t)
            if q > 0:
                asks.append((p, q))
                asks.sort()
    return sum(t for _, t in trades), 0.0 + sum(p * t for p, t in trades), bids, asks, trades


def inputs_matched(size, rng):
    return rng.integers(0, 2, size), np.round(rng.random(size) * 5 + 10, 1), rng.integers(1, 10, size)


def waiting(price: f64[N], count: i64[N]):
    """What is taken out before anything is put in keeps its type."""
    queue, heap = [], []
    taken, popped = 0, 0
    for p, k in zip(price, count):
        while queue and queue[0][0] < p:
            taken += queue[0][1]
            queue.pop(0)
        if heap and len(heap) > 2:
            least, far = heapq.heappop(heap)
            popped += least * far
        queue.append((p, k))
        heapq.heappush(heap, (k, len(queue)))
    return taken, popped, queue, heap


def inputs_waiting(size, rng):
    return rng.random(size), rng.integers(0, 9, size)


def distances(weights: i64[N, N], start: int):
    """Dijkstra over NumPy's whole numbers, from an infinity and a 0 of Python's."""
    n = weights.shape[0]
    far = [float("inf")] * n
    before = [-1] * n
    far[start] = 0
    heap = [(0, start)]
    while heap:
        d, u = heapq.heappop(heap)
        if d > far[u]:
            continue
        for v in range(n):
            if weights[u, v] > 0:
                new = d + weights[u, v]
                if new < far[v]:
                    far[v] = new
                    before[v] = u
                    heapq.heappush(heap, (new, v))
    reached = sum(1 for x in far if x != float("inf"))
    return far, before, reached, max(x for x in far if x < float("inf"))


def inputs_distances(size, rng):
    return rng.integers(0, 9, (size, size)) * (rng.random((size, size)) < 0.3), 0


def all_distances(n: int, edges: i64[M, 3]):
    """Floyd's, in lists of lists."""
    far = [[float("inf")] * n for _ in range(n)]
    for i in range(n):
        far[i][i] = 0
    for u, v, w in edges:
        far[u][v] = min(far[u][v], w)
    for k in range(n):
        for i in range(n):
            for j in range(n):
                if far[i][k] + far[k][j] < far[i][j]:
                    far[i][j] = far[i][k] + far[k][j]
    return far


def inputs_all_distances(size, rng):
    return size, np.stack([rng.integers(0, size, 2 * size), rng.integers(0, size, 2 * size), rng.integers(1, 9, 2 * size)], axis=1)


def eliminated(a: f64[N, N], b: f64[N]):
    """Rows of a list of lists change places: the lists themselves do."""
    n = len(b)
    rows = [list(a[i]) + [b[i]] for i in range(n)]
    for i in range(n):
        pivot = max(range(i, n), key=lambda r: abs(rows[r][i]))
        rows[i], rows[pivot] = rows[pivot], rows[i]
        for r in range(i + 1, n):
            f = rows[r][i] / rows[i][i]
            for c in range(i, n + 1):
                rows[r][c] -= f * rows[i][c]
    x = [0.0] * n
    for i in range(n - 1, -1, -1):
        x[i] = (rows[i][n] - sum(rows[i][j] * x[j] for j in range(i + 1, n))) / rows[i][i]
    return x, [rows[i][i] for i in range(n)]


def inputs_eliminated(size, rng):
    size = min(size, 7)
    return rng.random((size, size)), rng.random(size)


def rank_of(a: i64[N, 3]):
    """By rows of bits, which are exchanged and replaced."""
    m = a.tolist()
    rank = 0
    for c in range(3):
        p = -1
        for r in range(rank, len(m)):
            if m[r][c] % 2:
                p = r
                break
        if p < 0:
            continue
        held = m[rank]
        m[rank] = m[p]
        m[p] = held
        for r in range(len(m)):
            if r != rank and m[r][c] % 2:
                m[r] = [x ^ y for x, y in zip(m[r], m[rank])]
        rank += 1
    return rank, m


def inputs_rank_of(size, rng):
    return (rng.integers(0, 2, (size, 3)),)


def in_turns(u: f64[N], steps: int):
    """One of two arrays is read in each step, and the other one written."""
    buffers = [u.copy(), np.zeros_like(u)]
    for t in range(steps):
        now = buffers[t % 2]
        new = buffers[(t + 1) % 2]
        new[1:-1] = now[1:-1] + 0.25 * (now[2:] - 2 * now[1:-1] + now[:-2])
        new[:1] = now[:1]
        new[-1:] = now[-1:]
    buffers[steps % 2] *= 2.0
    return buffers[steps % 2], buffers[0].sum(), buffers[-1][0]


def inputs_in_turns(size, rng):
    return rng.random(size), 5


def classified(x: f64[N, D], y: i64[N]):
    """Tuples with arrays as values of computed keys."""
    model = {}
    for c in np.unique(y):
        here = x[y == c]
        model[c] = (here.mean(axis=0), here.var(axis=0), len(here) / len(x))
    score = np.zeros(len(x))
    for c, (mean, variance, prior) in model.items():
        score += prior * np.exp(-((x - mean) ** 2 / (variance + 1)).sum(axis=1)) * (c + 1)
    first = model[y[0]]
    model[y[0]] = (first[0] * 2, first[1], 0.5)
    return score, len(model), first[2], model[y[0]][0], model[y[0]][2], y[0] in model


def inputs_classified(size, rng):
    return rng.random((size, 3)), rng.integers(0, 4, size)


class SumTree:
    """Sums over ranges: a list that begins with Python's zeros, gets NumPy's numbers and then Python's."""

    def __init__(self, data):
        self.n = len(data)
        self.t = [0] * (2 * self.n)
        for i in range(self.n):
            self.t[self.n + i] = data[i]
        for i in range(self.n - 1, 0, -1):
            self.t[i] = self.t[2 * i] + self.t[2 * i + 1]

    def put(self, p, value):
        p += self.n
        self.t[p] = value
        while p > 1:
            p //= 2
            self.t[p] = self.t[2 * p] + self.t[2 * p + 1]

    def between(self, low, high):
        total = 0
        low += self.n
        high += self.n
        while low < high:
            if low & 1:
                total += self.t[low]
                low += 1
            if high & 1:
                high -= 1
                total += self.t[high]
            low //= 2
            high //= 2
        return total


def ranges(a: i64[N], asked: i64[Q, 2]):
    tree = SumTree(a)
    found = []
    for low, high in asked:
        found.append(tree.between(low, high))
        tree.put(low, 1)
    return found


def inputs_ranges(size, rng):
    return rng.integers(0, 50, size), np.sort(rng.integers(0, size, (5, 2)), axis=1)


def members(side: i64[N], text: i64[N], last: int):
    """Members by their values, and texts in which others are looked for."""
    totals = [0, 0, 0]
    vowels = 0
    letters = ["abcdeabcde"[k] for k in text]
    for s, c in zip(side, letters):
        kind = Side(int(s)) if s < 3 else Side("h")
        if kind is Side.BUY:
            totals[0] += 1
        elif kind == Side.SELL:
            totals[1] += 1
        else:
            totals[2] += 1
        if c in "aeiou" and c not in "xyz":
            vowels += 1
    return totals, vowels, Side(last).name


def inputs_members(size, rng):
    return rng.integers(1, 4, size), rng.integers(0, 10, size), size % 3 + 1


def pairs(n: int):
    """Rows that are written as lists of two: what is taken, put elsewhere and changed is one list."""
    rows = [[i, i + n] for i in range(n)]
    rows[0], rows[-1] = rows[-1], rows[0]
    rows[0][1] += 5
    held = rows[0]
    rows[0] = rows[n // 2]
    rows[n // 2] = held
    held[0] -= 100
    return [row[0] * 1000 + row[1] for row in rows], len(held)


def inputs_pairs(size, rng):
    return (size,)
