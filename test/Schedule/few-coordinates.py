# Which loop the lanes share follows the call's sizes, where they tell the axes apart: no kernel for matrices of eight rows.
# RUN: %appyc %s --remarks -o %t.cu 2>&1 | FileCheck %s
from __future__ import annotations
import numpy as np


def pairs(p: f64[N, D], eps: float):
    c = np.zeros(len(p), dtype=np.int64)
    for i in range(len(p)):
        for j in range(len(p)):
            if ((p[i] - p[j]) ** 2).sum() < eps:
                c[i] += 1
    return c
# CHECK: remark: one block of 128 threads an iteration of `i`, lanes over `k`; over the loops around where these are short


def square(p: f64[N, N]):
    c = np.zeros(len(p))
    for i in range(len(p)):
        for j in range(len(p)):
            c[i] += np.sqrt((p[i] * p[j]).sum())
    return c
# CHECK-NOT: over the loops around where these are short
