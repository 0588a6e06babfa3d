# RUN: %appyc %s --no-wrapper -o %t.cu --remarks 2>&1 | FileCheck %s --check-prefix=REMARK
# RUN: FileCheck %s < %t.cu
# RUN: FileCheck --check-prefix=HOST %s < %t.cu
# Recurrences down columns are one launch, with the element of the step before in a register.
import numpy as np


# REMARK: remark: all iterations of `i` run in the thread that has the element, as no element needs another one's
# CHECK: decay_kernel(
# CHECK: last_x
# CHECK: store_vector(&x[
# HOST: extern "C" int {{.*}}decay(
# HOST: decay_kernel<
# HOST-NOT: for (
# HOST: return check
#appyc: def decay(x: f64[N, M], a: f64[N, M])
def decay(x, a):
    for i in range(1, x.shape[0]):
        x[i] = a[i] * x[i - 1] + x[i]


# A map applied many times keeps its element in a register.
# REMARK: remark: all iterations of `t` run in the thread that has the element
# CHECK: z_1 = z[
# CHECK: for (
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


# Loops in one another are steps, too. Threads that a schedule has given to a loop around them have several elements at a time.
# RUN: printf '[rows."for i in range(y.shape[0]):"]\nthreads = N\n' > %t.schedule
# RUN: %appyc %s --no-wrapper -o %t.cu --remarks --schedule=%t.schedule 2>&1 | FileCheck %s --check-prefix=SAID
# RUN: FileCheck --check-prefix=ASKED %s < %t.cu
# SAID: remark: all iterations of `b` run in the thread that has the element
# ASKED: rows_kernel(
# ASKED: for (index_t e = 0; e < whole; e += 8)
# Rows of `x` follow each other, and so do those of `w`: one loop of both, eight of whose loads are on their way at once.
# SAID: remark: a thread goes through `b` and `c` as through one row
# ASKED: #pragma unroll 8
# ASKED-NEXT: for (index_t c = 0; c < B * C; ++c)
# ASKED-COUNT-8: += x[
# ASKED: for (index_t e = whole; e < E; e += 8)
#appyc: def rows(x: f64[R, C], w: f64[B, C, E], y: f64[N, E])
def rows(x, w, y):
    for i in range(y.shape[0]):
        for b in range(w.shape[0]):
            for c in range(x.shape[1]):
                for e in range(y.shape[1]):
                    y[i, e] += x[i + b, c] * w[b, c, e]
