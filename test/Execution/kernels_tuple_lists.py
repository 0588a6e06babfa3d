"""Lists of tuples: appended to, unpacked, popped, stored into, sliced, returned, made by comprehensions, sorted."""
from __future__ import annotations

from typing import NamedTuple

import numpy as np

TARGETS = ("cpu",)
SIZES = (0, 1, 2, 7, 12)


def edges_of(a: f64[M, N], t: float):
    """Kruskal's tree."""
    edges = []
    for i in range(a.shape[0]):
        for j in range(i):
            if a[i, j] > t:
                edges.append((a[i, j], i, j))
    edges.sort()
    parent = list(range(a.shape[0]))
    total = 0.0
    tree = []
    for w, i, j in edges:
        x, y = i, j
        while parent[x] != x:
            x = parent[x]
        while parent[y] != y:
            y = parent[y]
        if x != y:
            parent[x] = y
            total += w
            tree.append((i, j))
    return total, tree, len(edges)


def inputs_edges_of(size, rng):
    return np.round(rng.random((size, size)), 1), 0.2


def items(n: int):
    pairs = [(0, 1.5)]
    for k in range(n):
        pairs.append((k, k * 0.5))
    first = pairs[0]
    pairs[-1] = (7, 2.0)
    i, x = pairs[len(pairs) - 1]
    total = 0.0
    for k, (j, y) in enumerate(pairs):
        total += k * j + y
    last = pairs.pop()
    return first, i, x, total, last, pairs[0][1] if pairs else -1.0, len(pairs), pairs[1:], pairs[::-2]


def inputs_items(size, rng):
    return (size,)


def flood(grid: i64[M, N], i: int, j: int):
    """A region by a stack, whose room nothing tells."""
    seen = np.zeros(grid.shape, dtype=np.int64)
    stack = [(i, j)]
    area = 0
    while stack:
        r, c = stack.pop()
        if r < 0 or c < 0 or r >= grid.shape[0] or c >= grid.shape[1]:
            continue
        if seen[r, c] or grid[r, c] == 0:
            continue
        seen[r, c] = 1
        area += 1
        for dr, dc in ((0, 1), (1, 0), (0, -1), (-1, 0)):
            stack.append((r + dr, c + dc))
    return area, seen


def inputs_flood(size, rng):
    return (rng.random((size + 1, size + 2)) < 0.7).astype(np.int64), 0, 1


def breadth_first(n: int, target: int):
    queue = [(0, 0)]
    seen = [False] * (n + 1)
    steps = -1
    while queue:
        at, far = queue.pop(0)
        if at == target:
            steps = far
            break
        if at > n or seen[at]:
            continue
        seen[at] = True
        queue.append((at + 3, far + 1))
        queue.append((at * 2, far + 1))
        if at > 0:
            queue.append((at - 1, far + 1))
    return steps, queue


def inputs_breadth_first(size, rng):
    return size * 3, size * 2


def made(a: f64[N], n: int):
    squares = [(i, a[i]) for i in range(len(a))]
    some = [(i, j, i < j) for i in range(n) for j in range(i) if (i + j) % 3]
    zipped = list(zip(a, range(n)))
    changed = [(x * 2, i) for i, x in enumerate(a) if x > 0.5]
    changed.append((a.sum(), n))
    return squares, some, zipped, changed, sum(x for x, i in changed), [i for x, i in changed]


def inputs_made(size, rng):
    return rng.random(size), size


def sorts(k: i64[N], x: f64[N], n: int):
    pairs = [(k[i], x[i]) for i in range(len(k))]
    up = sorted(pairs)
    down = sorted(pairs, reverse=True)
    by_second = sorted(pairs, key=lambda p: p[1])
    by_first = sorted(pairs, key=lambda p: p[0], reverse=True)
    both = sorted(pairs, key=lambda p: (-p[0], p[1]))
    pairs.sort(key=lambda p: p[1] - p[0])
    return up, down, by_second, by_first, both, pairs


def inputs_sorts(size, rng):
    return rng.integers(0, 4, size), rng.integers(0, 3, size) * 0.5, size


