"""Steps whose branch decides whether they do anything, and whose work becomes less and less; partners by a bit of their index."""
from __future__ import annotations

import numpy as np

SIZES = (0, 1, 2, 3, 61, 64, 128, 1024)


def make_inputs(size, rng):
    return (size,)


def smallest_factors(n: int):
    factor = np.zeros(n + 1, dtype=np.int64)
    for i in range(2, n + 1):
        if factor[i] == 0:
            for j in range(i, n + 1, i):
                if factor[j] == 0:
                    factor[j] = i
    return factor


def totients(n: int):
    phi = np.arange(n + 1)
    for i in range(2, n + 1):
        if phi[i] == i:
            for j in range(i, n + 1, i):
                phi[j] -= phi[j] // i
    return phi


def moebius(n: int):
    mu = np.ones(n + 1, dtype=np.int64)
    is_prime = np.ones(n + 1, dtype=np.bool_)
    for i in range(2, n + 1):
        if is_prime[i]:
            for j in range(i, n + 1, i):
                mu[j] *= -1
                if j > i:
                    is_prime[j] = False
            for j in range(i * i, n + 1, i * i):
                mu[j] = 0
    return mu


def inputs_bitonic(size, rng):
    return (rng.normal(size=1 << max(size, 1).bit_length() - 1),)


def bitonic(a: f64[N]):
    n = len(a)
    k = 2
    while k <= n:
        j = k // 2
        while j > 0:
            for i in range(n):
                l = i ^ j
                if l > i:
                    if (i & k) == 0:
                        if a[i] > a[l]:
                            a[i], a[l] = a[l], a[i]
                    elif a[i] < a[l]:
                        a[i], a[l] = a[l], a[i]
            j //= 2
        k *= 2


def inputs_rows_of_pairs(size, rng):
    return rng.normal(size=(64, min(size, 70))), 8


def rows_of_pairs(a: f64[N, M], j: int):
    for i in range(len(a)):
        if i < i ^ j:
            for c in range(a.shape[1]):
                a[i, c], a[i ^ j, c] = a[i, c] + a[i ^ j, c], a[i, c] - a[i ^ j, c]


def inputs_of_two_sorts(size, rng):
    return rng.normal(size=64), 8, 4


def of_two_sorts(a: f64[N], j: int, k: int):
    """Partners by two bits: an element is of two pairs."""
    for i in range(len(a)):
        if i ^ j > i:
            a[i] = a[i] * 0.5 + a[i ^ j]
        if i ^ k > i:
            a[i] = a[i] - a[i ^ k]


def of_both_sides(a: f64[N], j: int):
    """Each of a pair changes the other."""
    for i in range(len(a)):
        a[i ^ j] = a[i ^ j] * 0.5 + a[i]


def inputs_of_both_sides(size, rng):
    return rng.normal(size=64), 8


def inputs_best_split(size, rng):
    return rng.normal(size=size), rng.integers(0, 5, size)


def best_split(x: f64[N], kind: i64[N]):
    """Sums under a branch of the data, in steps of the host's."""
    left = np.zeros(5 + len(x) // 400)
    right = np.zeros(5 + len(x) // 400)
    for i in range(len(x)):
        right[kind[i]] += 1.0
    best = np.inf
    for i in range(len(x) - 1):
        left[kind[i]] += 1.0
        right[kind[i]] -= 1.0
        if x[i] > x[i + 1]:
            continue
        g = np.sum((left / (i + 1)) ** 2) + np.sum((right / (len(x) - i - 1)) ** 2)
        if g < best:
            best = g
    return best
