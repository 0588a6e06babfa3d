"""What functions keep from one call to the next: caches of functions that call themselves, numbers of the file that `global` binds,
generators that never end and give a value at a time."""
from __future__ import annotations

import functools
import itertools
from functools import lru_cache

import numpy as np

TARGETS = ("cpu",)
SIZES = (0, 1, 6, 40)
COMPARES_RAISED = False

steps = 0
worst = -1.5
total = 0
done = False
seed = 1
scale = 2


@lru_cache(maxsize=None)
def fib(n):
    if n < 2:
        return n
    return fib(n - 1) + fib(n - 2)


@functools.cache
def partitions(n, most):
    if n == 0:
        return 1
    if n < 0 or most == 0:
        return 0
    return partitions(n, most - 1) + partitions(n - most, most)


@lru_cache
def catalan(n):
    if n == 0:
        return 1
    found = 0
    for i in range(n):
        found += catalan(i) * catalan(n - 1 - i)
    return found


def table(n):
    return [partitions(i, i) for i in range(n)]


def cached(n: int):
    """Without what they keep, none of these would end."""
    return fib(2 * n), partitions(2 * n, n), table(n // 2), sum(catalan(i) for i in range(n % 30))


def inputs_cached(size, rng):
    return (size,)


@lru_cache(maxsize=None)
def ways(n: int) -> int:
    if n < 3:
        return n + 1
    return ways(n - 1) + ways(n - 2) - ways(n - 3)


inputs_ways = inputs_cached


def cached_inside(coins: list[int], grid: i64[N, N], amount: int):
    @lru_cache(None)
    def fewest(rest):
        if rest == 0:
            return 0
        best = 10**9
        for c in coins:
            if c <= rest:
                best = min(best, fewest(rest - c) + 1)
        return best

    @functools.cache
    def paths(r, c):
        if r >= grid.shape[0] or c >= grid.shape[1] or grid[r, c] == 1:
            return 0
        if r == grid.shape[0] - 1 and c == grid.shape[1] - 1:
            return 1
        return paths(r + 1, c) + paths(r, c + 1)

    @functools.cache
    def decay(i, j):
        if i == 0 or j == 0:
            return 1.0
        return 0.5 * decay(i - 1, j) + 0.25 * decay(i, j - 1)

    return fewest(amount), paths(0, 0), decay(amount // 2, amount)


def inputs_cached_inside(size, rng):
    n = size % 17
    return [1, 5, 7], (rng.random((n, n)) < 0.1).astype(np.int64), size


known = {0: 0, 1: 1}
lengths = {}


def fib_of_the_file(n):
    if n not in known:
        known[n] = fib_of_the_file(n - 1) + fib_of_the_file(n - 2)
    return known[n]


def in_a_grid(r, c):
    if (r, c) in lengths:
        return lengths[(r, c)]
    if r == 0 or c == 0:
        return 1
    found = in_a_grid(r - 1, c) + in_a_grid(r, c - 1)
    lengths[r, c] = found
    return found


def in_dicts_of_the_file(n: int):
    """What they hold is what the functions compute anyway."""
    return fib_of_the_file(2 * n), in_a_grid(n // 3, n // 3), [fib_of_the_file(k) for k in range(n)]


inputs_in_dicts_of_the_file = inputs_cached


def visit(x):
    global steps, worst, total, done
    steps += 1
    total += x
    if x > worst:
        worst = x
    done = steps > 9


def walk(x):
    for v in x:
        if done:
            break
        visit(v)


def numbers_of_the_file(x: f64[N]):
    """`total` begins as a whole number."""
    global steps, worst, total, done
    steps, worst, total, done = 0, -1.5, 0.0, False
    walk(x)
    return steps, worst, total, done


def inputs_numbers_of_the_file(size, rng):
    return (rng.random(size),)


def moved(n, a, b, c):
    global steps
    if n > 0:
        moved(n - 1, a, c, b)
        steps += 1
        moved(n - 1, c, b, a)


def towers(n: int):
    global steps
    steps = 0
    moved(n % 7, 0, 1, 2)
    return steps


inputs_towers = inputs_cached


def drawn():
    global seed
    seed = seed * 16807 % 2147483647
    return seed / 2147483647


def hits(n: int):
    global seed
    seed = n + 1
    inside = 0
    for _ in range(n):
        if drawn() ** 2 + drawn() ** 2 < 1:
            inside += 1
    return inside, seed


inputs_hits = inputs_cached


def scaled(x, scale):
    return x * scale


def others_of_that_name(n: int):
    """Parameters and names of comprehensions and lambdas are their own."""
    global scale
    scale = 2
    before = scaled(n, 3) * scale

    def more(by):
        global scale
        scale += by

    for i in range(n):
        more(i)
    return before, scale, [scale * i for i in range(3)], sum(scale for scale in range(4)), (lambda scale: scale + 1)(5)


inputs_others_of_that_name = inputs_cached


def congruent(x):
    while True:
        x = (1103515245 * x + 12345) % 2147483648
        yield x


def primes(q):
    while True:
        if all(q % d for d in range(2, int(q**0.5) + 1)):
            yield q
        q += 1


def fibonacci():
    a, b = 0, 1
    while True:
        yield a
        a, b = b, a + b


def halved(x):
    half = x * 0.5
    while True:
        if half > 1.0:
            kept = half
            yield kept
            half -= 1.0
        else:
            half += 7.0


def inside_circle(numbers, n):
    found = 0
    for _ in range(n):
        x, y = next(numbers) / 2147483648, next(numbers) / 2147483648
        found += x * x + y * y < 1
    return found


def values_at_a_time(n: int, x: float):
    numbers, others = congruent(n), congruent(3)
    found = inside_circle(numbers, n) + inside_circle(others, 5)
    q = primes(2)
    p = primes(10)
    f = fibonacci()
    first = next(f)
    below = 0
    while next(q) < n:
        below += next(p)
    h = halved(x)
    halves = [next(h) for _ in range(n)]
    return found, next(numbers), first, next(f), next(f), next(f), below, next(q), halves


def inputs_values_at_a_time(size, rng):
    return size, 5.0 * rng.random()


def first_values(n: int):
    first = list(itertools.islice(fibonacci(), n))
    below = [p for p in itertools.takewhile(lambda p: p < n, primes(2))]
    return first, below, sum(itertools.islice(congruent(n), 3)), sum(itertools.takewhile(lambda v: v < 100, fibonacci()))


inputs_first_values = inputs_cached
