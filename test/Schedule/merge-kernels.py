# In a time loop, kernels that do not need each other's results are one.
# RUN: %appyc %s -o - --disable-pass=cluster-loops --disable-pass=tile-time | FileCheck %s
# RUN: %appyc %s -o - --disable-pass=cluster-loops --disable-pass=tile-time --disable-pass=merge-kernels | FileCheck --check-prefix=OFF %s
import numpy as np


def step(steps: i64, a: f64[N], b: f64[M], c: f64[N]):
    for t in range(steps):
        a[1:] += c[:-1]
        b[1:] *= 0.5
        c[:] += a
# CHECK-LABEL: __global__ void step_kernel1(double* __restrict__ a, double* __restrict__ b,
# CHECK-SAME: const double* __restrict__ c,
# CHECK: a[i + 1] += c[i];
# CHECK: b[i + 1] *= 0.5;
# CHECK: __global__ void step_kernel2(
# CHECK: c[i] += a[i];
# CHECK-NOT: __global__
# CHECK: graphs.repeat(steps, 2, step
# OFF: graphs.repeat(steps, 3, step


# Outside of loops nothing is gained.
def once(a: f64[N], b: f64[M]):
    a[:] += 1.0
    b[:] *= 0.5
# CHECK: void once_kernel1(
# CHECK: void once_kernel2(


# Threads in two dimensions would each run the loop over one.
def unlike(steps: i64, a: f64[N, N], b: f64[N]):
    for t in range(steps):
        a[:] = a.T
        b[:] *= 0.5
# CHECK-LABEL: __global__ void unlike_kernel3(
# CHECK-NOT: blockIdx.y
# CHECK: b[i] *= 0.5;
