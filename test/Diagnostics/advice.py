# Names and forms that NumPy and Python have and appyc has not: what is said is true, says what to write, and is said once.
# RUN: not %appyc %s -o - 2>&1 | FileCheck %s --implicit-check-not=error:
import numpy as np


def loops(a: f64[N]):
    s = 0.0
    for x in iter(a):
        # CHECK: :[[@LINE-1]]:14: error: Python's `iter` is not translated; write a `for` loop, or `it = iter(a)`
        s += x
    return s


def taken_apart(a: f64[N]):
    (x, y), z = nothing(a), 1
    # CHECK: :[[@LINE-1]]:17: error: `nothing` is not defined here [undefined-name]
    return x + y + z
