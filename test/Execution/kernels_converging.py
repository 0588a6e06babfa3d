"""Loops that go on until arrays say so, sweeps that update parts of what they stored, folds beside sweeps, counts."""
from __future__ import annotations

import numpy as np

SIZES = (1, 2, 7, 33, 300)


def make_inputs(size, rng):
    return rng.random(size) + 0.5, rng.random(size)


def laplacian(p):
    out = 4.0 * p
    out[1:, :] -= p[:-1, :]
    out[:-1, :] -= p[1:, :]
    out[:, 1:] -= p[:, :-1]
    out[:, :-1] -= p[:, 1:]
    return out


def conjugate_gradients(b: f64[N, M], limit: i64):
    x = np.zeros_like(b)
    r = b - laplacian(x)
    p = r.copy()
    rr = np.sum(r * r)
    steps = 0
    while steps < limit and rr > 1e-12:
        ap = laplacian(p)
        alpha = rr / np.sum(p * ap)
        x += alpha * p
        r -= alpha * ap
        new = np.sum(r * r)
        p = r + (new / rr) * p
        rr = new
        steps += 1
    return x, steps


def inputs_conjugate_gradients(size, rng):
    rows = min(size, 40)
    return rng.random((rows, max(size // 7, 1))), 40


def edges_of_sweeps(a: f64[N, M], n: i64, made: i64[N, M]):
    """Shifts along both axes, conditions that are the rows', a fill with two updates, an order that shows."""
    c = np.zeros((len(a), a.shape[1]))
    c[1:] += a[:-1]
    c[:-1, 1:] = c[:-1, 1:] * 0.5 - a[1:, :-1]
    c[n:] *= 3.0
    made[:] = made * 3 + n
    made[1:, :-1] //= made[1:, :-1] % 5 + 1
    made[:-1] -= 7
    d = a + 1.0
    d[:, 1:] = d[:, 1:] + d[:, :-1]
    d[1:-1, 1:-1] *= a[:-2, :-2] + a[2:, 2:]
    return c, d


def inputs_edges_of_sweeps(size, rng):
    return rng.random((size, 5)), int(rng.integers(0, size + 1)), rng.integers(-90, 90, (size, 5))


def halved_until_small(a: f64[N], b: f64[N]):
    """More steps than the host makes before it has them recorded, and once more with what is left."""
    steps = 0
    while np.max(a) > 1e-9:
        a *= 0.5
        b += a
        steps += 1
    while a[0] < 1e-3:
        a[:] = 4.0 * a
        steps += 2
    return steps


def ranks(a: f64[N], b: f64[N], rounds: i64):
    """Leaves by break; what counts is read behind the loop, and in it."""
    total, last = 0.0, -1
    seen = np.zeros(rounds)
    for k in range(rounds):
        new = 0.8 * a + 0.2 * b / (k + 1)
        change = np.abs(new - a).sum()
        a[:] = new
        seen[k] = change + last
        last = k
        if change < 1e-4:
            break
        total += change
    return total, last, seen


def inputs_ranks(size, rng):
    return rng.random(size), rng.random(size), 60


def with_loops_inside(a: f64[N], b: f64[N], smooth: i64):
    """Loops and branches of the host's in the steps, a number that is set once, one that changes before it is read."""
    error, kind, shift = 1.0, 0, 2
    scale = 0.25
    while error > 1e-3 and kind < 200:
        for s in range(2):
            a[1:] = a[1:] - scale * (a[1:] - a[:-1]) / shift
        if smooth > 1:
            b[:] = 0.5 * (a + b)
        else:
            b[:] = a - 0.1 * b
        shift = 3
        kind += 1
        error = np.sum(a[1:] - a[:-1]) ** 2 / (kind + shift)
    return kind, shift, error


def inputs_with_loops_inside(size, rng):
    return np.sort(rng.random(size)), rng.random(size), size % 3


def lengths_that_change(a: f64[N], b: f64[N]):
    """The host has to know: ranges follow what the arrays say."""
    n, rounds = len(a), 0
    while n > 0 and rounds < 50:
        a[:n] *= 0.7
        b[:n] += a[:n]
        n = np.count_nonzero(a > 0.05)
        rounds += 1
    return rounds, n


def never(a: f64[N], b: f64[N]):
    """No step at all, and what a step would have set."""
    best, at = np.min(a), 5
    while best < 0.0:
        a += 1.0
        best = np.min(a)
        at += 1
    return best, at


def folds_along(a: f64[N], b: f64[N]):
    """A fold of what a sweep makes, of what the next one overwrites, under a condition, by minimum; two at once."""
    c = a * b - 0.3
    total, least = np.sum(c), np.min(c)
    norm = np.sqrt(np.sum(a * a))
    a /= norm + 1.0
    d = np.where(b > 0.5, c, -a)
    picked = np.sum(np.where(d > 0, d, 0.0))
    away = np.sum(np.abs(b - d))
    b[:] = d
    return total, least, picked, away, c


def means_of_rows(x: f32[N, M]):
    y = x * x + np.float32(1)
    whole = y.sum()
    y -= whole / np.float32(y.size)
    return y, whole, y.max()


def inputs_means_of_rows(size, rng):
    return (rng.random((size, 13)).astype(np.float32),)


def grey_levels(image: u8[H, W], k: i32[H], low: i8[W]):
    """Blocks have their own counts; negative subscripts, another operator, two arrays at once, under a condition."""
    counts = np.bincount(image.ravel(), minlength=256)
    signs, most = np.zeros(7, np.int32), np.full(5, -9, np.int64)
    for i in range(len(k)):
        if k[i] % 3 != 0:
            signs[k[i] % 7 - 7] += k[i]
        most[k[i] % 5] = max(most[k[i] % 5], np.int64(k[i]))
    table = np.zeros(300, np.int64)
    for i in range(image.shape[0]):
        for j in range(image.shape[1]):
            table[np.int64(image[i, j]) + low[j]] += i
    return counts, np.bincount(image[0], minlength=300), signs, most, table


def inputs_grey_levels(size, rng):
    image = (rng.normal(0, 30, (size, 67)) % 200).astype(np.uint8)
    return image, rng.integers(-50, 50, size).astype(np.int32), rng.integers(0, 90, 67).astype(np.int8)
