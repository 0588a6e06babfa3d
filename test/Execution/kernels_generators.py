"""Generators; functions that call themselves last, or with other constants; `@np.vectorize`."""
from __future__ import annotations

import numpy as np

TARGETS = ("cpu",)
SIZES = (0, 1, 2, 7, 40)


def primes(limit):
    sieve = np.ones(limit + 1, dtype=bool)
    for p in range(2, limit + 1):
        if sieve[p]:
            yield p
            sieve[p * p::p] = False


def collatz(n):
    while n != 1:
        yield n
        n = n // 2 if n % 2 == 0 else 3 * n + 1
    yield 1


def neighbours(i, j, n):
    for di, dj in ((0, 1), (1, 0), (0, -1), (-1, 0)):
        if 0 <= i + di < n and 0 <= j + dj < n:
            yield i + di, j + dj


def windows(x, width):
    for k in range(len(x) - width + 1):
        yield x[k:k + width]


def upwards(n):
    if n < 3:
        return
    yield 0
    yield from range(1, n)


def of_primes(n: int):
    total = 0
    found = []
    for p in primes(n):
        if p > 23:
            break
        total += p
        found.append(p)
    return total, found, sum(primes(n)), sorted(primes(n), reverse=True), [q * q for q in primes(n)]


def longest(limit: int):
    best, where = 0, 0
    for s in range(1, limit + 1):
        length = sum(1 for _ in collatz(s))
        if length > best:
            best, where = length, s
    return best, where


def spread(a: f64[N, N], steps: int):
    for _ in range(steps % 4):
        b = np.zeros_like(a)
        for i in range(len(a)):
            for j in range(len(a)):
                for r, c in neighbours(i, j, len(a)):
                    b[i, j] += a[r, c]
        a[:] = b
    return [k for k in upwards(steps)]


def moving(x: f64[N]):
    out = np.zeros(max(len(x) - 2, 0))
    for i, w in enumerate(windows(x, 3)):
        out[i] = w.max() - w.mean()
    return out


def gcd(a, b):
    return a if b == 0 else gcd(b, a % b)


def place(x, wanted, low=0, high=None):
    high = len(x) if high is None else high
    if low >= high:
        return low
    middle = (low + high) // 2
    if x[middle] < wanted:
        return place(x, wanted, middle + 1, high)
    return place(x, wanted, low, middle)


def quicksort(a, lo, hi):
    if lo >= hi:
        return
    pivot = a[(lo + hi) // 2]
    i, j = lo, hi
    while i <= j:
        while a[i] < pivot:
            i += 1
        while a[j] > pivot:
            j -= 1
        if i <= j:
            a[i], a[j] = a[j], a[i]
            i += 1
            j -= 1
    quicksort(a, lo, j)
    quicksort(a, i, hi)


def fill(image, r, c, old, new):
    if r < 0 or r >= image.shape[0] or c < 0 or c >= image.shape[1] or image[r, c] != old:
        return
    image[r, c] = new
    fill(image, r + 1, c, old, new)
    fill(image, r - 1, c, old, new)
    fill(image, r, c + 1, old, new)
    fill(image, r, c - 1, old, new)


def power(x, n):
    if n == 0:
        return 1.0
    half = power(x, n // 2)
    return half * half * x if n % 2 else half * half


def coprime(n: int):
    count = 0
    for i in range(1, n + 1):
        for j in range(1, n + 1):
            if gcd(i, j) == 1:
                count += 1
    return count


def searched(x: f64[N], wanted: float):
    y = np.sort(x)
    return place(y, wanted), power(wanted, 13)


def sorted_in_place(a: f64[N]):
    quicksort(a, 0, len(a) - 1)


def filled(image: i64[N, N]):
    for k in range(len(image)):
        if image[k, k] < 2:
            fill(image, k, k, image[k, k], k + 2)


@np.vectorize
def clipped(x, top):
    return min(max(x, 0.0), top)


def layer(x: f64[N]):
    return clipped(x * 10, 6.0) if len(x) > 0 else x + 1


def make_inputs(size, rng):
    return (size,)


def inputs_spread(size, rng):
    return rng.random((size % 9, size % 9)), size


def inputs_moving(size, rng):
    return (rng.random(size),)


def inputs_searched(size, rng):
    return rng.random(size), 0.5


def inputs_sorted_in_place(size, rng):
    return (np.round(rng.random(size), 1),)


def inputs_filled(size, rng):
    return (rng.integers(0, 2, (size, size)),)


def inputs_layer(size, rng):
    return (rng.normal(size=size),)
