"""Lists and tuples that the caller passes: of numbers, of tuples, of lists; read, changed, returned."""
from __future__ import annotations

from typing import Dict, List, Sequence, Tuple

import numpy as np

TARGETS = ("cpu",)
SIZES = (0, 1, 2, 7, 12)
Point = Tuple[float, float]
Polygon = List[Point]
COMPARES_RAISED = True


def read(nums: List[int], k: int, weights: Sequence[float], flags: list[bool], z: list[complex]):
    """Nothing changes: what is returned are new lists, or the caller's own."""
    total = 0
    for i, x in enumerate(nums):
        total += x * i
    pairs = [(x, w) for x, w in zip(nums, weights) if w > 0.25]
    return nums + [k], total, nums[::-1], max(weights, default=0.0), pairs, sum(flags), k in nums, [c * 2j for c in z], nums


def inputs_read(size, rng):
    return (rng.integers(-5, 5, size).tolist(), size, rng.random(size).tolist(), [bool(b) for b in rng.integers(0, 2, size)],
            [complex(x, -x) for x in rng.random(size)])


def change(nums: list[int], heap: list[float], edges: List[Tuple[int, float]], k: int):
    """What is done to the lists, the caller sees."""
    nums.sort(reverse=True)
    nums[:2] = nums[1::-1]
    for i in range(k):
        heap.append(i * 0.5)
    if len(heap) > 3:
        heap[0], heap[1] = heap[1], heap[0]
        del heap[2]
    edges.sort(key=lambda e: e[1])
    edges.insert(0, (k, 1.5))
    if k > 5:
        edges.pop()
    moved = [(a + 1, w) for a, w in edges]
    edges[-1] = moved[0]
    return nums, len(edges), moved


def inputs_change(size, rng):
    return rng.integers(0, 9, size + 2).tolist(), [], [(int(i), float(w)) for i, w in zip(rng.integers(0, 9, size), rng.random(size))], size


