"""Recurrences of floats that are long enough to run in chunks: what settles, what does not, NaN, zeros of both signs.
test_schedules.py runs them so at small sizes, too."""
from __future__ import annotations

import numpy as np

SIZES = (1, 7, 257, 262150)


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
