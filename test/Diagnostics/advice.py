# Names and forms that NumPy and Python have and appyc has not: what is said is true, says what to write, and is said once.
# RUN: not %appyc %s -o - 2>&1 | FileCheck %s --implicit-check-not=error:
import numpy as np


def loops(a: f64[N]):
    s = 0.0
    for i, x in enumerate(a):
        # CHECK: :[[@LINE-1]]:17: error: Python's `enumerate` is not translated; write `for i in range(len(a)):` and read `a[i]` [unsupported]
        s += x * i
    return s


def pairs(a: f64[N]):
    s = 0.0
    for x, y in zip(a, a):
        # CHECK: :[[@LINE-1]]:17: error: Python's `zip` is not translated
        s += x * y
    return s


def backwards(a: f64[N]):
    s = 0.0
    for i in reversed(range(3)):
        # CHECK: :[[@LINE-1]]:14: error: Python's `reversed` is not translated; write `range(n - 1, -1, -1)`, or `a[::-1]` [unsupported]
        s += a[i]
    return s


def taken_apart(a: f64[N]):
    (x, y), z = nothing(a), 1
    # CHECK: :[[@LINE-1]]:17: error: `nothing` is not defined here [undefined-name]
    return x + y + z