def pick(a: List[int], k: int) -> int:
    """A function that goes on with a part of its list."""
    if len(a) == 1:
        return a[0]
    pivot = a[len(a) // 2]
    lows = [x for x in a if x < pivot]
    highs = [x for x in a if x > pivot]
    same = [x for x in a if x == pivot]
    if k < len(lows):
        return pick(lows, k)
    if k < len(lows) + len(same):
        return same[0]
    return pick(highs, k - len(lows) - len(same))


def inputs_pick(size, rng):
    return rng.integers(0, 9, size + 1).tolist(), size // 2


def rows(grid: List[List[int]], more: list[list[float]], at: tuple[int, int]) -> List[List[int]]:
    """Lists of lists: rectangular ones are arrays, too."""
    if not grid or not grid[0]:
        return [[at[0]]]
    n, m = len(grid), len(grid[0])
    table = np.array(grid)
    turned = [[grid[i][j] for i in range(n)] for j in range(m)]
    best = [row[:] for row in grid]
    for i in range(1, n):
        for j in range(m):
            best[i][j] += max(best[i - 1])
    grid[at[0] % n][at[1] % m] = -1
    grid[0].append(int(table.sum()))
    more += [[0.5], []]
    more.sort()
    best.append([sum(row) for row in turned])
    return best


def inputs_rows(size, rng):
    ragged = [rng.integers(0, 3, k % 4).astype(float).tolist() for k in range(size)]
    return rng.integers(0, 9, (size, 3)).tolist(), ragged, (size, 2)


def two_sum(nums: List[int], target: int) -> List[int]:
    seen = {}
    for i, x in enumerate(nums):
        if target - x in seen:
            return [seen[target - x], i]
        seen[x] = i
    return []


def inputs_two_sum(size, rng):
    return rng.integers(0, 12, size).tolist(), 9


def area(poly: Polygon, q: Point) -> Tuple[float, bool, Polygon]:
    """Names of the file stand for types; tuples come as they are."""
    total = 0.0
    for (x1, y1), (x2, y2) in zip(poly, poly[1:] + poly[:1]):
        total += x1 * y2 - x2 * y1
    inside = False
    j = len(poly) - 1
    for i in range(len(poly)):
        xi, yi = poly[i]
        xj, yj = poly[j]
        if (yi > q[1]) != (yj > q[1]) and q[0] < (xj - xi) * (q[1] - yi) / (yj - yi) + xi:
            inside = not inside
        j = i
    return abs(total) / 2, inside, sorted(set(poly))


def inputs_area(size, rng):
    return [tuple(p) for p in rng.random((size, 2)).tolist()], (0.5, 0.5)


def reachable(graph: list[list[int]], start: int) -> list[int]:
    """A list that grows while it is run over."""
    seen = [start]
    for u in seen:
        for v in graph[u]:
            if v not in seen:
                seen.append(v)
        if len(seen) > 8:
            break
    return seen


def inputs_reachable(size, rng):
    return [rng.integers(0, size + 1, 2).tolist() for _ in range(size + 1)], 0


def frames(x: list[float], n: int, hop: int):
    """Lists of arrays with names."""
    signal = np.array(x + [0.0] * 8)
    cut = [signal[i:i + n] * 2.0 for i in range(0, len(signal) - n + 1, hop)]
    power = [float((c ** 2).sum()) for c in cut]
    order = sorted(range(len(cut)), key=lambda i: -power[i])
    cut = [cut[i] for i in order]
    cut[0] = cut[-1] * 0.5
    for _ in range(2):
        order = np.argsort([c[0] for c in cut])
        cut = [cut[i] for i in order]
        cut[-1] = cut[0] + 1.0
    mean = np.mean(cut, axis=0)
    return mean, np.array(cut), power, (0, 0.5, 1)[n % 3] * 0.5


def inputs_frames(size, rng):
    return rng.random(size).tolist(), size % 3 + 1, 2


def merged(intervals: List[List[int]]) -> List[List[int]]:
    """A list of lists that are those of another one."""
    if not intervals:
        return []
    intervals.sort(key=lambda x: x[0])
    out = [intervals[0]]
    for s, e in intervals[1:]:
        if s <= out[-1][1]:
            out[-1][1] = max(out[-1][1], e)
        else:
            out.append([s, e])
    return out


def inputs_merged(size, rng):
    return [[int(s), int(s + d)] for s, d in zip(rng.integers(0, 40, size), rng.integers(0, 6, size))],


def subsets(nums: List[int]) -> List[List[int]]:
    """A list of lists of which the first is empty."""
    out = [[]]
    for x in nums[:5]:
        out += [s + [x] for s in out]
    return out


def inputs_subsets(size, rng):
    return list(range(size)),


TABLEAU = [[], [1 / 4], [3 / 32, 9 / 32], [-8, 2.5, 0]]


def tableau(n: int, x: float) -> int:
    """Rows of constants that differ in length, chosen by a variable; what is declared is a word to readers."""
    k = []
    for i in range(n):
        y = x
        for j, a in enumerate(TABLEAU[i % 4]):
            y += a * k[j]
        k.append(y)
    return sum(k) if k else 0.5


def inputs_tableau(size, rng):
    return size, 0.5


def growth(y, p):
    return p["rate"] * y * (1 - y / p['most'])


def of_dicts(y: f64[N], p: dict[str, float], counts: Dict[str, int], series: dict[str, f64[:]]):
    """Dicts of which constant keys are read, here and where they are handed on to; others may be there."""
    counts["calls"] += 1
    for _ in range(counts["steps"]):
        y = y + p["dt"] * growth(y, p) - growth(y[::-1], p=p) * 0.1
    series["x"] *= 2.0
    return y, p["dt"], series["x"].sum() + series["z"][0]


def inputs_of_dicts(size, rng):
    p = {"rate": 0.5, "most": 2, "dt": 0.1, "more": "text"}
    return rng.random(size), p, {"steps": 3, "calls": 0}, {"x": rng.random(size), "z": rng.random(2)}


def key_missing(p: dict[str, float], x: float):
    return p["rate"] * x + p["scale"]


def inputs_key_missing(size, rng):
    return {"rate": 1.5, "scale" if size else "other": 2.0}, 0.5
