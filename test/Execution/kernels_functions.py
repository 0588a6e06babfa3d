"""Functions of the file that stay functions: numbers of all kinds, branches, loops, calls of others, wherever calls may stand."""
from __future__ import annotations

import math

import numpy as np

RATE = 0.25
TABLE = np.array([1.0, 0.5, 0.25, 0.125])


def cumulative(x, slope=0.2316419):
    """Of the normal distribution."""
    k = 1.0 / (1.0 + slope * abs(x))
    w = 1.0 - np.exp(-x * x / 2.0) * (0.3 * k + 1.3 * k**2)
    if x < 0.0:
        return 1.0 - w
    return w


def sphere(x, y, z, r):
    return np.sqrt(x * x + y * y + z * z) - r


def scene(x, y, z):
    d = sphere(x, y, z, 1.0)
    d = min(d, sphere(x - 0.5, y, z, 0.5))
    if y < -0.5:
        return d
    elif y > 0.5:
        d = max(d, -sphere(x, y, z, 0.75))
    return min(d, y + 1.0)


def escape(cx, cy, most):
    zx, zy = 0.0, 0.0
    for n in range(most):
        if zx * zx + zy * zy > 4.0:
            return n
        zx, zy = zx * zx - zy * zy + cx, 2.0 * zx * zy + cy
    return most


def gcd(a, b):
    while b != 0:
        a, b = b, a % b
    return a


def wrapped(n, by):
    total = n
    while by > 0:
        total = total * 3 + n // (by + 1) - (n % 7)
        n = -n ^ by
        by -= 1
    return total


def is_far(x, y):
    d = x * x + y * y
    return d > 1.0


def half(x):
    y = x * np.float32(0.5)
    z = y * 3
    return z + 1


def turned(z, angle):
    w = complex(math.cos(angle), math.sin(angle))
    return z * w - 0.5j


def newton(x, a):
    x = x - (x * x - a) / (2.0 * x)
    return abs(x)


def bin_of(x, count):
    k = int(x * count)
    if k < 0:
        k = 0
    if k > count - 1:
        k = count - 1
    return k


def row_start(i, n):
    return i * n


def power_of(x, n):
    y = x**n
    z = y + RATE
    return z * RATE


def collected(total, x):
    t = x * x
    return total + t


def decayed(y, x):
    z = 0.5 * y
    return z + x


def larger(a, b):
    return a if a > b else b


def looked_up(k, x):
    t = TABLE[k % 4]
    return t * x + t


def minimum(a, b):
    """A name of the support code's."""
    if a < b:
        return a - 1.0
    return b - 1.0


def double(x):
    return x + x


def prices(a: f64[N], b: f64[N]) -> f64[N]:
    out = np.zeros(len(a))
    for i in range(len(a)):
        d = a[i] - b[i]
        out[i] = a[i] * cumulative(d) - b[i] * cumulative(-d, slope=0.3) + cumulative(cumulative(d))
    return out


def marched(a: f64[N]) -> tuple[f64[N], i64[N]]:
    out = np.zeros(len(a))
    steps = np.zeros(len(a), np.int64)
    for i in range(len(a)):
        t = 0.0
        while scene(a[i], 0.1, t - 3.0) > 1e-3 and steps[i] < 50:
            t += scene(a[i], 0.1, t - 3.0)
            steps[i] += 1
        out[i] = t
    return out, steps


sizes_picture = (0, 1, 6, 33)


def picture(a: f64[N], most: i64) -> i64[N, N]:
    out = np.zeros((len(a), len(a)), np.int64)
    for i in range(len(a)):
        for j in range(len(a)):
            out[i, j] = escape(2.0 * a[i] - 1.5, 2.0 * a[j] - 1.0, most) + escape(a[i], a[j], 5)
    return out


def whole_numbers(n: i64[N], k: i32[N]) -> tuple[i64[N], i64[N], i32[N]]:
    out = np.zeros(len(n), np.int64)
    divisors = np.zeros(len(n), np.int64)
    narrow = np.zeros(len(n), np.int32)
    for i in range(len(n)):
        divisors[i] = gcd(n[i], 12) + gcd(12, n[i])
        out[i] = wrapped(n[i], 40 + i % 8) + wrapped(i, 5)
        narrow[i] = wrapped(k[i], k[i] % np.int32(9))
    return out, divisors, narrow


def other_types(s: f32[N], z: c128[N], a: f64[N]) -> tuple[f32[N], c128[N], i64]:
    singles = np.zeros(len(s), np.float32)
    turns = np.zeros(len(z), np.complex128)
    far = 0
    for i in range(len(s)):
        singles[i] = half(s[i]) - half(half(s[i]))
        turns[i] = turned(z[i], a[i]) + turned(1j, 0.5 * a[i])
        if is_far(a[i], s[i]) or not is_far(2.0 * a[i], 1.0):
            far += 1
    return singles, turns, far


def on_arrays(a: f64[N], b: f64[N], m: f64[M, N]) -> tuple[f64[N], f64[M, N], f64]:
    far = np.where(is_far(a, b), double(a), double(double(b)))
    return far, sphere(m, a, 2.0, b), np.sum(double(a * b)) + double(np.sum(a))


def by_subscripts(a: f64[N]) -> tuple[i64[10], f64[N], f64[N]]:
    counts = np.zeros(10, np.int64)
    for i in range(len(a)):
        counts[bin_of(a[i], 10)] += 1
    flat = np.zeros(3 * len(a))
    for i in range(3):
        for j in range(len(a)):
            flat[row_start(i, len(a)) + j] = a[j] + i
    return counts, flat[row_start(1, len(a)):row_start(2, len(a))], np.zeros(bin_of(0.35, 10) + len(a))


def steps_of_loops(a: f64[N], start: f64) -> tuple[f64, f64, f64, f64[N], f64]:
    total, most, y, root = 0.0, -1e300, start, start
    smooth = np.zeros(len(a))
    for i in range(len(a)):
        total = collected(total, a[i])
        most = larger(most, a[i])
    for i in range(len(a)):
        y = decayed(y, a[i])
        smooth[i] = y
    for i in range(1, len(a)):
        smooth[i] = decayed(smooth[i - 1], smooth[i])
    for _ in range(20):
        root = newton(root, start)
    return total, most, y, smooth, larger(collected(1.0, root), decayed(root, 2.0))


def constants_and_names(a: f64[N], n: i64) -> f64[N]:
    out = np.zeros(len(a))
    for i in range(len(a)):
        out[i] = power_of(a[i], 2) + power_of(a[i], 3) + minimum(a[i], 0.5) + minimum(0.25, a[i])
        out[i] += looked_up(i, a[i]) + looked_up(n + i, 1.0) + double(a[i]) + power_of(1.0 + a[i], a[i])
    return out


def inputs_prices(size, rng):
    return 3 * rng.standard_normal(size), rng.random(size)


def inputs_picture(size, rng):
    return rng.random(size), 30


def inputs_whole_numbers(size, rng):
    return rng.integers(-2**62, 2**62, size), rng.integers(0, 2**31 - 1, size).astype(np.int32)


def inputs_other_types(size, rng):
    return (rng.standard_normal(size).astype(np.float32), rng.random(size) + 1j * rng.random(size),
            rng.standard_normal(size))


def inputs_on_arrays(size, rng):
    return rng.random(size), rng.random(size), rng.random((3, size))


def inputs_steps_of_loops(size, rng):
    return rng.standard_normal(size), 2.0


def inputs_constants_and_names(size, rng):
    return rng.random(size), 3


def make_inputs(size, rng):
    return (rng.random(size),)
