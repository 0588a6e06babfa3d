"""What textbooks' programs do: rows that are put into a table and go on, intervals that are merged, what is asked of a list before anything is
put in, lists that loops return, windows, digits, objects that compare themselves, sets that find their root."""
from __future__ import annotations

import heapq
from collections import deque

import numpy as np

TARGETS = ("cpu",)
SIZES = (0, 1, 4, 9)
COMPARES_RAISED = True


def rows_that_go_on(n: int):
    """Nothing changes the rows behind their being put in: they are copies that nobody can tell from what they are in Python."""
    row, triangle = [1], []
    for _ in range(n):
        triangle.append(row)
        row = [1] + [a + b for a, b in zip(row, row[1:])] + [1]
    cells = [0] * 7
    cells[3] = 1
    history = [cells]
    for _ in range(n):
        cells = [(cells[i - 1] + cells[i] + cells[(i + 1) % 7]) % 2 for i in range(7)]
        history.append(cells)
    state, states = [0, 1], []
    for i in range(n):
        new = []
        for j in range(len(state)):
            new.append(state[j] + state[j - 1])
        new.append(i)
        state = new
        states.append(state)
    return triangle, row, history, states, state


def inputs_rows_that_go_on(size, rng):
    return (size,)


def rows_of_others(spans: list[list[int]], n: int):
    """What changes one of them changes the list that it has come from."""
    spans.sort(key=lambda span: span[0])
    merged = []
    for span in spans:
        if not merged or merged[-1][1] < span[0]:
            merged.append(span)
        else:
            merged[-1][1] = max(merged[-1][1], span[1])
    merged.append([n, n])
    merged[0].append(7)
    return merged


def inputs_rows_of_others(size, rng):
    starts = rng.integers(0, 4 * size + 1, size + 1)
    return [[int(a), int(a + b)] for a, b in zip(starts, rng.integers(0, 5, size + 1))], size


def rows_that_are_taken(n: int):
    """Rows of lists of lists, those that are as long as each other too, are put into others."""
    grid = [[0] * 3 for _ in range(2)]
    saved, steps = [], []
    for t in range(n):
        saved.append(grid[0])
        grid = [[x + t for x in row] for row in grid]
        steps.append(len(saved))
    long = [row for row in saved if row[0] > 2]
    ragged = [[1, 2], [3], [4, 5, 6]]
    some = []
    for row in ragged:
        if len(row) > 1:
            some.append(row)
    return saved, steps, len(long), some


inputs_rows_that_are_taken = inputs_rows_that_go_on


def asked_first(data: list[int], x: f64[N]):
    """Items are asked for before the text has put any in: their kinds are those of what is."""
    runs, pairs, rising = [], [], []
    for v in data:
        if runs and runs[-1][0] == v:
            runs[-1] = (v, runs[-1][1] + 1)
        else:
            runs.append((v, 1))
        if len(pairs) > 0 and pairs[-1][0] == v:
            pairs[-1][1] += 1
        else:
            pairs.append([v, 1])
    for v in x:
        last = rising[-1] if rising else 0.0
        if not rising or last < v:
            rising.append(v)
        else:
            rising[-1] += 1.0
    return runs, pairs, rising


def inputs_asked_first(size, rng):
    return [int(v) for v in rng.integers(0, 2, size)], rng.random(size)


def first_found(n, wanted):
    i = 0
    while i < n:
        for j in range(n):
            if i * j == wanted:
                path = [(i, j)]
                while path[-1][0] > 0:
                    path.append((path[-1][0] - 1, j))
                return path[::-1]
        i += 1
    return []


def halved(x):
    steps = [x]
    for _ in range(50):
        x = 0.5 * (x + 2 / x)
        steps.append(x)
        if abs(x * x - 2) < 1e-9:
            return steps
    return None


def table_until(n):
    rows = []
    for i in range(n):
        rows.append([i] * i)
        if i == 3:
            return rows
    return rows[1:]


def found_in_loops(n: int):
    """Lists that are made in the loops which return them."""
    steps = halved(1.0 + n)
    return first_found(n, 6), first_found(n, 0), steps, table_until(n)


inputs_found_in_loops = inputs_rows_that_go_on


class Average:
    def __init__(self, width):
        self.values = deque(maxlen=width)

    def push(self, x):
        self.values.append(x)
        return sum(self.values) / len(self.values)


def windows(x: f64[N], n: int):
    """Deques that have room for so many."""
    short, long = Average(2), Average(n + 1)
    averages = [short.push(v) - long.push(v) for v in x]
    full = deque([0] * (n + 1), maxlen=3)
    for i in range(n):
        full.append(full[0] + i)
        if i % 4 == 3:
            full.popleft()
    full.extend([7, 8])
    pairs = deque([(1, 2.0), (3, 4.0)], 2)
    for i in range(n):
        pairs.append((i, pairs[0][1] + 1))
    return averages, list(full), len(full), full[-1], [a for a, _ in pairs], sum(b for _, b in pairs)


