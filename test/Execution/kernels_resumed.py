"""Functions that go on when they have called themselves: numbers, tuples, closures, memories, loops that call, how deep."""
from __future__ import annotations

import numpy as np

TARGETS = ("cpu",)
SIZES = (0, 1, 6)
COMPARES_RAISED = False


def fib(n):
    if n < 2:
        return n
    return fib(n - 1) + fib(n - 2)


def ackermann(m, n):
    if m == 0:
        return n + 1
    if n == 0:
        return ackermann(m - 1, 1)
    return ackermann(m - 1, ackermann(m, n - 1))


def power(x, n):
    if n == 0:
        return 1
    h = power(x, n // 2)
    return h * h if n % 2 == 0 else h * h * x


def legendre(n, x):
    if n == 0:
        return 1.0
    if n == 1:
        return x
    return ((2 * n - 1) * x * legendre(n - 1, x) - (n - 1) * legendre(n - 2, x)) / n


def egcd(a, b):
    if b == 0:
        return a, 1, 0
    g, x, y = egcd(b, a % b)
    return g, y, x - (a // b) * y


def odd_somewhere(n):
    return n > 0 and (n % 2 == 1 or odd_somewhere(n // 2))


def counted(n):
    c = 0
    if n > 0:
        c += counted(n - 1)
        c += 2 * counted(n - 2) if n > 1 else 1
    else:
        c = 1
    return c


def numbers(n: int, x: float):
    return fib(n), ackermann(2, n % 4), power(x, n + 1), legendre(n, x), egcd(12 * n, 18), odd_somewhere(n), counted(n)


def inputs_numbers(size, rng):
    return size, rng.random()


def simpson(f, a, b):
    return (b - a) / 6 * (f(a) + 4 * f((a + b) / 2) + f(b))


def adapt(f, a, b, eps, whole, depth):
    c = (a + b) / 2
    left, right = simpson(f, a, c), simpson(f, c, b)
    if depth <= 0 or abs(left + right - whole) <= 15 * eps:
        return left + right + (left + right - whole) / 15
    return adapt(f, a, c, eps / 2, left, depth - 1) + adapt(f, c, b, eps / 2, right, depth - 1)


def closures(w: i64[N], v: f64[N], cap: int, adj: bool[N, N]):
    """A function handed on, one that reads the arrays around it, a memory, and loops that call."""
    f = lambda t: t ** 3 - 2 * t + 1 / (1 + t * t)
    memo = {}

    def ways(k):
        if k in memo:
            return memo[k]
        if k < 2:
            return 1
        memo[k] = ways(k - 1) + ways(k - 2)
        return memo[k]

    def best(i, c):
        if i == len(w):
            return 0.0
        skip = best(i + 1, c)
        if w[i] > c:
            return skip
        return max(skip, v[i] + best(i + 1, c - w[i]))

    def search(i, rest):
        if rest == 0:
            return True
        if i == len(w) or rest < 0:
            return False
        return search(i + 1, rest - w[i]) or search(i + 1, rest)

    seen = [False] * len(adj)

    def visit(u):
        seen[u] = True
        size = 1
        for t in range(len(adj)):
            if adj[u, t] and not seen[t]:
                size += visit(t)
        return size

    def place(row, columns, up, down):
        if row == 5:
            return 1
        total = 0
        for c in range(5):
            if not (columns >> c & 1 or up >> (row + c) & 1 or down >> (row - c + 5) & 1):
                total += place(row + 1, columns | 1 << c, up | 1 << (row + c), down | 1 << (row - c + 5))
        return total

    sizes = []
    for i in range(len(adj)):
        if not seen[i]:
            sizes.append(visit(i))
    return (adapt(f, 0.0, 2.0, 1e-6, simpson(f, 0.0, 2.0), 12), ways(cap), len(memo), best(0, cap), search(0, cap), sizes,
            place(0, 0, 0, 0))


def inputs_closures(size, rng):
    adj = rng.random((size, size)) > 0.7
    return rng.integers(1, 6, size), rng.random(size), size + 2, adj | adj.T


def deep(n):
    return 0 if n == 0 else n + deep(n - 1)


def too_deep(n: int):
    return deep(n)


def inputs_too_deep(size, rng):
    return (size * size * size * 100,)
