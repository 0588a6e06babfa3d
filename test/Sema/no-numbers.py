# RUN: not %appyc %s -fsyntax-only 2>&1 | FileCheck %s
# What is no number, nor an array of them, is no operand wherever it stands.
from __future__ import annotations
import numpy as np


def of_method(a: f64[N]):
    return np.logical_not(a.sum)
# CHECK: no-numbers.py:8:{{[0-9]+}}: error: the method `.sum` cannot be an operand here


def plus(r, x):
    return x + r
# CHECK: no-numbers.py:13:{{[0-9]+}}: error: a range cannot be an operand here


def of_range(a: f64[N]):
    return plus(range(3), a)


def of_none(a: f64[N]):
    return np.invert(None)
# CHECK: no-numbers.py:22:{{[0-9]+}}: error: None cannot be an operand here
