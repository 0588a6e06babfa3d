"""Lists of tuples and lists that grow in `while` loops, on the GPU."""
from __future__ import annotations

import numpy as np

SIZES = (0, 1, 7)


def searched(n: int, target: int):
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
        queue.append((at * 2 + 1, far + 1))
    return steps, len(queue)


def inputs_searched(size, rng):
    return size * 2, size + 1


def edges(a: f64[M, N], t: float):
    found = []
    for i in range(a.shape[0]):
        for j in range(i):
            if a[i, j] > t:
                found.append((a[i, j], i, j))
    found.sort()
    total = 0.0
    for w, i, j in found:
        total += w * (i - j)
    return total, found, [(j, i) for w, i, j in found], max(found, key=lambda e: e[1]) if found else (0.0, 0, 0)


def inputs_edges(size, rng):
    return np.round(rng.random((size, size)), 1), 0.2


def halved(n: int):
    path = [n]
    while n > 1:
        n //= 2
        path.insert(1, n)
    return sum(path), len(path), path.count(1)


def inputs_halved(size, rng):
    return (size * 9,)


def sliced_in_rounds(a: f64[N], n: int):
    items = [0.5] * n
    for k in range(n):
        if a[k] > 0.5:
            items.append(k * 1.5)
    for x in a:
        part = items[::2]
        if len(part) > 1:
            part[0], part[1] = part[1], part[0]
    return items


def inputs_sliced_in_rounds(size, rng):
    return rng.random(size * 6), size * 6
