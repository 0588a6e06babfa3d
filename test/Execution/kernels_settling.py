"""Recurrences of floats that are long enough to run in chunks: what settles, what does not, NaN, zeros of both signs.
test_schedules.py runs them so at small sizes, too."""
from __future__ import annotations

import numpy as np

SIZES = (1, 257, 33001)


def means(x: f64[N], y: f32[N]):
    out = np.empty_like(x)
    out[0] = x[0]
    for i in range(1, len(x)):
        out[i] = 0.125 * x[i] + 0.875 * out[i - 1]
    level = y[0]
    gust = level * 2
    for i in range(len(y)):
        level = 0.25 * y[i] + 0.75 * level
        if level > gust:
            gust = level
        else:
            gust *= 0.5
        y[i] = gust - level
    return out, level, gust


def unsettled(x: f64[N]):
    """The first one depends on all its steps, the second is NaN from the middle on."""
    z = 0.3
    for i in range(len(x)):
        z = 3.75 * z * (1 - z)
        x[i] += z
    last = -0.0
    for i in range(len(x)):
        last = x[i] * 0.25 - last * 0.5 if i != 1000 else np.nan
        x[i] = last
    return z, last


def inputs_means(size, rng):
    return rng.normal(size=size), rng.normal(size=size).astype(np.float32)


def inputs_unsettled(size, rng):
    return (np.where(rng.random(size) < 0.5, 0.0, -0.0),)


def streaks(x: f64[N]):
    """What begins anew, and what is collected beside it."""
    n = runs = longest = 0
    for v in x:
        if v > 0:
            n += 1
            if n > longest:
                longest = n
        else:
            if n > 0:
                runs += 1
            n = 0
    return runs, longest, n


def likelihood(x: f64[N]):
    h = np.empty_like(x)
    h[0] = 1.0
    total = 0.0
    for t in range(1, len(x)):
        h[t] = 0.1 + 0.1 * x[t - 1] ** 2 + 0.5 * h[t - 1]
        total -= 0.5 * (np.log(h[t]) + x[t] ** 2 / h[t])
    return total, h


def greatest_sum(x: f64[N]):
    best = now = x[0]
    for i in range(1, len(x)):
        now = max(x[i], now + x[i] - 0.5)
        best = max(best, now)
    return best


def switched(x: f64[N], low: float, high: float):
    out = np.zeros(len(x), dtype=bool)
    on = False
    for i in range(len(x)):
        if x[i] > high:
            on = True
        elif x[i] < low:
            on = False
        out[i] = on
    return out, on


def inputs_streaks(size, rng):
    return (rng.normal(size=size),)


inputs_likelihood = inputs_greatest_sum = inputs_streaks


def inputs_switched(size, rng):
    return rng.normal(size=size), -1.0, 1.5


def averages(x: f64[N]):
    """Means of all so far, which nothing forgets, and what goes with them; what grows, and what is infinite, stays in order."""
    out = np.empty_like(x)
    mean = 0.0
    for i in range(len(x)):
        mean += (x[i] - mean) / (i + 1)
        out[i] = mean
    n = 0
    center = 0.0
    spread = 0.0
    for v in x:
        n += 1
        d = v - center
        center += d / n
        spread += d * (v - center)
    grown = np.empty_like(x)
    y = 0.1
    for i in range(len(x)):
        y = y * (1.00001 if i % 2 == 0 else 0.99999) + 0.001 * x[i]
        grown[i] = y
    z = np.inf
    for i in range(len(x)):
        z = z * (1.0 - 1.0 / (i + 2)) + x[i]
    return out, n, center, spread, grown, z


inputs_averages = inputs_streaks


def sums_between_bounds(x: f64[N], most: float):
    """What is added up and kept between bounds, by max() and min(), by branches, and by what both branches give at their edge."""
    here = best = x[0]
    for v in x[1:]:
        if here < 0:
            here = v
        else:
            here += v
        if here > best:
            best = here
    charge = np.empty_like(x)
    level = 0.5 * most
    for i, v in enumerate(x):
        level = min(max(level + v, 0.0), most)
        charge[i] = level
    rise = fall = 0.0
    alarms = 0
    for v in x:
        rise = max(0.0, rise + v - 0.01)
        fall = min(0.0, fall + v + 0.01)
        if rise > most or fall < -most:
            alarms += 1
    stock = np.empty_like(x)
    s = 0.0
    for i in range(len(x)):
        s -= x[i]
        if s > most:
            s = most
        elif s < 0.25:
            s = 0.25
        stock[i] = s
    return best, charge, alarms, rise, fall, stock


