# In a time loop, kernels that do not need each other's results are one.
# RUN: %appyc %s -w --emit=fired --disable-pass=cluster-loops --disable-pass=tile-time | %where pass=merge-kernels | FileCheck --check-prefix=FIRES %s
# RUN: %appyc %s -w --emit=ir --disable-pass=cluster-loops --disable-pass=tile-time | FileCheck %s
# FIRES: merge-kernels: step{{$}}
import numpy as np


def step(steps: i64, a: f64[N], b: f64[M], c: f64[N]):
    for t in range(steps):
        a[1:] += c[:-1]
        b[1:] *= 0.5
        c[:] += a
# CHECK-LABEL: def step(
# CHECK: for t in range(0, steps, 1):  # serial, bind=graph
# CHECK-NEXT: launch step_a_b
# CHECK-NEXT: launch step_c
# CHECK-NOT: launch
# CHECK-LABEL: kernel step_a_b(
# CHECK: a[i + 1] = a[i + 1] + c[i]
# CHECK: b[i{{.*}} + 1] * 0.5
# CHECK-LABEL: kernel step_c(


# Outside of loops nothing is gained.
def once(a: f64[N], b: f64[M]):
    a[:] += 1.0
    b[:] *= 0.5


# Threads in two dimensions would each run the loop over one.
def unlike(steps: i64, a: f64[N, N], b: f64[N]):
    for t in range(steps):
        a[:] = a.T
        b[:] *= 0.5
# CHECK-LABEL: kernel unlike_b(
# CHECK-NOT: global.y
# CHECK: b[{{.*}}] * 0.5