def inputs_windows(size, rng):
    return rng.random(size), size


def digits(n: int):
    """Of whole numbers, by their texts."""
    text = str(n)
    total = count = 0
    for i, c in enumerate(text):
        if c == "7":
            count += 10
        total += int(c) * (i + 1)
    armstrong = [k for k in range(10, 400) if k == sum(int(d) ** 3 for d in str(k))]
    mirrored = [k for k in range(n % 200) if str(k) == str(k)[::-1]]
    happy = []
    for k in range(1, 25):
        seen = set()
        m = k
        while m != 1:
            m = sum(int(d) ** 2 for d in str(m))
            if m in seen:
                break
            seen.add(m)
        else:
            happy.append(k)
    return total, count, len(text), int(text[::-1]), sum(map(int, text)), list(map(int, str(3 * n))), armstrong, mirrored[-3:], happy, text[0] == text[-1]


def inputs_digits(size, rng):
    return (int(rng.integers(0, 10 ** (size + 1))),)


class Roots:
    """Sets of numbers, by a number that stands for each."""

    EMPTY, OWN = 0, 1

    def __init__(self, n):
        self.parent = list(range(n))
        self.size = [self.OWN] * n

    def find(self, x):
        if self.parent[x] != x:
            self.parent[x] = self.find(self.parent[x])
        return self.parent[x]

    def union(self, a, b):
        a, b = self.find(a), self.find(b)
        if a != b:
            self.parent[a] = b
            self.size[b] += self.size[a]
            self.size[a] = self.EMPTY
        return a != b


def roots(n: int, edges: list[tuple[int, int]]):
    """A method that calls itself."""
    sets = Roots(n)
    joined = [(a, b) for a, b in edges if sets.union(a, b)]
    return [sets.find(k) for k in range(n)], sets.parent, sets.size, joined


def inputs_roots(size, rng):
    return size + 2, [(int(a), int(b)) for a, b in rng.integers(0, size + 2, (size, 2))]


class Fraction:
    def __init__(self, p, q):
        self.p = p
        self.q = q

    def __eq__(self, other):
        return self.p * other.q == other.p * self.q

    def __lt__(self, other):
        return self.p * other.q < other.p * self.q

    def __add__(self, other):
        return Fraction(self.p * other.q + other.p * self.q, self.q * other.q)


class Task:
    def __init__(self, cost, name):
        self.cost = cost
        self.name = name

    def __lt__(self, other):
        return self.cost < other.cost


def compared(costs: f64[N], p: int):
    """Objects whose classes say which of them are equal, and which comes first."""
    a, b = Fraction(p, 3), Fraction(2 * p, 6)
    total = Fraction(0, 1)
    for _ in range(3):
        total = total + a
    heap = []
    for k, cost in enumerate(costs):
        heapq.heappush(heap, Task(cost, k))
    order = []
    while heap:
        order.append(heapq.heappop(heap).name)
    return a == b, a != b, a < total, a > total, total == Fraction(p, 1), order


def inputs_compared(size, rng):
    return rng.permutation(size).astype(float), size


def layers(X: f64[N, 2], n: int):
    """Arrays of different shapes in one list, by a loop's index, which change in place."""
    weights = [np.ones((2, 3)), np.full((3, 4), 0.5), np.full((4, 1), 0.25)]
    biases = [np.zeros(3), np.zeros(4), np.zeros(1)]
    losses = []
    for _ in range(n):
        outputs = [X]
        for w, b in zip(weights, biases):
            outputs.append(np.tanh(outputs[-1] @ w + b))
        delta = outputs[-1] - 1.0
        losses.append(np.sum(delta**2))
        for k in range(len(weights) - 1, -1, -1):
            delta = delta * (1 - outputs[k + 1] ** 2)
            step = outputs[k].T @ delta
            delta_before = delta @ weights[k].T
            weights[k] -= 0.1 * step
            biases[k] -= 0.1 * delta.sum(axis=0)
            delta = delta_before
    return weights[0], biases[1], losses


def inputs_layers(size, rng):
    return rng.random((size + 1, 2)), size


def multiplied(a, b):
    return [[sum(a[i][k] * b[k][j] for k in range(len(b))) for j in range(len(b[0]))] for i in range(len(a))]


def powers(n: int):
    """Of a table of which nothing tells rows and columns, in a list of lists and turned; rows of lists that are repeated."""
    base, result = [[1, 1], [1, 0]], [[1, 0], [0, 1]]
    while n > 0:
        if n % 2:
            result = multiplied(result, base)
        base = multiplied(base, base)
        n //= 2
    grid = np.array([[0] * len(base)] * (n + 2))
    grid[0, 1] = 5
    return result, [list(r) for r in zip(*result)], grid, np.asarray([[0.5, 2.0]] * 3)


def inputs_powers(size, rng):
    return (size + 3,)
