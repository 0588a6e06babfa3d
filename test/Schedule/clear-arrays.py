# Kernels that zero whole arrays, outside of loops, are calls of the runtime.
# RUN: %appyc %s -w --emit=fired | %where pass=clear-arrays | FileCheck --check-prefix=FIRES %s
# RUN: %appyc %s -w --emit=ir | FileCheck %s
# RUN: %appyc %s -w -o - | FileCheck --check-prefix=TEXT %s
# RUN: %appyc %s -w --target=sequential -o - | FileCheck --check-prefix=PLAIN %s
# RUN: %appyc %s -w --emit=ir --disable-pass=clear-arrays | FileCheck --check-prefix=OFF %s
# FIRES: clear-arrays: deep flags matrix parts{{$}}
import numpy as np


def matrix(m: i64, n: i64):
    return np.zeros((m, n))
# CHECK-LABEL: def matrix(
# CHECK-NOT: launch
# CHECK: call clear(out result[0, 0], m * n)
# TEXT: clear(result, {{.*}}, stream);
# TEXT-NOT: __global__ void matrix
# PLAIN: clear(result, m * n);
# OFF: launch matrix_kernel


# A loop stands for the two outer axes.
def deep(x: f64[A, B, C, D]):
    return np.zeros((x.shape[0], x.shape[1] + 2, x.shape[2], x.shape[3]))
# TEXT: clear(result, A * (B + 2) * C * D, stream);


def flags(a: bool[N], b: c64[N, 2]):
    a[:] = False
    b[:] = 0
# TEXT: clear(a, N, stream);
# TEXT: clear(b, N * 2, stream);


# Bytes of 0 are not what these hold, or not all of it.
def others(a: f64[N], b: f64[M, N], c: f64[N], z: c128[N]):
    a[:] = -0.0
    b[1:] = 0.0
    c[:] = 1.0
    z[:] = -0.0
# CHECK-LABEL: def others(
# CHECK-NOT: clear(


# In loops launches hide their start behind each other; in front of one nothing is lost.
def parts(steps: i64, a: f64[N], b: f64[N]):
    total = np.zeros(a.size)
    for t in range(steps):
        b[:] = 0.0
        for i in range(1, a.shape[0]):
            b[i] = a[i - 1] * 2.0
        total += b
        a[:] = np.sum(total) * b
    return total
# CHECK-LABEL: def parts(
# CHECK: call clear(out total[0], N)
# CHECK: for t in
# CHECK-NOT: clear(
