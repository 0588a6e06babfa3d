"""Lists of lists that change each by itself, dicts of lists, lists with None in them, lists whose items differ: graphs, groups, buckets,
and what of a name only the run knows."""
from __future__ import annotations

from collections import defaultdict, deque

import numpy as np

TARGETS = ("cpu",)
SIZES = (0, 1, 2, 7, 12)


def topological(n: int, edges: i64[E, 2]):
    """Kahn's order, by lists of neighbours; those are looked at and changed in several ways."""
    after = [[] for _ in range(n)]
    degree = [0] * n
    for a, b in edges:
        after[a].append(int(b))
        degree[b] += 1
    queue = deque(i for i in range(n) if degree[i] == 0)
    order = []
    while queue:
        u = queue.popleft()
        order.append(u)
        for v in after[u]:
            degree[v] -= 1
            if degree[v] == 0:
                queue.append(v)
    most = max(after, key=len)
    seen = [sum(row) + len(row) for row in after if row]
    last = -1
    for i, row in enumerate(after):
        if len(row) > 2:
            row[0] += 100
            last = row.pop()
            after[i - 1].extend([7, last])
        if 3 in row:
            row.remove(3)
        row.sort(reverse=True)
    return order, after, most[:2], seen, last, len(order) == n


def inputs_topological(size, rng):
    edges = np.sort(rng.integers(0, size + 1, (3 * size, 2)), axis=1)
    return size + 1, edges[edges[:, 0] < edges[:, 1]]


def shortest(edges: i64[E, 2], start: int):
    """Distances in a graph of which nothing says which nodes it has."""
    graph = defaultdict(list)
    for u, v in edges:
        graph[u].append(v)
        graph[v].append(u)
    far = {start: 0}
    level = [start]
    while level:
        found = []
        for u in level:
            for v in graph[u]:
                if v not in far:
                    far[v] = far[u] + 1
                    found.append(v)
        level = found
    return far, len(graph), sorted(far.values()), {k: len(g) for k, g in graph.items()}


def inputs_shortest(size, rng):
    return rng.integers(0, size + 2, (size, 2)), 0


def grouped(keys: i64[N], x: f64[N]):
    groups = {}
    for k, v in zip(keys, x):
        if k not in groups:
            groups[k] = []
        groups[k].append(v)
    places = {}
    for i in range(len(keys)):
        places.setdefault(int(keys[i]), []).append(i)
    table = []
    for k in sorted(groups):
        g = np.array(groups[k])
        table.append((k, g.mean(), np.median(g), max(groups[k]) - min(groups[k])))
    absent = len(groups.get(77, []))
    if 3 in places:
        del places[3]
    pairs = {}
    for i in range(len(keys)):
        pairs.setdefault(keys[i] % 2, []).append((i, x[i]))
    return table, places, absent, pairs, [len(g) for g in groups.values()]


def inputs_grouped(size, rng):
    return rng.integers(0, 5, size), rng.random(size)


