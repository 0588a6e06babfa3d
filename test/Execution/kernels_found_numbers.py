"""What short programs over numbers do, as they are found: loops over a list in a comprehension, sets of labels that are run over, memories that
are parameters, items that a function takes as `*values`, objects that are named again."""
from __future__ import annotations

import itertools
import math
from dataclasses import dataclass

import numpy as np

TARGETS = ("cpu",)
SIZES = (0, 1, 2, 13)


def pairs_of_a_list(a: i64[N]):
    big = []
    for i in range(len(a)):
        if a[i] > 2:
            big.append(i)
    pairs = [(i, j) for i in big for j in big if i < j]
    return big, len(pairs), [i + j for i in big for j in big], sum(1 for i in big for j in big if i != j), [[i * j for j in big] for i in big]


def inputs_pairs_of_a_list(size, rng):
    return (rng.integers(0, 9, size),)


def entropy(labels):
    found = 0.0
    for v in set(labels):
        p = sum(1 for w in labels if w == v) / len(labels)
        found -= p * math.log2(p)
    return found


def sets_of_labels(x: f64[N], labels: i64[N]):
    """CPython's order of whole numbers that are small."""
    means = {}
    total = 0.0
    for c in set(labels.tolist()):
        means[c] = x[labels == c].mean()
    for i, c in enumerate(set(labels)):
        total += i * c
    both = [p * 10 + q for p in {int(v) % 3 for v in labels} for q in set(range(3)) | {4}]
    seen = set()
    for c in labels:
        seen.add(int(c) % 5)
    return means, total, both, entropy(labels), list(seen), [c for c in {3, 1, 2}]


def inputs_sets_of_labels(size, rng):
    return rng.random(size), rng.integers(0, 4, size)


def fib(n, memo={}):  # noqa: B006
    if n in memo:
        return memo[n]
    if n <= 1:
        return n
    memo[n] = fib(n - 1, memo) + fib(n - 2, memo)
    return memo[n]


def ways(n, k, seen=None):
    if seen is None:
        seen = {}
    if (n, k) in seen:
        return seen[(n, k)]
    if n < 0 or k == 0:
        return 0
    if n == 0:
        return 1
    found = ways(n - k, k, seen) + ways(n, k - 1, seen=seen)
    seen[n, k] = found
    return found


def rods(n, memo):
    if n in memo:
        return memo[n]
    best = n % 5
    for i in range(1, n):
        best = max(best, i % 5 + rods(n - i, memo))
    memo[n] = best
    return best


def steps_to_one(n, known={1: 0}):  # noqa: B006
    if n not in known:
        known[n] = 1 + steps_to_one(n // 2 if n % 2 == 0 else 3 * n + 1)
    return known[n]


def memories_as_parameters(n: int):
    return fib(5 * n), [fib(i) for i in range(n)], ways(4 * n, n), rods(n, {}), max([steps_to_one(i) for i in range(1, n + 2)])


def inputs_memories_as_parameters(size, rng):
    return (size,)


def mean(*values):
    return sum(values) / len(values) if values else 0.0


def spread(scale, *values):
    low = high = values[0]
    for x in values:
        low = min(low, x)
        high = max(high, x)
    return (high - low) * scale


def all_of_the_rest(x: f64[N], k: i64[N]):
    some = [v for v in x if v > 0.2]
    rows = []
    for i in range(len(k)):
        rows.append([int(v) * i for v in k[:i]])
    flat = list(itertools.chain.from_iterable(rows))
    return (mean(*x), mean(*some), spread(2.0, 1.0, *some) if some else 0.0, mean(*x[:2]), mean(1.0, 2.0), flat, sum(itertools.chain(*rows)),
            math.gcd(*flat), math.lcm(*[int(v) + 1 for v in k[:5]]))


def inputs_all_of_the_rest(size, rng):
    return rng.random(size), rng.integers(0, 9, size)


def places_of_a_value(k: i64[N], v: int, ends: i64[M]):
    items = k.tolist()
    places = []
    at = -1
    try:
        while True:
            at = items.index(v, at + 1)
            places.append(at)
    except ValueError:
        pass
    found = 0
    for low in ends:
        for high in ends:
            try:
                found = found * 7 + items.index(v, low, high) - items.index(v, high)
            except ValueError:
                found -= 1
    return places, found


def inputs_places_of_a_value(size, rng):
    return rng.integers(0, 3, size), 1, np.array([-20, -5, -2, 0, 2, 3, 40])


class Mod:
    def __init__(self, x):
        self.x = x

    def __mul__(self, other):
        return Mod(self.x * other.x % 10007)

    def __pow__(self, n):
        base, found = self, Mod(1)
        while n:
            if n & 1:
                found = found * base
            base = base * base
            n >>= 1
        return found


@dataclass
class Interval:
    low: float
    high: float

    def halves(self):
        middle = (self.low + self.high) / 2
        return Interval(self.low, middle), Interval(middle, self.high)


def objects_named_again(n: int, target: float):
    p = Mod(3)
    q = p**n
    now = first = Interval(0.0, 1.0)
    best = first
    for i in range(n):
        left, right = now.halves()
        now = left if target < left.high else right
        if i % 3 == 1:
            best = now
        best.low -= 0.25
    return p.x, q.x, now.low, now.high, first.low, best.high


def inputs_objects_named_again(size, rng):
    return size, rng.random()


def functions_of_elements(x: f64[N], A: f64[N, 3]):
    down = np.vectorize(math.floor, otypes=[np.int64])
    clipped = np.vectorize(lambda v, w: v if v > w else 0, otypes=[float])
    B = np.where(A > 0.5, A, np.nan)
    return (down(x * 10), clipped(A, 0.5), np.nanmax(B, axis=0, initial=-1), np.nanmin(B, initial=7.0), np.nanmax(B[:0], initial=3.0),
            np.nanmax((A * 9).astype(int), initial=5))


def inputs_functions_of_elements(size, rng):
    return rng.random(size), rng.random((size, 3))


def groups(k: i64[N], x: f64[N]):
    runs = [(int(v), len(list(g))) for v, g in itertools.groupby(k)]
    longest = max([len(list(g)) for v, g in itertools.groupby(k) if v], default=0)
    totals = []
    for odd, run in itertools.groupby(sorted(k.tolist()), key=lambda v: v % 2):
        total = 0
        for v in run:
            total += v
        totals.append((odd, total))
    spans = []
    i = 0
    for above, run in itertools.groupby(x, key=lambda v: v > 0.5):
        n = sum(1 for _ in run)
        if above:
            spans.append((i, i + n))
        i += n
    return runs, longest, totals, spans, [v for v, _ in itertools.groupby(k)], [v * 2 for _, g in itertools.groupby(k) for v in g]


def inputs_groups(size, rng):
    return rng.integers(0, 4, size), rng.random(size)


def rest_of_either(a: f64[N], b: f64[M]):
    i = j = k = 0
    out = np.empty(len(a) + len(b))
    while i < len(a) and j < len(b):
        if a[i] <= b[j]:
            out[k] = a[i]
            i += 1
        else:
            out[k] = b[j]
            j += 1
        k += 1
    out[k:] = a[i:] if i < len(a) else b[j:]
    return out


def inputs_rest_of_either(size, rng):
    return np.sort(rng.random(size)), np.sort(rng.random(7 - size % 3))
