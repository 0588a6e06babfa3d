# What is stored again before anyone reads it is not stored; what a product adds to is not read where it is zero.
# RUN: %appyc %kernels_overwrites.py -w --emit=fired | %where pass=drop-dead-stores | FileCheck --check-prefix=FIRES %s
# RUN: %appyc %kernels_overwrites.py --emit=ir --stop-after=drop-dead-stores --remarks -o - 2>&1 | FileCheck %s --check-prefix=SHARED
# RUN: %appyc %s --emit=ir --stop-after=drop-dead-stores --remarks -o - 2>&1 | FileCheck %s
# RUN: %appyc %s --emit=ir --stop-after=drop-dead-stores --disable-pass=drop-dead-stores -o - | FileCheck %s --check-prefix=KEPT
# FIRES: drop-dead-stores: borders columns each_step half_read_then halves mirrored product_of_integers product_of_loops two_strides{{$}}
# SHARED: kernels_overwrites.py:[[#]]:5: remark: left out, as nothing reads it before it is stored again [dead-store]
# SHARED-NEXT: c = np.zeros_like(a)
# SHARED: def halves(
# SHARED-NOT: = 0.0
# SHARED: c[i, i + i_1] = a[i, i + i_1] * 2.0
# SHARED: def mirrored(
# SHARED-NOT: = 0.0
# SHARED: matmul product
# SHARED: def product_of_loops(
# SHARED-NOT: = 0.0
# SHARED: matmul c[r, c] = 1.0 * a[r, k] * b[k, c]  for
import numpy as np


# Each iteration reads what it has stored itself; of `t`, which ends with the function, some elements are not stored again.
# CHECK: [[#@LINE+3]]:5: remark: left out, as nothing reads it before it is stored again [dead-store]
# CHECK: [[#@LINE+3]]:5: remark: left out
def iterations(a: f64[M, N], s: f64[N]):
    q = np.zeros_like(a)
    t = np.zeros_like(a)
    for j in range(a.shape[1]):
        q[:, j] = a[:, j] * s[j]
        t[1:, j] = q[1:, j] + q[:-1, j]
        s[j] = np.sum(q[:, j]) * np.sum(t[1:, j])
    return q


# The first iteration reads what was set; no iteration may run.
def late(a: f64[N], n: i64):
    t = np.zeros_like(a)
    r = np.zeros_like(a)
    for k in range(n):
        a += t
        t[:] = a * 0.5
        r[:] = t
    return r


# The product stores a triangle of what is set to zero.
def lower(a: f64[N, N], b: f64[N, N]):
    c = np.zeros_like(a)
    for i in range(a.shape[0]):
        for j in range(i + 1):
            for k in range(a.shape[0]):
                c[i, j] += a[i, k] * b[j, k]
    return c


# Of two strides of three an element is left over; when the check fails, the caller has zeros.
def stays(a: f64[N], b: f64[M]):
    c = np.zeros_like(a)
    c[::3] = 1.0
    c[1::3] = 2.0
    a[:] = 0.0
    a[:] = b
    return c


# CHECK: def iterations
# CHECK-NOT: = 0.0
# CHECK: def late
# CHECK: t[i] = 0.0
# CHECK: r[i_1] = 0.0
# CHECK: def lower
# CHECK: c[i, j] = 0.0
# CHECK: matmul c[r, c] = 1.0 * a[r, k] * b[c, k]  for
# CHECK: def stays
# CHECK: c[i] = 0.0
# CHECK: a[i_3] = 0.0
# KEPT-COUNT-7: = 0.0  for
