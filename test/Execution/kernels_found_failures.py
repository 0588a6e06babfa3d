"""Loops that store into the caller's arrays and raise: what is stored is what the iterations before have stored, and no more."""
from __future__ import annotations

import math

import numpy as np

SIZES = (0, 1, 2, 33, 101)
COMPARES_RAISED = True


def failing(size, rng, shape, at):
    """One number in three calls is negative, somewhere."""
    a = rng.random(shape) + 0.5
    if a.size > 0 and size % 3 != 0:
        a[tuple(int(n * at) for n in shape)] = -1.0
    return a


def roots(a: f64[N], out: f64[N]):
    for i in range(len(a)):
        if a[i] < 0:
            raise ValueError(f"negative value {a[i]} at {i}")
        out[i] = math.sqrt(a[i])


def inputs_roots(size, rng):
    return failing(size, rng, (size,), 0.6), np.zeros(size)


def nest(a: f64[M, N], out: f64[M, N]):
    for i in range(a.shape[0]):
        for j in range(a.shape[1]):
            if a[i, j] < 0:
                raise ValueError("negative value")
            out[i, j] = math.sqrt(a[i, j])


def inputs_nest(size, rng):
    shape = (size, size // 2 + 1)
    return failing(size, rng, shape, 0.6), np.zeros(shape)


def in_place(a: f64[M, N]):
    for i in range(a.shape[0]):
        for j in range(a.shape[1]):
            if a[i, j] < 0:
                raise ValueError(f"negative value {a[i, j]} at {i}, {j}")
            a[i, j] = math.sqrt(a[i, j])


def inputs_in_place(size, rng):
    return (failing(size, rng, (size, size // 2 + 1), 0.7),)


def after_a_store(a: f64[N]):
    """A check of what the iteration has stored; one of what the next one has."""
    for i in range(len(a)):
        a[i] = a[i] - 1.0
        if a[i] < -1.5:
            raise ValueError(f"{a[i]:.3f}")
    for i in range(len(a) - 1):
        if a[i + 1] < -1.5:
            raise ValueError("next")
        a[i] = a[i + 1] * 0.5


def inputs_after_a_store(size, rng):
    return (failing(size, rng, (size,), 0.3),)


def two_kinds(a: f64[N], at: i64[N], out: f64[N]):
    n = len(a)
    for i in range(len(at)):
        k = at[i]
        if k < 0 or k >= n:
            raise IndexError("index out of range")
        if a[k] < 0:
            raise ZeroDivisionError("negative")
        out[i] = 1.0 / a[k]


def inputs_two_kinds(size, rng):
    at = rng.permutation(size)
    if size == 101:
        at[70] = -3
    return failing(size, rng, (size,), 0.4), at, np.zeros(size)


def by_rows(a: f64[M, N], out: f64[M, N]):
    for i in range(a.shape[0]):
        total = 0.0
        for j in range(a.shape[1]):
            if a[i, j] < 0:
                raise ValueError(f"a negative value in row {i}")
            total += a[i, j]
        if total == 0:
            raise ZeroDivisionError(f"row {i} is empty")
        for j in range(a.shape[1]):
            out[i, j] = a[i, j] / total


def inputs_by_rows(size, rng):
    a = failing(size, rng, (size, size // 2 + 1), 0.7)
    a[size // 2:size // 2 + 1] *= size % 2
    return a, np.zeros(a.shape)


def carried(a: f64[N], out: f64[N]):
    total = 0.0
    for i in range(len(a)):
        if a[i] < 0:
            raise ValueError("negative value")
        total += a[i]
        out[i] = total
    return total


inputs_carried = inputs_roots


def noted_before(a: f64[N], out: f64[N], seen: i64[1]):
    """What the failing iteration has done before it fails."""
    for i in range(len(a)):
        out[i] = 1.0
        if a[i] < 0:
            seen[0] = i
            raise ValueError("negative value")
        out[i] = math.sqrt(a[i])


def inputs_noted_before(size, rng):
    return failing(size, rng, (size,), 0.6), np.zeros(size), np.full(1, -1)
