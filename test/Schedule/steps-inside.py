# RUN: %appyc %s --no-wrapper -o %t.cu --remarks 2>&1 | FileCheck %s --check-prefix=REMARK
# RUN: FileCheck %s < %t.cu
# Recurrences down columns are one launch, with the element of the step before in a register.
import numpy as np


# REMARK: remark: all iterations of `i` run in the thread that has the element, as no element needs another one's
# CHECK: decay_kernel(
# CHECK: last_x
# CHECK: store_vector(&x[
# CHECK: int decay_host(
# CHECK: decay_kernel<
# CHECK-NOT: for (
# CHECK: return check
#appyc: def decay(x: f64[N, M], a: f64[N, M])
def decay(x, a):
    for i in range(1, x.shape[0]):
        x[i] = a[i] * x[i - 1] + x[i]


# A map applied many times keeps its element in a register.
# REMARK: remark: all iterations of `t` run in the thread that has the element
# CHECK: z_1 = z[
# CHECK-NEXT: for (
# CHECK-NOT: {{^ *[^ /].*}}z[
# CHECK: z[{{.*}}] = z_1
#appyc: def iterate(z: c128[N], steps: i64)
def iterate(z, steps):
    for t in range(steps):
        z[:] = z * z + 0.25


# Of a diffusion, elements need their neighbours.
# REMARK-NOT: all iterations of `t` run in the thread that has the element
#appyc: def diffuse(u: f64[N], steps: i64)
def diffuse(u, steps):
    for t in range(steps):
        u[1:-1] = 0.5 * (u[2:] + u[:-2])
