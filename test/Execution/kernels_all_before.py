"""Steps that fold over all earlier ones: extremes, terms under branches, a start of the source's, earlier steps in reverse, and
elements in front of the first step."""
from __future__ import annotations

import numpy as np


def make_inputs(size, rng):
    return (rng.normal(size=size),)


def longest_increasing(a: f64[N]):
    n = len(a)
    best = np.ones(n, dtype=np.int64)
    for i in range(1, n):
        for j in range(i):
            if a[j] < a[i]:
                best[i] = max(best[i], best[j] + 1)
    return best


def inputs_fractional(size, rng):
    w = np.ones(size)
    for j in range(1, size):
        w[j] = w[j - 1] * (j - 1.8) / j
    return w, 0.01, 0.8


def fractional(w: f64[N], h: f64, alpha: f64):
    """By Gruenwald's and Letnikov's weights; each step takes the one before apart as well."""
    n = len(w)
    y = np.zeros(n)
    if n > 0:
        y[0] = 1.0
    for k in range(1, n):
        s = 0.0
        for j in range(1, k + 1):
            s += w[j] * y[k - j]
        y[k] = -y[k - 1] * h ** alpha - s
    return y


def inputs_by_slices(size, rng):
    return inputs_fractional(size, rng)[:1]


def by_slices(w: f64[N]):
    n = len(w)
    y = np.zeros(n)
    y[:1] = 1.0
    for k in range(1, n):
        y[k] = 0.5 * y[k - 1] - np.dot(w[1:k + 1], y[k - 1::-1])
    return y


def inputs_volterra(size, rng):
    return rng.normal(size=size), 1.0 / max(size, 1)


def volterra(g: f64[N], h: f64):
    """An equation of the second kind by trapezoids."""
    n = len(g)
    u = g.copy()
    for i in range(1, n):
        s = 0.5 * np.exp(-(i * h)) * u[0]
        for j in range(1, i):
            s += np.exp(-(i - j) * h) * u[j]
        u[i] = (g[i] + h * s) / (1.0 - 0.5 * h)
    return u


def rods(price: f64[N]):
    """The best price of a rod that is cut; NaN is never better."""
    n = len(price)
    best = np.zeros(n + 1)
    for i in range(1, n + 1):
        m = -1.0
        for j in range(1, i + 1):
            v = price[j - 1] + best[i - j]
            if v > m:
                m = v
        best[i] = m
    return best


def inputs_renewal(size, rng):
    return rng.random(size) / max(size, 1), rng.random(size)


def renewal(f: f64[N], g: f64[N]):
    n = len(f)
    m = np.zeros(n)
    for t in range(n):
        acc = g[t]
        for s in range(1, t + 1):
            acc += f[s] * m[t - s]
        m[t] = acc
    return m


def inputs_nearer(size, rng):
    a = rng.normal(size=size)
    a[rng.random(size) < 0.1] = np.nan
    return a, 3.0


def nearer(a: f64[N], start: f64):
    """The least cost of a way along growing numbers, two elements in front of the first step."""
    n = len(a)
    cost = np.full(n, start)
    for i in range(2, n):
        least = start
        for j in range(i):
            if a[j] < a[i] and j % 3 != 1:
                least = min(least, cost[j] + (a[i] - a[j]) * 0.1)
        cost[i] = least - 0.01
    return cost


def inputs_counted(size, rng):
    return (rng.integers(-5, 5, size),)


def counted(a: i64[N]):
    """How many chains of numbers that divide end with each; the divisor may be 0."""
    n = len(a)
    chains = np.zeros(n, dtype=np.int64)
    for i in range(n):
        total = 1
        for j in range(i):
            if a[j] != 0:
                if a[i] % a[j] == 0:
                    total += chains[j]
        chains[i] = total
    return chains


def last_step_left_out(w: f64[N]):
    """Each step leaves out the one right before."""
    n = len(w)
    y = np.zeros(n)
    for i in range(2, n):
        s = w[i]
        for j in range(i - 1):
            s += w[i - j] * y[j] / n
        y[i] = np.sin(s)
    return y


def by_halves(w: f64[N]):
    """Elements that several steps store."""
    n = len(w)
    y = np.zeros(n + 1)
    for i in range(1, n):
        s = w[i]
        for j in range(i):
            s += w[j] * y[j // 2] / n
        y[i // 2] = np.sin(s)
    return y


def inputs_stored_where_greater(size, rng):
    a = rng.normal(size=size)
    a[rng.random(size) < 0.1] = np.nan
    return (a,)


def stored_where_greater(a: f64[N]):
    """Extremes that branches store."""
    n = len(a)
    best = np.ones(n, dtype=np.int64)
    far = np.zeros(3)
    for i in range(n):
        for j in range(i):
            if a[j] < a[i] and best[j] + 1 > best[i]:
                best[i] = best[j] + 1
    for i in range(n):
        if a[i] > far[0]:
            far[0] = a[i]
        if i > 2 and a[i] < far[1]:
            far[1] = a[i]
        if far[2] < best[i]:
            far[2] = best[i]
    return best, far


def inputs_stored_first(size, rng):
    return rng.random(size) / max(size, 1), rng.random(size)


def stored_first(c: f64[N], y: f64[N]):
    """Elements that collect from what was stored into them right before."""
    n = len(y)
    x = np.zeros(n)
    best = np.zeros(n)
    for i in range(n):
        x[i] = 2.0 * y[i]
        for j in range(i):
            x[i] -= c[i - j] * x[j]
        x[i] /= 1.0 + c[0]
    for i in range(n):
        best[i] = y[i]
        for j in range(i):
            if y[j] < y[i]:
                best[i] = max(best[i], best[j] + y[i])
    return x, best


def stored_and_read(c: f64[N], y: f64[N]):
    """The same where others look at the element in between."""
    n = len(y)
    x = c.copy()
    seen = np.zeros(n)
    for i in range(n):
        x[i] = y[i]
        s = x[i]
        for j in range(n):
            s += 0.5 * x[j] / n
        x[i] = s
    for i in range(n):
        x[i] = c[i] + 1.0
        s = x[i]
        for j in range(i):
            s += x[j + 1] / n
        x[i] = s
    for i in range(n):
        x[i] = y[i] * 3.0
        s = x[i]
        seen[i] = x[n - 1 - i]
        for j in range(i):
            s += x[j] * c[j]
        x[i] = s
    return x, seen


inputs_stored_and_read = inputs_stored_first


def from_the_last(a: f64[N]):
    """Steps downward, which fold over all behind them."""
    n = len(a)
    best = np.zeros(n)
    for i in range(n - 1, -1, -1):
        best[i] = a[i]
        for j in range(i + 1, n):
            if a[j] > a[i]:
                best[i] = max(best[i], best[j] + 1.0)
    return best
