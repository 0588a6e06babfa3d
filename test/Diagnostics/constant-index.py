# A constant subscript past the end of a constant extent is an error; slices are clamped, as in Python.
# RUN: not %appyc %s -o - 2>&1 | FileCheck %s
from __future__ import annotations
import numpy as np


def past(a: f64[3]):
    # CHECK: constant-index.py:[[#@LINE+1]]:14: error: index 5 is out of bounds for 3 element(s) [bad-index]
    return a[5]


def before(a: f64[3, 4]):
    # CHECK: constant-index.py:[[#@LINE+1]]:10: error: index -5 is out of bounds for 4 element(s) [bad-index]
    a[2, -5] = 1.0


def of_slice(a: f64[8]):
    # CHECK: constant-index.py:[[#@LINE+1]]:19: error: index 3 is out of bounds for 3 element(s) [bad-index]
    return a[2:5][3]


# CHECK-NOT: error:
def fine(a: f64[3], n: int):
    b = a[1:7]
    return a[-3] + a[2] + b[n] + a[5:].sum()
