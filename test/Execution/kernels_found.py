"""What is sought by a first value that is infinite, found or None, and how natural files pass and rebind lists on the way."""
from __future__ import annotations

import heapq

import numpy as np

TARGETS = ("cpu",)
SIZES = (0, 1, 2, 7)
COMPARES_RAISED = True


def least(nums: list[int], target: int):
    """Whole numbers until nothing is found: then the infinity that it began with."""
    best = float("inf")
    where = -1
    low, high = float("inf"), -np.inf
    for i, v in enumerate(nums):
        if abs(v - target) < best:
            best = abs(v - target)
            where = i
        low, high = min(low, v), max(high, v)
    print(best, low, f"{high}")
    return best, where, low, high, high - low, best // 2, -low, best == float("inf"), low / 2, low + 0.5, [best, high]


def inputs_least(size, rng):
    return rng.integers(-9, 9, size).tolist(), 3


def second(nums: list[int]):
    first = last = float("-inf")
    for v in nums:
        if v > first:
            first, last = v, first
        elif v > last and v != first:
            last = v
    return last


def inputs_second(size, rng):
    return (rng.integers(0, 3, size).tolist(),)


def coins(amount: int, limit: int):
    ways = [float("inf")] * (amount + 1)
    ways[0] = 0
    for c in (3, 5):
        for i in range(c, amount + 1):
            ways[i] = min(ways[i], ways[i - c] + 1)
    return ways, ways[amount] if ways[amount] != float("inf") else -1, max(ways), min(ways), sum(w for w in ways if w < limit)


def inputs_coins(size, rng):
    return size, 9


def routes(n: int, edges: list[tuple[int, int, int]]):
    d = [[float("inf")] * n for _ in range(n)]
    for i in range(n):
        d[i][i] = 0
    for u, v, w in edges:
        d[u][v] = w
    for k in range(n):
        for i in range(n):
            for j in range(n):
                if d[i][k] + d[k][j] < d[i][j]:
                    d[i][j] = d[i][k] + d[k][j]
    return d


def inputs_routes(size, rng):
    return size, [(int(a), int(b), int(w)) for a, b, w in rng.integers(0, max(size, 1), (size, 3))]


def distances(n: int, edges: list[tuple[int, int, float]]):
    """Weights are floats: 0 is one among them, which lists of theirs hold as such."""
    near = {i: [] for i in range(n)}
    for u, v, w in edges:
        near[u].append((v, w))
    far = [float("inf")] * n
    heap = [(0.0, 0)] if n > 0 else []
    if n > 0:
        far[0] = 0.0
    while heap:
        d, u = heapq.heappop(heap)
        for v, w in near[u]:
            if d + w < far[v]:
                far[v] = d + w
                heapq.heappush(heap, (far[v], v))
    return far


def inputs_distances(size, rng):
    return size, [(int(a), int(b), float(w)) for a, b, w in zip(rng.integers(0, max(size, 1), 2 * size), rng.integers(0, max(size, 1), 2 * size), rng.random(2 * size))]


def path(parents: list[int], goal: int):
    if goal >= len(parents):
        return None
    found = []
    while goal >= 0:
        found.append(goal)
        goal = parents[goal]
    return found[::-1] or [-1]


def inputs_path(size, rng):
    return [k - 1 for k in range(size)], size - 1 + size % 2


def pair(nums: list[int], target: int):
    for i in range(len(nums)):
        for j in range(i + 1, len(nums)):
            if nums[i] + nums[j] == target:
                return [i, j]
    return None


def inputs_pair(size, rng):
    return list(range(size)), size


def asked(parents: list[int], goal: int):
    found = path(parents, goal)
    if found is None:
        return -1
    return len(found) + found[0]


inputs_asked = inputs_path


def scaled(a: f64[N], *, times: int = 2, by: float = 0.5):
    return a * times * by + len("two words")


def inputs_scaled(size, rng):
    return (rng.random(size),)


def columns(rows: list[list[int]], points: list[tuple[float, int]]):
    xs, ys = zip(*points)
    by_column = [sum(c) for c in zip(*rows)]
    all_rows = tuple(len(row) for row in rows)
    return by_column, max(xs), ys, ys[1:], all_rows, tuple(sorted(ys)), sum(all_rows)


def inputs_columns(size, rng):
    return [rng.integers(0, 9, 3 + size % 2).tolist() for _ in range(size)], [(float(k), k) for k in range(size + 1)]


def product(a, b):
    return [[sum(x * y for x, y in zip(row, col)) for col in zip(*b)] for row in a]


def lived(grid: list[list[int]], steps: int):
    """Lists of lists that are others in each step."""
    square = [[1, 1], [1, 0]]
    power = [[1, 0], [0, 1]]
    n = steps
    while n > 0:
        if n % 2 == 1:
            power = product(power, square)
        square = product(square, square)
        n //= 2
    for _ in range(steps):
        fresh = [[0] * len(grid[0]) for _ in range(len(grid))]
        for i in range(len(grid)):
            for j in range(len(grid[0])):
                fresh[i][j] = grid[i - 1][j] ^ grid[i][j - 1]
        grid = fresh
    live = {1, 2}
    for k in range(steps):
        live = {x + k for x in sorted(live) if x % 3 != 0} | {k}
    return grid, power, sorted(live)


def inputs_lived(size, rng):
    return rng.integers(0, 2, (size + 1, 3)).tolist(), size
