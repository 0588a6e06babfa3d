"""Checks that fail when they run: what each says stands in test_messages.py."""
from __future__ import annotations

import numpy as np


def product(a: f64[:, :], b: f64[:, :]):
    return a @ b


def product_of_parts(a: f64[:, :], b: f64[:, :]):
    return a[1:] @ b


def negative(n: int):
    return np.zeros(n).sum()


def largest(a: f64[:, :]):
    return a.max(axis=1)


def where_largest(a: f64[:]):
    return a.argmax()


def stored(a: f64[:, :], b: f64[:]):
    a[1:, 1:] = b


def selected(a: f64[:], m: bool[:]):
    return a[m].sum()


def no_step(a: f64[:], step: int):
    for i in range(0, a.shape[0], step):
        a[i] = 1.0


def promised(a: f64[N, M]):
    N, M = a.shape
    #pragma :N=>parallel :M=>le(4)
    a[:N, :M] = a[:N, :M] + 1.0


def of_two_sizes(a: f64[:], b: f64[:], second: int):
    if a[0] < second:
        t = b + 1.0
    else:
        t = a + 1.0
    return t.sum()


def whose_zero(n: int, second: int):
    d = np.float32(0) if second > 0 else n / 2
    return n / d


def many(n: u64):
    for k in range(n):
        return k
    return 0


def as_python(n: u64):
    return int(n)


def beside_nothing(a: i64[:], n: i32):
    return n + list(a)
