# Rows whose length depends on data: a warp each, but a thread each where the arrays have few elements a row.
# RUN: %appyc %s -w --emit=ir | FileCheck %s
# RUN: %appyc %s -o - --remarks 2>&1 >/dev/null | FileCheck --check-prefix=WHY %s
from __future__ import annotations
import numpy as np


def sums(start: i64[R], values: f64[nnz]) -> f64[R - 1]:
    y = np.empty(start.size - 1)
    for i in range(start.size - 1):
        y[i] = np.sum(values[start[i]:start[i + 1]])
    return y
# CHECK: if nnz < R * 8 - 8:
# CHECK-NEXT: threads: i64 =
# CHECK-NEXT: launch sums_y
# CHECK-NEXT: else:
# CHECK-NEXT: launch sums_y_1
# CHECK-LABEL: kernel sums_y(
# CHECK-NEXT: for i in range(0, R - 1, 1):  # proven, bind=global.x
# CHECK-LABEL: kernel sums_y_1(
# CHECK-NEXT: for i in range(0, R - 1, 1):  # proven, bind=warp.x
# CHECK: total = warp_sum(total)
# WHY: rows-of-data.py:[[@LINE-13]]:5: remark: one warp an iteration of `i`, lanes over `k` (its length depends on data); one thread where its arrays are short


# The user has said who runs it.
def by_lanes(start: i64[R], values: f64[nnz], y: f64[R]):
    #pragma parallel for
    for i in range(start.size - 1):
        #pragma simd
        for p in range(start[i], start[i + 1]):
            y[i] += values[p]
# CHECK-LABEL: def by_lanes(
# CHECK-NOT: if nnz
# CHECK: parallel for i in range(0, R - 1, 1):  # proven, bind=warp.x
