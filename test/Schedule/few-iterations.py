# Threads that read side by side, but fold long columns again and again: a block for each iteration where these are few.
# RUN: %appyc %s -w --remarks -o %t.cu 2>&1 | FileCheck --check-prefix=WHY %s
# RUN: FileCheck %s < %t.cu
import numpy as np


# WHY: few-iterations.py:[[@LINE+2]]:5: remark: one thread an iteration of `f`; a block where there are few iterations
def thresholds(x: f64[N, P], r: f64[N], best: f64[P]):
    for f in range(x.shape[1]):
        least = np.inf
        for q in range(1, 10):
            left = x[:, f] < q / 10
            if left.sum() > 0:
                m = np.sum(np.where(left, r, 0.0)) / left.sum()
                least = min(least, np.sum((r - m) ** 2))
        best[f] = least
# CHECK: if (P <= {{[0-9]+}}) {
# CHECK: blocks_for(ceil_div(P, threads.y)), threads
# CHECK: } else {
# CHECK: blocks_for(ceil_div(P, threads)), threads


# One fold over a column has ways of its own.
def columns(x: f64[N, P], total: f64[P]):
    for f in range(x.shape[1]):
        total[f] = np.sum(x[:, f] ** 3)
# CHECK: columns_
# CHECK-NOT: if (P <=