def extremes(k: i64[N], x: f64[N]):
    pairs = [(k[i], x[i]) for i in range(len(k))]
    pairs.append((2, 0.5))
    return min(pairs), max(pairs), max(pairs, key=lambda p: p[1]), min(pairs, key=lambda p: p[0]), (2, 0.5) in pairs, pairs.index((2, 0.5)), pairs.count((2, 0.5)), (9, 0.1) in pairs


def inputs_extremes(size, rng):
    return rng.integers(0, 4, size), rng.integers(0, 3, size) * 0.5


def changes(n: int):
    l = [(i, i * i) for i in range(n)]
    l.insert(0, (5, 5))
    l.insert(n, (6, 6))
    l.insert(-1, (7, 7))
    del l[0]
    if n > 2:
        l.remove((1, 1))
        l[0], l[1] = l[1], l[0]
    l.reverse()
    m = l.copy()
    m.append((0, 0))
    l.extend([(8, 8), (9, 9)])
    l += m
    m.clear()
    return l, m, l == m, l == l.copy(), np.array(l)


def inputs_changes(size, rng):
    return (size,)


def nested(n: int):
    heap = []
    for i in range(n):
        heap.append((i * 0.5, (i, n - i)))
    total = 0
    while heap:
        d, (i, j) = heap.pop()
        total += i * j
        if d > 2.5:
            heap.append((d - 2.5, (j, i)))
    heap.append((0.5, (1, 2)))
    return total, heap


def inputs_nested(size, rng):
    return (size,)


class Step(NamedTuple):
    at: int
    cost: float


def named(n: int):
    steps = []
    for i in range(n):
        steps.append(Step(i, i * 0.25))
    total = 0.0
    for s in steps:
        total += s.cost * s.at
    return total, sum(s.at for s in steps), steps[0].cost if steps else 0.0


def inputs_named(size, rng):
    return (size,)


def push(stack, i, j):
    stack.append((i, j))
    return len(stack)


def in_helpers(n: int):
    stack = []
    for i in range(n):
        if push(stack, i, -i) > 3:
            stack.pop()
    return stack


def inputs_in_helpers(size, rng):
    return (size,)


def each_its_own(a: i64[M, N]):
    """A list in each step of a loop, which grows as it must."""
    out = np.zeros(a.shape[0], dtype=np.int64)
    for i in range(a.shape[0]):
        stack = [(i, 0)]
        while stack:
            r, depth = stack.pop()
            out[i] += 1
            if depth < 3 and a[r, depth % a.shape[1]] > 2:
                stack.append(((r + 1) % a.shape[0], depth + 1))
                stack.append((r, depth + 1))
    return out


def inputs_each_its_own(size, rng):
    return (rng.integers(0, 6, (size, 3)),)


def extended(n: int):
    rows = [(0, 0)]
    rows.extend((i, len(rows)) for i in range(n))
    rows.extend(zip(range(n), range(n)))
    rows.extend((j, i) for i in range(n) for j in range(i) if j % 2)
    return rows, max(rows), sum(a for a, _ in rows)


def inputs_extended(size, rng):
    return (size,)


def rows_of_lists(a: f64[M, N], t: float):
    """Lists of a known length in a list that grows."""
    path = [[0.0, 1.0]]
    found = []
    for i in range(a.shape[0]):
        x, y = path[-1]
        path.append([x + 0.1 * y, y - a[i, 0]])
        if a[i, 0] > t:
            found.append([i, float(a[i, 0]), i * 2])
            found[-1][1] *= 2.0
            found[len(found) - 1][-1] = 7
    path[0][0] = 5.0
    total = 0.0
    for row in found:
        total += row[0] * row[1]
    return np.array(path), path, found, total, len(found), [r[2] for r in found]


def table_of_rows(a: f64[M, N]):
    rows = []
    for i in range(a.shape[0]):
        rows.append([i, a[i, 0]])
    columns = [], []
    xs, ys = [], []
    for i, y in rows:
        xs.append(float(i))
        ys.append(y)
    return np.array(rows) if len(rows) > 0 else np.zeros((0, 2)), np.array([xs, ys]), len(columns)


def inputs_rows_of_lists(size, rng):
    return rng.random((size, 3)), 0.5


def inputs_table_of_rows(size, rng):
    return (rng.random((size, 3)),)