def radix(a: i64[N]):
    numbers = list(a)
    place = 1
    for _ in range(4):
        buckets = [[] for _ in range(10)]
        for x in numbers:
            buckets[(x // place) % 10].append(x)
        numbers = [x for bucket in buckets for x in bucket]
        place *= 10
    return numbers


def inputs_radix(size, rng):
    return (rng.integers(0, 9999, size),)


def triangle(n: int):
    """Rows of several lengths, made by the loop, by comprehensions and one of the others."""
    rows = [[1]]
    for _ in range(n):
        before = rows[-1]
        row = [1]
        for k in range(len(before) - 1):
            row.append(before[k] + before[k + 1])
        row.append(1)
        rows.append(row)
    squares = [[j * j for j in range(i)] for i in range(n)]
    same = rows[0]
    same.append(9)
    rows.insert(1, [5, 6])
    rows[-1] = [n] * 3
    rows[0] += [4]
    gone = rows.pop()
    kept = rows[1:]
    kept.reverse()
    return rows[0], len(rows), kept, squares, gone, [sum(r) for r in rows], sorted(squares, key=len, reverse=True)


def inputs_triangle(size, rng):
    return (size,)


class Graph:
    def __init__(self, n):
        self.near = [[] for _ in range(n)]
        self.parent = [None] * n

    def join(self, a, b, w):
        self.near[a].append((b, w))
        self.near[b].append((a, w))


def spanning(w: f64[N, N], most: float):
    """A tree by Prim's method; who hangs on none has no parent."""
    n = len(w)
    graph = Graph(n)
    for i in range(n):
        for j in range(i):
            if w[i, j] < most:
                graph.join(i, j, w[i, j])
    cost = [float("inf")] * n
    parent = [None] * n
    inside = [False] * n
    for _ in range(n):
        u = min((i for i in range(n) if not inside[i]), key=lambda i: cost[i])
        inside[u] = True
        for v, weight in graph.near[u]:
            if not inside[v] and weight < cost[v]:
                cost[v] = weight
                parent[v] = u
    roots = [i for i in range(n) if parent[i] is None]
    depth = 0
    at = parent[n - 1] if n > 0 else None
    while at is not None:
        depth += 1
        at = parent[at]
    return parent, roots, depth, [len(row) for row in graph.near]


def inputs_spanning(size, rng):
    return rng.random((size, size)), 0.6


def forward(x: f64[N, 3], w1: f64[3, 4], w2: f64[4, 2]):
    """Activations of several shapes; gradients in the other order; stages of a Runge-Kutta step."""
    layers = [(w1, 1.0), (w2, 0.5)]
    kept = [x]
    for w, b in layers:
        x = np.maximum(0, x @ w + b)
        kept.append(x)
    grad = np.ones_like(kept[-1])
    grads = []
    for (w, b), before, after in zip(reversed(layers), reversed(kept[:-1]), reversed(kept[1:])):
        grad = grad * (after > 0)
        grads.append((before.T @ grad, b))
        grad = grad @ w.T
    return grads[::-1], kept[1].sum(), len(kept)


def inputs_forward(size, rng):
    return rng.random((size, 3)), rng.random((3, 4)), rng.random((4, 2))


def simplex(x: f64[N], steps: int):
    """Arrays in a list are replaced."""
    points = [x * 1.0]
    for i in range(len(x)):
        p = x.copy()
        p[i] += 0.5
        points.append(p)
    for k in range(steps):
        scores = [np.sum(p**2) for p in points]
        worst = int(np.argmax(np.array(scores)))
        middle = np.mean(np.array(points), axis=0)
        points[worst] = middle + 0.5 * (middle - points[worst])
        points[0] = points[-1] * 0.5
    return np.array(points)


def inputs_simplex(size, rng):
    return rng.random(size), 5


def inside(px: f64[N], py: f64[N], corners: f64[M, 2]):
    """What is bound in some step is read in a later one."""
    found = np.zeros(len(px), dtype=bool)
    for k in range(len(px)):
        odd = False
        ax, ay = corners[0]
        for i in range(len(corners) + 1):
            bx, by = corners[i % len(corners)]
            if min(ay, by) < py[k] <= max(ay, by) and px[k] <= max(ax, bx):
                if ay != by:
                    cross = (py[k] - ay) * (bx - ax) / (by - ay) + ax
                if ax == bx or px[k] <= cross:
                    odd = not odd
            ax, ay = bx, by
        found[k] = odd
    return found


def inputs_inside(size, rng):
    return rng.random(size), rng.random(size), np.array([[0.1, 0.1], [0.9, 0.2], [0.7, 0.8], [0.2, 0.9]])


def bound_late(a: i64[N], least: int):
    for x in a:
        if x > least:
            first = x
            break
    block = {1, 2, 3} if least > 2 else {1}
    return first, block == {int(v) for v in a[:3]}


def inputs_bound_late(size, rng):
    return rng.integers(0, 5, size), 3


def clusters(x: f64[N, 2], k: int, steps: int):
    centres = x[:k].copy()
    for _ in range(steps):
        labels = np.argmin(np.linalg.norm(x[:, None] - centres, axis=2), axis=1)
        new = np.array([x[labels == j].mean(axis=0) if np.any(labels == j) else centres[j] for j in range(k)])
        if np.allclose(new, centres):
            break
        centres = new
    return centres, sum(((x[labels == j] - centres[j]) ** 2).sum() for j in range(k))


sizes_clusters = (3, 7, 12)


def inputs_clusters(size, rng):
    return rng.random((size, 2)), 3, size - 2
