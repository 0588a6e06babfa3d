"""Small things of everyday programs: numbers that become arrays, lists that are sifted, kinds that differ, what a loop leaves."""
from __future__ import annotations

import heapq

import numpy as np

TARGETS = ("cpu",)
SIZES = (0, 1, 2, 7)


def momentum(X: f64[N, 2], y: f64[N], x: f64[N], c: f64[N], n: int):
    """Numbers before a loop that are arrays from its first step on, or from its second."""
    w = np.zeros(2)
    velocity = total = 0
    for _ in range(n):
        velocity = 0.9 * velocity - 0.01 * (X.T @ (X @ w - y))
        w = w + velocity
        total += w
    value = c[0] if n > 1 else 0.0
    for k in range(1, len(c)):
        value = value * (x - k) + c[k]
    result = 0
    for a in c[::-1]:
        result = result * x + a
    s, term, k = 0.0, 1.0, 0
    while k < n:
        s = s + term
        k += 1
        term = term * x / k
    return w, total / n, value, result, s


def inputs_momentum(size, rng):
    return rng.random((size, 2)), rng.random(size), rng.random(size), rng.random(size), size


sizes_momentum = (2, 7)


def not_run(x: f64[N], n: int):
    """What is not read behind the loop may be either; what is, is refused where no step runs."""
    total, best = 0, 0.0
    for k in range(n):
        total = total + x
        best = max(best, total.sum())
    for k in range(2):
        for j in range(3):
            n = np.atleast_1d(0.25)
    return best, n


def inputs_not_run(size, rng):
    return rng.random(size), size


def sifted(board: i64[3, 4], n: int):
    """Which items of a few are taken is not known at translation."""
    empty = [(r, c) for r in range(3) for c in range(4) if board[r, c] == 0]
    primes = [p for p in (2, 3, 5, 7) if n % p == 0]
    pairs = [i * j for i in range(2) for j in range(3) if i + j < n]
    known = [i for i in range(6) if i % 2]
    return empty, len(empty), primes, pairs, known, sum(i for i in range(4) if i < n)


def inputs_sifted(size, rng):
    return rng.integers(0, 2, (3, 4)), size


def kinds(a: f64[N], k: i64[M], n: int, x: float):
    """Lists whose numbers are Python's and NumPy's are sorted, and asked for the greatest; powers in loops."""
    found = []
    for f in (x, 2.0):
        s = 0.0
        for v in a:
            s = s * f + v
        found.append((f, s))
    found.sort(key=lambda r: r[1], reverse=True)
    powers = [n ** int(e) for e in k]
    sigma = 1
    for p, e in {2: n, 3: 1}.items():
        sigma *= (p ** (e + 1) - 1) // (p - 1)
    order = sorted(range(2), key=lambda i: found[i][1])
    return found[0][1] >= found[1][1], powers, sigma, order


def inputs_kinds(size, rng):
    return rng.random(size), rng.integers(0, 5, size), size, 0.5


def negative_power(k: i64[N], n: int):
    total = 0
    for e in k:
        total += n ** int(e)
    return total


def inputs_negative_power(size, rng):
    return rng.integers(0, 3, size), size


def left(a: f64[N], limit: float):
    """The loop's own name is read behind its `else`."""
    s = 0.0
    for i in range(len(a)):
        s += a[i]
        if s > limit:
            break
    else:
        s = -s
    for j in range(3):
        if limit < j:
            break
    else:
        j = 10
    return i + 1, s, j


def inputs_left(size, rng):
    return rng.random(size), 1.5


def powers(m: f64[3, 3], k: i64[2, 2], n: int):
    """Of a matrix, where the exponent is known when it is called."""
    return np.linalg.matrix_power(m, n), np.linalg.matrix_power(k, abs(n)), np.linalg.matrix_power(m, 3)


def inputs_powers(size, rng):
    return rng.random((3, 3)) + np.eye(3), rng.integers(0, 3, (2, 2)), size - 2


def middle(xs):
    s = sorted(xs)
    n = len(s)
    if n % 2 == 0:
        return (s[n // 2 - 1] + s[n // 2]) / 2
    return s[n // 2]


def zero_of(f, a, b):
    while b - a > 1e-6:
        m = (a + b) / 2
        if f(m) < 0:
            a = m
        else:
            b = m
    return (a + b) / 2


def whole_or_float(k: list[int], x: f64[N], n: int):
    """Numbers that are ints on some paths and floats on others."""
    m = middle(k)
    spread = sum((v - m) ** 2 for v in k) / len(k)
    r = n if n % 2 else x[0]
    width = [1] + [0] * n
    for i in range(1, n):
        width[i] = 2 * (x[i] - x[i - 1]) - width[i - 1] * 0.5
    top = max(r, 2.5) + abs(m) - r // 2
    return m / 2, spread, m > 2, r * x, width[n - 1] * 1.0, zero_of(lambda t: t - x[0], 0, 10), top * 1.0, -m + 0.5


def inputs_whole_or_float(size, rng):
    return [int(v) for v in rng.integers(-5, 9, size + 1)], rng.random(size + 1), size + 1


def eliminated(rows: list[list[float]], B: f64[N, 3], order: i64[M]):
    """Names of comprehensions beside those that a lambda sees; ranges and arrays where items stand."""
    n = len(rows)
    M = [row[:] + [1.0 if i == j else 0.0 for j in range(n)] for i, row in enumerate(rows)]
    for i in range(n):
        p = max(range(i, n), key=lambda r: abs(M[r][i]))
        M[i], M[p] = M[p], M[i]
        M[i] = [v / M[i][i] for v in M[i]]
        for r in range(n):
            if r != i:
                f = M[r][i]
                M[r] = [a - f * b for a, b in zip(M[r], M[i])]
    B[range(n), order[:n] % 3] += 1.0
    tour = [int(v) for v in order]
    tour[1:3] = reversed(tour[1:3])
    first = np.hypot(*(B[0, :2] * 2)) if n > 1 else 0.0
    return M, tour, first, B[range(0, n, 2)], heapq.nlargest(2, tour), heapq.nsmallest(3, tour, key=lambda v: -v)


def inputs_eliminated(size, rng):
    return (rng.random((size, size)) + np.eye(size)).tolist(), rng.random((size, 3)), rng.permutation(size + 3)


def joined_later(n: int):
    """Lists that branches in loops bind, and what is copied of one that is empty at first."""
    total, left, chosen = 0, [], []
    for i in range(n):
        if i % 3 == 0:
            row = [i, 2]
        elif i % 3 == 1:
            row = list(left)
        else:
            row = []
        row.append(i)
        total = total * 3 + len(row) + sum(row)
        chosen.append(row[0])
        near = [k for k in range(i)]
        while len(near) > 2:
            if near[0] % 2:
                near = near[1:] + [9]
            near = near[2:]
        total += len(near)
    return total, chosen, left


def inputs_joined_later(size, rng):
    return (size,)


def smoothed(x: f64[N], width: int, window="hanning", second="hamming"):
    """SciPy's cookbook: a window by its name, which is evaluated, and a product with a shift whose first array is the shorter one."""
    s = np.r_[x[width - 1:0:-1], x, x[-2:-width - 1:-1]]
    if window == "flat":
        w = np.ones(width, "d")
    else:
        w = eval("np." + window + "(width)")
    other = getattr(np, second)(width)
    return np.convolve(w / w.sum(), s, mode="valid"), np.correlate(s, other, "valid"), np.cross(x[:3], x[1:4])


def inputs_smoothed(size, rng):
    return rng.random(size + 6), 3


sizes_smoothed = (0, 1, 7)
