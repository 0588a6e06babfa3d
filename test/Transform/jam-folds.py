# Folds of few columns with one function or quotient in common are one fold.
# RUN: %appyc %s --emit=ir --stop-after=jam-folds -o - | FileCheck %s
from __future__ import annotations


# CHECK-LABEL: def pulls(
# CHECK: for k in range(0, N, 1): # proven, sum({{.*}}), sum({{.*}})
# CHECK-NEXT: common: f64 = m[k] / d[i, k]
# CHECK-COUNT-2: * common
# CHECK-NOT: for k
# CHECK: return
def pulls(m: f64[N], d: f64[N, N], x: f64[N, 2], out: f64[N, 2]):
    for i in range(len(m)):
        for j in range(2):
            s = 0.0
            for k in range(len(m)):
                s += x[k, j] * (m[k] / d[i, k])
            out[i, j] = s


# Loads alone come from the caches.
# CHECK-LABEL: def plain(
# CHECK: for j in range(0, 2, 1)
# CHECK: for k in range(0, N, 1): # proven, sum(
def plain(m: f64[N], d: f64[N, N], x: f64[N, 2], out: f64[N, 2]):
    for i in range(len(m)):
        for j in range(2):
            s = 0.0
            for k in range(len(m)):
                s += x[k, j] * (m[k] + d[i, k])
            out[i, j] = s
