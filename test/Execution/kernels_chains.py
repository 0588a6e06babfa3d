"""Steps that wait for the one a distance before, which the call or the data know: as many chains; a distance of nothing, or one
that leads on, stays in order."""
from __future__ import annotations

import numpy as np

SIZES = (1, 2, 3, 37)


def make_inputs(size, rng):
    coins = rng.integers(1, size // 2 + 3, 4)
    coins[size % 4] = size + 5
    return coins, rng.integers(0, 9, (3, size + 1)), size // 5 + 1, size - 7, rng.uniform(-1.0, 1.0, size + 2)


def partitions(coins: i64[K], table: i64[M, N], gap: i64, other: i64, x: f64[L]) -> i64[P]:
    n = table.shape[1]
    p = np.zeros(n + 1, dtype=np.int64)
    p[0] = 1
    for k in range(1, n + 1):
        for s in range(k, n + 1):
            p[s] = (p[s] + p[s - k]) % 1000003
    return p


def change(coins: i64[K], table: i64[M, N], gap: i64, other: i64, x: f64[L]):
    total = table.shape[1]
    fewest = np.full(total + 1, 10 ** 9)
    ways = np.zeros(total + 1, dtype=np.int64)
    fewest[0] = 0
    ways[0] = 1
    for k in range(len(coins)):
        for t in range(coins[k], total + 1):
            fewest[t] = min(fewest[t], fewest[t - coins[k]] + 1)
    for c in coins:
        for t in range(c, total + 1):
            ways[t] += ways[t - c]
    return fewest, ways


def reachable(coins: i64[K], table: i64[M, N], gap: i64, other: i64, x: f64[L]):
    """What is not stored stays; some numbers are nothing, or below."""
    total = table.shape[1]
    dp = np.zeros(total + 1, dtype=np.bool_)
    dp[0] = True
    for k in range(len(coins)):
        c = coins[k] - 1
        for t in range(max(c, 0), total + 1):
            if dp[t - c]:
                dp[t] = True
    return dp


def combs(coins: i64[K], table: i64[M, N], gap: i64, other: i64, x: f64[L]):
    """Echoes; `other` is a distance of any sign."""
    y = x.copy()
    for i in range(gap, len(y)):
        y[i] += 0.5 * y[i - gap]
    z = x.copy()
    for i in range(abs(other), len(z) - abs(other)):
        w = z[i - other] * 0.25
        z[i] = x[i] - w
    return y, z


def first_steps(coins: i64[K], table: i64[M, N], gap: i64, other: i64, x: f64[L]):
    """Those of which nothing is before take another branch: at one end, at the other, up to a distance of any sign."""
    n = len(x)
    delay = abs(other) % 4
    echo = np.zeros_like(x)
    smooth = np.zeros(n)
    volume = np.zeros(n)
    back = np.zeros(n)
    ways = np.zeros(n)
    late = x.copy()
    for i in range(n):
        echo[i] = x[i]
        if i >= delay:
            echo[i] += 0.5 * echo[i - delay]
    for i in range(n):
        if i == 0:
            smooth[i] = x[i]
        else:
            smooth[i] = 0.25 * x[i] + 0.75 * smooth[i - 1]
    price = 0.0
    for i in range(n):
        price += x[i]
        if i > 0:
            if x[i] > x[i - 1]:
                volume[i] = volume[i - 1] + price
            elif x[i] < x[i - 1]:
                volume[i] = volume[i - 1] - price
            else:
                volume[i] = volume[i - 1]
    for i in range(n - 1, -1, -1):
        back[i] = x[i] + (0.9 * back[i + 1] if i < n - 1 else 0.0)
    for i in range(n):
        ways[i] = (ways[i - 1] if i > 0 else 1) + (ways[i - gap] if not i < gap else 0)
    for i in range(2, n):
        if 3 <= i and other < 3 and x[i] < 0.5:
            late[i] -= late[i - 2]
    return echo, smooth, volume, back, ways, late, price


def rows(coins: i64[K], table: i64[M, N], gap: i64, other: i64, x: f64[L]):
    """Along one axis, in one row after the other; and two arrays at once."""
    count = np.zeros(table.shape[1], dtype=np.int64)
    for i in range(table.shape[0]):
        for s in range(gap, table.shape[1]):
            table[i, s] = max(table[i, s], table[i, s - gap] - 1)
            count[s] = count[s - gap] + table[i, s]
    return count
