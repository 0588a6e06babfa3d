"""What one thread would do in many steps, the host does on copies of the arrays: what comes, goes, and is its own."""
from __future__ import annotations

import numpy as np

SIZES = (0, 1, 2, 7, 61, 300)


def merged(a: f64[N], b: f64[M]):
    """Filled by two loops; what follows is the device's."""
    out = np.empty(len(a) + len(b))
    i = j = k = 0
    while i < len(a) and j < len(b):
        if a[i] <= b[j]:
            out[k] = a[i]
            i += 1
        else:
            out[k] = b[j]
            j += 1
        k += 1
    while i < len(a):
        out[k] = a[i]
        i += 1
        k += 1
    while j < len(b):
        out[k] = b[j]
        j += 1
        k += 1
    return out * 2.0, i + j


def inputs_merged(size, rng):
    return np.sort(rng.integers(0, 99, size) / 4), np.sort(rng.integers(0, 99, size + 2) / 4)


def next_greater(a: f64[N]):
    """A stack of its own; the device has made both arrays before."""
    shifted = a + 1.0
    out = np.full(len(a), -1)
    stack = np.empty(len(a), dtype=np.int64)
    top = 0
    for i in range(len(a)):
        while top > 0 and shifted[stack[top - 1]] < shifted[i]:
            top -= 1
            out[stack[top]] = i
        stack[top] = i
        top += 1
    return out, top


def inputs_next_greater(size, rng):
    return (rng.integers(0, 99, size) / 4,)


def in_place(x: f64[N], seen: i64[N]):
    """The caller's arrays, of which some elements alone are changed; one array in two types."""
    at = 0
    for t in range(len(x)):
        at = (at + int(x[at]) + t) % len(x)
        seen[at] += 1
        x[at] = np.floor(x[at] / 2) + seen[at] % 3


def inputs_in_place(size, rng):
    return rng.integers(0, 99, size) / 1.0, rng.integers(0, 5, size)


def mixed(u: f32[N], z: c128[N], m: bool[N]):
    """Arithmetic of other types; functions of the file's and of mathematics."""
    s = np.float32(0.5)
    w = 0j
    flips = 0
    for i in range(len(u)):
        s = step(s, u[i]) if m[i] else np.sqrt(np.float32(abs(s)))
        w = w * z[i] + np.exp(-abs(w)) if flips % 3 else w.conjugate() + z[i]
        if s > 1 or m[i] and flips > 2:
            flips = flips // 2 - i % 5
            m[i] = not m[i]
        else:
            flips += 1
        u[i] = s
    return s, w, flips


def step(s, x):
    if s > x:
        return s * x
    return s + x


def inputs_mixed(size, rng):
    return (rng.random(size).astype(np.float32), np.exp(1j * rng.random(size)) / 2, rng.random(size) < 0.4)


def looked_up(table: f64[K], steps: int):
    """Few steps, a table of any size: it stays where it is."""
    at = 0
    total = 0.0
    for t in range(steps):
        at = int(table[at] * len(table)) % len(table)
        total = total * 0.5 + table[at]
        if total > 1.5:
            at = len(table) - 1 - at
    return total


def inputs_looked_up(size, rng):
    return rng.random(size + 1), size
