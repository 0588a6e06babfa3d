# The value of `a = b = value` is computed once.
# RUN: %appyc %s --target=cpu --wrapper=/dev/null -o - | FileCheck %s
import numpy as np


def sums(A: f64[M, N], x: f64[M], y: f64[M], v: f64[N]):
    for i in range(A.shape[0]):
        x[i] = y[i] = A[i] @ v
# CHECK: total += A[i * N + k] * v[k];
# CHECK-NOT: total +=
# CHECK: x[i] = t;
# CHECK-NEXT: y[i] = t;


def rows(A: f64[M, N], x: f64[M], y: f64[M]):
    x[:] = y[:] = np.sum(A, axis=1)
# CHECK: extern "C" int {{.*}}_rows
# CHECK: total += A[i * N + k];
# CHECK-NOT: total +=
# CHECK: x[i] = total;
# CHECK-NEXT: y[i] = total;
