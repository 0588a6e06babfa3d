# What the device has found is asked by the kernels, not by the host in each step.
# RUN: %appyc %s --emit=ir --stop-after=push-conditions -o - | FileCheck %s
from __future__ import annotations

import numpy as np


# CHECK-LABEL: def pivots(
# CHECK: for j in range(0, N, 1): # proven
# CHECK-NEXT: if p_1 != k:
# CHECK-NEXT: a[k, j] = a[k, j] + a[{{.*}}p{{.*}}, j]
def pivots(a: f64[N, N]):
    for k in range(len(a)):
        p = np.argmax(np.abs(a[:, k]))
        if p != k:
            for j in range(len(a)):
                a[k, j] += a[p, j]
