"""Functions that go on when they have called themselves: numbers, tuples, closures, memories, loops that call, how deep."""
from __future__ import annotations

import cmath

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


def merged(x):
    if len(x) <= 1:
        return x
    mid = len(x) // 2
    left, right = merged(x[:mid]), merged(x[mid:])
    out = []
    i = j = 0
    while i < len(left) and j < len(right):
        if left[i] <= right[j]:
            out.append(left[i])
            i += 1
        else:
            out.append(right[j])
            j += 1
    out += left[i:]
    return out + right[j:]


def quick(a):
    if len(a) <= 1:
        return a
    p = a[len(a) // 2]
    return quick([v for v in a if v < p]) + [v for v in a if v == p] + quick([v for v in a if v > p])


def transformed(x):
    n = len(x)
    if n < 2:
        return [complex(v) for v in x]
    even, odd = transformed(x[0::2]), transformed(x[1::2])
    out = [0j] * n
    for k in range(n // 2):
        t = cmath.exp(-2j * cmath.pi * k / n) * odd[k]
        out[k], out[k + n // 2] = even[k] + t, even[k] - t
    return out


def lists(xs: list[float], ks: list[int], n: int):
    """Lists that are handed on, kept over calls and returned; the caller's stay as they are."""
    found = []

    def choose(start, chosen):
        if len(chosen) == 2:
            found.append(list(chosen))
            return
        for i in range(start, n):
            choose(i + 1, chosen + [i])

    choose(0, [])
    return merged(xs), quick(ks), transformed(xs[:4] if len(xs) > 3 else xs[:1]), found, xs


def inputs_lists(size, rng):
    return list(rng.random(size)), [int(k) for k in rng.integers(0, 5, size)], min(size, 5)


def placed(row, columns, n):
    if row == n:
        return True
    for c in range(n):
        good = True
        for r in range(row):
            if columns[r] == c or abs(columns[r] - c) == row - r:
                good = False
                break
        if good:
            columns[row] = c
            if placed(row + 1, columns, n):
                return True
    return False


def matched(v, near, used, match):
    found = False
    for to in range(near.shape[1]):
        if not near[v, to] or used[to]:
            continue
        used[to] = True
        if match[to] == -1 or matched(match[to], near, used, match):
            match[to] = v
            found = True
            break
    return found


def searches(near: bool[N, M], n: int):
    """What leaves loops that call: `return`, `break`, `continue`."""
    columns, match = [-1] * n, [-1] * near.shape[1]
    count = 0
    for v in range(len(near)):
        if matched(v, near, [False] * near.shape[1], match):
            count += 1
    return placed(0, columns, n), columns, count, match


def inputs_searches(size, rng):
    return rng.random((size, size + 1)) < 0.5, size


def played(board, player, left):
    if left == 0:
        return sum(k * v for k, v in enumerate(board))
    scores = []
    for i, cell in enumerate(board):
        if cell == 0:
            board[i] = player
            scores.append(played(board, -player, left - 1) + i * player)
            board[i] = 0
    return max(scores) if player > 0 else min(scores)


def partitions(n, parts):
    if n <= 0:
        return 1 if n == 0 else 0
    return sum(partitions(n - p, parts) for p in parts if p <= n)


def trees(n):
    k = 7
    if n < 2:
        return 1
    found = [trees(k) * trees(n - 1 - k) for k in range(n)]
    found.append(k)
    return sum(found) - 7


def subsets(items, target):
    if target == 0:
        return 1
    found = []
    for k, item in enumerate(items[1:]):
        if item <= target:
            found.append(subsets(items[k + 1:], target - item))
    return sum(found)


def kept_items(n: int):
    """Lists of a call's own that grow between its calls, and comprehensions that call."""
    near = [[(i * 3 + 1) % (n + 1), (i * 5) % (n + 1)] for i in range(n + 1)]
    seen, groups = [False] * (n + 1), []

    def visit(v, group):
        seen[v] = True
        group.append(v)
        for to in near[v]:
            if not seen[to]:
                visit(to, group)

    for v in range(n + 1):
        if not seen[v]:
            group = []
            visit(v, group)
            groups.append(group)
    return played([0] * min(n, 4), 1, min(n, 3)), partitions(n, [1, 2, 3]), trees(n), subsets(list(range(n + 1)), n), groups


def inputs_kept_items(size, rng):
    return (size,)


def fourier(x):
    n = len(x)
    if n <= 1:
        return x
    even, odd = fourier(x[0::2]), fourier(x[1::2])
    turned = np.exp(-2j * np.pi * np.arange(n // 2) / n) * odd
    return np.concatenate([even + turned, even - turned])


def merge_sort(a):
    if len(a) <= 1:
        return a
    m = len(a) // 2
    left, right = merge_sort(a[:m]), merge_sort(a[m:])
    out = np.empty(len(a))
    i = j = 0
    for k in range(len(a)):
        if j >= len(right) or (i < len(left) and left[i] <= right[j]):
            out[k] = left[i]
            i += 1
        else:
            out[k] = right[j]
            j += 1
    return out


def quick_sort(a):
    if a.size < 2:
        return a
    p = a[a.size // 2]
    return np.concatenate((quick_sort(a[a < p]), a[a == p], quick_sort(a[a > p])))


def haar(x):
    if len(x) == 1:
        return x
    return np.concatenate([haar((x[0::2] + x[1::2]) / 2), (x[0::2] - x[1::2]) / 2])


def halves(a: f64[N], x: c128[M], y: f64[M]):
    """Arrays that are shorter in each call."""
    return merge_sort(a), quick_sort(a), fourier(x), haar(y)


def inputs_halves(size, rng):
    n = 2 ** min(size, 4)
    return rng.random(size), rng.random(n) + 1j * rng.random(n), rng.random(n)


def filled(n: int):
    """Lists of the function around that closures store into: of None at first, of tuples, and of lists."""
    memo = [None] * (n + 1)
    seen = [(0, 0.5)] * 3
    rows = [[k] for k in range(3)]

    def fibonacci(k):
        if k < 2:
            return k
        if memo[k] is None:
            memo[k] = fibonacci(k - 1) + fibonacci(k - 2)
        return memo[k]

    def put(k):
        seen[k % 3] = (k, k * 0.5)
        rows[k % 3] = [k, k]
        rows[k % 3] += [7]

    for k in range(n):
        put(k)
    return fibonacci(n), seen, rows, memo[n] is None


def inputs_filled(size, rng):
    return (size,)


def is_even(n):
    return n == 0 or is_odd(n - 1)


def is_odd(n):
    return n > 0 and is_even(n - 1)


def hofstadter_f(n):
    return 1 if n == 0 else n - hofstadter_m(hofstadter_f(n - 1))


def hofstadter_m(n):
    return 0 if n == 0 else n - hofstadter_f(hofstadter_m(n - 1))


def parsed_sum(s, i):
    v, i = parsed_product(s, i)
    while i < len(s) and s[i] in "+-":
        w, j = parsed_product(s, i + 1)
        v = v + w if s[i] == "+" else v - w
        i = j
    return v, i


def parsed_product(s, i):
    v, i = parsed_number(s, i)
    while i < len(s) and s[i] == "*":
        w, i = parsed_number(s, i + 1)
        v *= w
    return v, i


def parsed_number(s, i):
    if s[i] == "(":
        v, i = parsed_sum(s, i + 1)
        return v, i + 1
    end = i
    while end < len(s) and s[end].isdigit():
        end += 1
    return int(s[i:end]), end


def of_each_other(n: int, s: str):
    """Functions that call each other are one, whose names stay apart."""
    values = [hofstadter_f(k) + 10 * hofstadter_m(k) for k in range(2 * n)]
    return is_even(n), is_odd(n), is_even(n + 3), values, parsed_sum(s, 0)


def inputs_of_each_other(size, rng):
    return size, "12+3*(4-5)*2-(7)" + "+10*2" * size


def first_half(n, x):
    return x if n == 0 else second_half(x * 2, n - 1) + 1


def second_half(x, n):
    return x * 3 if n == 0 else first_half(n - 1, x)


def known_turns(x: f64[N]):
    """So often as translation knows, with an array in one place of the one and a number in that of the other."""
    return first_half(3, x[0] if len(x) else 0.5), first_half(2, x).sum()


def inputs_known_turns(size, rng):
    return (rng.random(size),)
