# RUN: not %appyc %s -fsyntax-only 2>&1 | FileCheck %s
# Found by scripts/fuzz --wild.
from __future__ import annotations
import numpy as np


def selected_into_one(a: f64[N]):
    a[0] //= a[a > 1]
# CHECK: wild.py:8:{{[0-9]+}}: error: a selection by a boolean mask cannot be stored into an array


def view_behind_its_loop(a: f64[N, N]):
    for i in range(a.shape[0]):
        row = a[i, :]
    return row
# CHECK: wild.py:15:{{[0-9]+}}: error: `row` is a part of an array that the loop has chosen


def complex_of_python():
    return (-1.5) ** 0.5


def call(a: f64[N]):
    return complex_of_python()
# CHECK: wild.py:20:{{[0-9]+}}: error: Python's power of a negative number to a fraction is complex


def booleans_to_a_power(m: bool[N], k: int):
    return np.power(m, k), m ** k
# CHECK: wild.py:[[@LINE-1]]:{{[0-9]+}}: error: NumPy's type of booleans to a power depends on the exponent's value
