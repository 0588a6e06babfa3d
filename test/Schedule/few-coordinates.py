# Which loop the lanes share follows the call's sizes, where they tell the axes apart: no kernel for matrices of eight rows.
# RUN: %appyc %s --remarks -o %t.cu 2>&1 | FileCheck %s
# RUN: %appyc %s -w --emit=ir --stop-after=plan-memory -o - | FileCheck --check-prefix=IR %s
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


# An array that the lanes share keeps its length; both kernels have it in one place.
def nearest(p: f64[N, D], centres: f64[C, D]):
    which = np.zeros(len(p), dtype=np.int64)
    for i in range(len(p)):
        d = np.sum((centres - p[i]) ** 2, axis=1)
        which[i] = np.argmin(d) + d[0]
    return which
# CHECK: remark: one block of 128 threads an iteration of `i`, lanes over `k`; over the loops around where these are short
# IR-LABEL: def nearest(
# IR: d: f64[N, C]
# IR-NOT: d{{.*}}: f64
# IR: if D <= 8:


# Windows are a thread's, and a fold over two loops around them is one over pairs of their iterations.
def similarity(a: f64[H, W], b: f64[H, W]):
    total = 0.0
    for y in range(a.shape[0] - 7):
        for x in range(a.shape[1] - 7):
            p = a[y:y + 8, x:x + 8]
            total += (p * b[y, x]).mean() / p.max()
    return total
# IR-LABEL: def similarity(
# IR: for p{{.*}} in range(
# IR-NEXT: y: i64 = p
# IR-NEXT: x: i64 = p


def square(p: f64[N, N]):
    c = np.zeros(len(p))
    for i in range(len(p)):
        for j in range(len(p)):
            c[i] += np.sqrt((p[i] * p[j]).sum())
    return c
# CHECK-NOT: over the loops around where these are short