def inputs_sums_between_bounds(size, rng):
    x = rng.normal(size=size)
    x[size // 3] = rng.choice([0.0, 1e300, -np.inf, np.nan])
    return x, 20.0


def where_greatest(x: f64[N]):
    """What goes with the best so far; the last of them is asked for behind the loop only."""
    best = here = x[0]
    start = first = last = 0
    for i in range(1, len(x)):
        if here < 0:
            here = x[i]
            start = i
        else:
            here += x[i]
        if here > best:
            best = here
            first = start
            last = i
    return best, first, last


inputs_where_greatest = inputs_streaks


def filled_and_counted(x: f64[N], n: i64[N]):
    """Of integers, and of what a step may begin anew; what is far from what may be added up stays in order."""
    last = np.empty_like(x)
    seen = 0.0
    for i in range(len(x)):
        if x[i] == x[i]:
            seen = x[i]
        last[i] = seen
    run = longest = 0
    for i in range(len(n)):
        run = run + 1 if n[i] % 5 > 0 else 0
        longest = max(longest, run)
    depth = np.empty_like(n)
    d = 0
    for i in range(len(n)):
        d = max(d + n[i] % 3 - 1, 0)
        depth[i] = d
    far = 0
    for v in n:
        far = min(far + v, 2**61) if v > 0 else far
    return last, longest, run, depth, far


def inputs_filled_and_counted(size, rng):
    n = rng.integers(-1000, 1000, size)
    n[size // 2] = 2**60
    return np.where(rng.random(size) < 0.9, np.nan, rng.normal(size=size)), n


def remainders(data: i64[N], m: int):
    """Generators and checksums: steps modulo a number, of which one reads the other."""
    a, b = 1, 0
    for v in data:
        a = (a + v) % 65521
        b = (b + a) % 65521
    h = np.int64(5381)
    for v in data:
        h = (h * 33 + v) & 0xFFFFFFFF
    where = np.empty_like(data)
    k = 0
    for i, v in enumerate(data):
        k = (k * 31 + v) % m
        where[i] = k
    x = m + 3
    inside = 0
    for _ in range(len(data)):
        x = (1103515245 * x + 12345) % 2147483648
        u = x / 2147483648
        x = (1103515245 * x + 12345) % 2147483648
        v = x / 2147483648
        if u * u + v * v <= 1:
            inside += 1
    return b << 16 | a, h, where, k, inside, x


def inputs_remainders(size, rng):
    return rng.integers(-300, 300, size), 1000003


def last_of_list(x: f64[N], a: float):
    out = [x[0]]
    for v in x[1:]:
        out.append(a * v + (1 - a) * out[-1])
    return np.array(out)


def inputs_last_of_list(size, rng):
    return rng.normal(size=size), 0.2


def implicit_steps(u: f64[N], steps: i64, r: float):
    """Recurrences in a loop that nothing else is in: the host's where they are long."""
    n = len(u)
    c = np.zeros(n)
    d = np.zeros(n)
    total = 0.0
    for _ in range(steps):
        d[0] = u[0]
        for i in range(1, n - 1):
            m = 1 + r + r / 2 * c[i - 1]
            c[i] = -r / 2 / m
            d[i] = (r / 2 * u[i - 1] + (1 - r) * u[i] + r / 2 * u[i + 1] + r / 2 * d[i - 1]) / m
        for i in range(n - 2, 0, -1):
            u[i] = d[i] - c[i] * u[i + 1]
        total += u[n // 2]
    return total


def inputs_implicit_steps(size, rng):
    return rng.random(size), 3, 0.4


def thresholds(x: f64[N], low: float, high: float):
    """States that a state's own branches set, none as an extreme."""
    on = False
    y = np.zeros(len(x), dtype=np.int64)
    for i in range(len(x)):
        if on:
            if x[i] < low:
                on = False
        elif x[i] > high:
            on = True
        y[i] = 1 if on else 0
    last = 0
    kept = 0
    for i in range(1, len(x)):
        if abs(x[i] - x[last]) > high:
            last = i
            kept += 1
    return y, on, last, kept


def inputs_thresholds(size, rng):
    return rng.normal(size=size), -0.5, 0.75
