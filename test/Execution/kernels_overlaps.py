"""Loops of the host over several kernels, each of which reads what the one before has written: in both directions, with
empty grids, library calls and support code in between, with conditions that the host looks up."""
from __future__ import annotations

import numpy as np

SIZES = (0, 1, 2, 3, 17, 33, 129, 257)
STEPS = {0: 3, 1: 0, 2: 1, 3: 40, 17: 9, 33: 6, 129: 3, 257: 2, 1000: 5}
CLUSTERS = False


def make_inputs(size, rng):
    return STEPS[size], rng.random(size), rng.random(size)


def there_and_back(steps: i64, a: f64[N], b: f64[N]):
    """All launches are alike: a graph of some steps."""
    for t in range(steps):
        b[1:-1] = a[2:] - 0.25 * a[:-2]
        a[1:-1] = 0.5 * (b[2:] + b[:-2])
        a[0] = b[-1]


sizes_names_change_places = (*SIZES, 1000)  # several tiles a block
sizes_there_and_back = (1, 2, 3, 17, 33, 129, 257)


def with_the_index(steps: i64, a: f64[N], b: f64[N]):
    """Recorded as a whole."""
    for t in range(steps):
        b[:] = a[::-1] + t
        a[:] = 0.5 * b[::-1] * a


def names_change_places(steps: i64, a: f64[N], b: f64[N]) -> f64[N]:
    for t in range(steps):
        b[1:] = 0.5 * a[:-1] + a[1:]
        b[:1] = a[:1]
        a, b = b, a
    return a + 1.0


def empty_in_between(steps: i64, a: f64[N], b: f64[N]):
    """The second kernel has nothing to do at first, the third one nothing at last."""
    for k in range(a.shape[0] + 1):
        a[:] = 0.5 * a[::-1] + b
        b[:k] = a[:k] + 1.0
        b[k:] = 0.25 * a[k:]


sizes_empty_in_between = (0, 1, 2, 3, 17, 33)


def only_empty(steps: i64, a: f64[N], b: f64[N]):
    """Every other iteration launches nothing for most sizes."""
    for k in range(20):
        if k % 2 == 0:
            a[k:] = b[k:] + 0.5 * a[k:]
        else:
            b[:a.shape[0] - k] = a[k:]


def inputs_only_empty(size, rng):
    return 0, rng.random(size + 20), rng.random(size + 20)


def nested(steps: i64, a: f64[N], b: f64[N]):
    """The inner loop's kernels read what the outer one's wrote, and the other way round."""
    for s in range(3):
        a[:] = a + b[::-1]
        for t in range(s + steps):
            b[:] = 0.5 * a[::-1]
            a[:] = a - 0.5 * b[::-1]
        b[:] = np.sqrt(np.abs(b)) + a


def sums(steps: i64, a: f64[N], b: f64[N]) -> f64:
    """Scalars that stay on the device."""
    total = 0.0
    for t in range(steps):
        s = np.sum(a) + 1.0
        b[:] = a / s
        m = np.max(b)
        a[:] = b[::-1] + m
        total += m
    return total


sizes_sums = (1, 2, 3, 17, 33, 129, 257)


def product(steps: i64, A: f64[N, N], B: f64[N, N], v: f64[N]):
    """Library calls between kernels."""
    for t in range(steps):
        B[:] = A @ A
        A[:] = B / (1.0 + np.max(np.abs(B)))
        v[:] = A @ v
        B[:] = A + v


def inputs_product(size, rng):
    return STEPS[size], rng.random((size, size)), rng.random((size, size)), rng.random(size)


sizes_product = (1, 2, 3, 17, 33)


def whole_product(steps: i64, A: i32[N, N], B: i32[N, N]):
    """A kernel of the support code between kernels."""
    for t in range(steps):
        B[:] = A @ A
        A[:] = B % 7


def inputs_whole_product(size, rng):
    A = rng.integers(0, 7, (size, size), dtype=np.int32)
    return STEPS[size], A, A.copy()


def masked(steps: i64, x: f64[N], v: f64[N], r: f64[M]):
    for t in range(steps):
        for i in range(r.shape[0]):
            r[i] = np.sum(v[(x >= i) & (x < i + 1)])
        v[:] = 0.5 * v + t


def inputs_masked(size, rng):
    return min(STEPS[size], 3), rng.random(size) * 20, rng.random(size), np.zeros(20)


def until(least: f64, a: f64[N], b: f64[N]) -> i64:
    """The host asks for the condition in each iteration."""
    count = 0
    while np.sum(a) > least:
        b[1:] = 0.25 * a[:-1]
        a[:] = 0.25 * a + b[::-1] * 0.125
        count += 1
    return count


def inputs_until(size, rng):
    return 0.01, rng.random(size), np.zeros(size)


def around(steps: i64, a: f64[N], b: f64[N]):
    """Kernels before, between and after the loops."""
    a[:] = a + b
    for t in range(steps):
        b[:] = a[::-1]
        a[:] = 0.5 * b
    b[:] = b + a
    for t in range(20):
        a[1:] = b[:-1] + 0.25 * a[1:]
        b[:] = 0.5 * a
    a[:] = a - b


def wide(steps: i64, a: f32[N, M], s: f32[N]):
    """Rows by warps or blocks, whose lanes have barriers."""
    for t in range(steps):
        for i in range(a.shape[0]):
            s[i] = np.sum(a[i, :]) + 1.0
        for i in range(a.shape[0]):
            a[i, :] = np.exp(a[i, :] / s[a.shape[0] - 1 - i] - 1.0)


def inputs_wide(size, rng):
    return min(STEPS[size], 4), rng.random((size, 70), dtype=np.float32), np.zeros(size, np.float32)
