# Kernels that set elements in a row to one value, or copy them, are the support code's; others stay what they are.
# RUN: %appyc %s --no-wrapper -o - | FileCheck %s
# CHECK-NOT: void first_
# CHECK: __global__ void others_
# CHECK-LABEL: extern "C" int {{.*}}_first(
# CHECK: fill_elements{{.*}}(x, N * 2, 1.0, stream);
# CHECK: copy_elements{{.*}}(y, x + N, N, stream);
# CHECK: copy_elements{{.*}}(z + M, v, M, stream);
# CHECK: fill_elements{{.*}}(z, 1, a, stream);
# CHECK-LABEL: extern "C" int {{.*}}_others(
# CHECK-NOT: _elements(
import numpy as np


def first(y: f64[N], x: f64[2 * N], z: f64[M, M], v: f64[M], a: float):
    x[:] = 1.0
    y[:] = x[y.shape[0]:]
    z[1] = v
    z[0, 0] = a


def others(x: f64[N], z: f64[N, N], k: i32[N]):
    x[::2] = 1.0
    z[:, 0] = x
    x[:] = k
