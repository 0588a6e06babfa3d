# A loop that keeps the best is two folds, and what goes with the best is computed once.
# RUN: %appyc %s --emit=ir --stop-after=find-best -o - | FileCheck %s
# RUN: %appyc %s --emit=fired | %where pass=find-best | FileCheck --check-prefix=FIRES %s
# FIRES: find-best: largest row{{$}}
import numpy as np


# CHECK-LABEL: def largest(
# CHECK: [[MOST:best_[0-9]+]]: f64 = best
# CHECK: for i in range(0, N, 1): # serial
# CHECK: [[MOST]] = max([[MOST]],
# CHECK: for i_1 in range(0, N, 1): # serial
# CHECK: at_1 = min(at_1, i_1 if
# CHECK: if [[MOST]] > best:
# CHECK-NEXT: for i_2 in range(at_1, at_1 + 1, 1)
def largest(a: f64[N]):
    best, at = -1.0, -1
    for i in range(len(a)):
        if a[i] > best:
            best = a[i]
            at = i
    return best, at


# What has loops stores the keys.
# CHECK-LABEL: def row(
# CHECK: keys[i_1] = best_
# CHECK: return
def row(a: f64[N, M]):
    best = -1.0
    x = np.zeros(a.shape[1])
    for i in range(len(a)):
        size = np.sum(a[i] * a[i])
        if size > best:
            best = size
            x[:] = a[i] / size
    return best, x


# The one before is what an earlier improvement has left.
# CHECK-LABEL: def second(
# CHECK-NOT: max(
# CHECK: return
def second(a: f64[N]):
    best = other = -1.0
    for i in range(len(a)):
        if a[i] > best:
            other = best
            best = a[i]
    return best, other


# Threads have such loops for themselves.
# CHECK-LABEL: def of_rows(
# CHECK-NOT: max(
# CHECK: return
def of_rows(a: f64[N, M], out: i64[N]):
    for i in range(len(a)):
        best = a[i, 0]
        out[i] = 0
        for j in range(1, a.shape[1]):
            if a[i, j] > best:
                best = a[i, j]
                out[i] = j
