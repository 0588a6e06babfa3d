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
