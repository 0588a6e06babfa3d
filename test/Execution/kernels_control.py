"""Loops with any bounds, while, if/elif/else, conditional expressions, tuple assignment."""
from __future__ import annotations

import numpy as np


def prefix_sums(a: f64[N]) -> f64[N]:
    """Each iteration needs the one before: stays serial."""
    out = np.empty_like(a)
    total = 0.0
    for i in range(a.shape[0]):
        total += a[i]
        out[i] = total
    return out


def recurrence(a: f64[N]):
    for i in range(2, a.shape[0]):
        a[i] = 0.5 * a[i - 1] - 0.25 * a[i - 2] + a[i]


def steps_down(a: f64[N]):
    for i in range(len(a) - 2, -1, -1):
        a[i] += 0.5 * a[i + 1]


def steps_of_three(a: f64[N]):
    for i in range(1, len(a), 3):
        a[i] = -a[i]


def steps_from_arguments(a: f64[N], start: i64, stop: i64, step: i64):
    for i in range(start, stop, step):
        a[i] += i


def inputs_steps_from_arguments(size, rng):
    if size % 2:
        return rng.random(size), size - 1, -1, -2
    return rng.random(size), 0, size, 3


def triangle(m: f64[M, M]):
    n = m.shape[0]
    for i in range(n):
        for j in range(i + 1, n):
            m[i, j] = m[j, i] + i - j


def inputs_triangle(size, rng):
    return (rng.random((size, size)),)


sizes_triangle = (0, 1, 2, 3, 33, 65)


def cholesky(A: f64[N, N]):
    for i in range(A.shape[0]):
        for j in range(i):
            A[i, j] = (A[i, j] - np.dot(A[i, :j], A[j, :j])) / A[j, j]
        A[i, i] = np.sqrt(A[i, i] - np.dot(A[i, :i], A[i, :i]))


def inputs_cholesky(size, rng):
    g = rng.random((size, size))
    return (g @ g.T + size * np.eye(size),)


sizes_cholesky = (0, 1, 2, 3, 17, 33)


def collatz(start: i64[N]) -> i64[N]:
    out = np.zeros(start.shape[0], dtype=np.int64)
    for i in range(start.shape[0]):
        n = start[i]
        steps = 0
        while n != 1:
            if n % 2 == 0:
                n = n // 2
            else:
                n = 3 * n + 1
            steps += 1
        out[i] = steps
    return out


def inputs_collatz(size, rng):
    return (rng.integers(1, 1000, size),)


def classify(a: f64[N]) -> i64[N]:
    out = np.zeros(len(a), dtype=np.int64)
    for i in range(len(a)):
        if a[i] < 0.25:
            out[i] = 1
        elif a[i] < 0.5 and i % 2 == 0:
            out[i] = 2
        elif not a[i] < 0.9 or i == 5:
            out[i] = 3
        else:
            out[i] = 4
    return out


def conditional_expressions(a: f64[N]) -> f64[N]:
    out = np.empty(len(a))
    for i in range(len(a)):
        out[i] = a[i] if a[i] > 0.5 else (-1.0 if i > 3 else i)
    return out


def branch_on_arguments(a: f64[N], kind: i64) -> f64:
    result = 0.0
    if kind == 0:
        result = a[0]
    elif kind == 1:
        for i in range(len(a)):
            result = max(result, a[i])
    else:
        result = -1.0
    return result


def inputs_branch_on_arguments(size, rng):
    return rng.random(size), size % 3


sizes_branch_on_arguments = (1, 2, 3, 7, 33)


def early_return(a: f64[N], limit: f64) -> f64:
    total = np.sum(a)
    if total > limit:
        return total
    return -total


def inputs_early_return(size, rng):
    return rng.random(size), size / 2 - 0.01


def fibonacci(n: i64) -> i64:
    a, b = 0, 1
    for i in range(n):
        a, b = b, a + b
    return a


def inputs_fibonacci(size, rng):
    return (size,)


sizes_fibonacci = (0, 1, 2, 10, 90)


def swap_elements(a: f64[N]):
    n = len(a)
    for i in range(n // 2):
        a[i], a[n - 1 - i] = a[n - 1 - i], a[i]


def newton_until_converged(a: f64[N]) -> f64[N]:
    roots = np.empty(len(a))
    for i in range(len(a)):
        x = a[i] + 1.0
        while abs(x * x - a[i]) > 1e-12 * (1.0 + a[i]):
            x = 0.5 * (x + a[i] / x)
        roots[i] = x
    return roots


def chained_comparison(a: f64[N]) -> i64:
    count = 0
    for i in range(len(a)):
        if 0.25 < a[i] <= 0.75:
            count += 1
    return count


def bounds_from_arrays(starts: i32[R], a: f64[N]) -> f64[R]:
    out = np.zeros(len(starts))
    for r in range(len(starts) - 1):
        for p in range(starts[r], starts[r + 1]):
            out[r] += a[p]
    return out


def inputs_bounds_from_arrays(size, rng):
    starts = np.sort(rng.integers(0, size + 1, size + 1)).astype(np.int32)
    return starts, rng.random(size)


def loop_variable_after_the_loop(n: i64) -> i64:
    i = -5
    for i in range(n):
        pass
    return i


def inputs_loop_variable_after_the_loop(size, rng):
    return (size,)


def conditional_offset(a: f64[N], offset: i64):
    """Parallel exactly when no iteration writes what another one reads; that depends on the arguments."""
    for i in range(len(a) - offset):
        a[i + offset] = a[i] + 1.0


def inputs_conditional_offset(size, rng):
    return rng.random(size), (size // 2 if size % 2 else 1) if size else 0


def time_loop_of_array_statements(u: f64[N], steps: i64):
    for t in range(steps):
        v = u * u
        u[1:-1] += 0.1 * (v[2:] - 2.0 * v[1:-1] + v[:-2])


def inputs_time_loop_of_array_statements(size, rng):
    return rng.random(size), 5


def make_inputs(size, rng):
    return (rng.random(size),)


def index_after_loop(a: i64[N]):
    """What a loop leaves in its index, and nothing else assigns."""
    for i in range(len(a) - 1):
        a[i + 1] = a[i] + 3 * a[i + 1]
    if len(a) > 1:
        a ^= a[i]


def scalars_around_loops(a: f64[N], b: i64[N], c: i64[N]) -> i64:
    """One scalar is known before a loop of few statements, one is only made for it."""
    x = np.argmax(a) if len(a) > 0 else np.int64(5)
    s = 0
    for i in range(1, a.shape[0]):
        for j in range(i):
            b[0] = x
            s += j
    for i in range(a.shape[0]):
        c ^= c[::-1] + i
    return s


def inputs_index_after_loop(size, rng):
    return (rng.integers(-9, 9, size),)


def inputs_scalars_around_loops(size, rng):
    return rng.random(size), rng.integers(-9, 9, size), rng.integers(-9, 9, size)


sizes_scalars_around_loops = (0, 1, 2, 33, 129)
