# The value of `a = b = value` is computed once.
# RUN: %appyc %s --target=cpu --emit=ir | FileCheck %s
import numpy as np


def sums(A: f64[M, N], x: f64[M], y: f64[M], v: f64[N]):
    for i in range(A.shape[0]):
        x[i] = y[i] = A[i] @ v
# CHECK: t = t + A[i, k] * v[k]
# CHECK-NOT: total = total +
# CHECK: x[i] = [[T:.*]]
# CHECK-NEXT: y[i] = [[T]]


def rows(A: f64[M, N], x: f64[M], y: f64[M]):
    x[:] = y[:] = np.sum(A, axis=1)
# CHECK-LABEL: def rows(
# CHECK: total = total + A[i, k]
# CHECK-NOT: total = total +
# CHECK: x[{{.*}}] = [[T:.*]]
# CHECK: y[{{.*}}] = [[T]]
