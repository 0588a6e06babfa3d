# What a loop folds and keeps at each step is scanned by all threads: operands first, then the folds, then what is done with them.
# RUN: %appyc %s -o %t.cu --no-wrapper && FileCheck %s < %t.cu
# RUN: %appyc %s -o - --remarks 2>&1 >/dev/null | FileCheck --check-prefix=WHY %s
# RUN: %appyc %s -o - --disable-pass=scan-in-parallel | FileCheck --check-prefix=OFF %s
# RUN: %appyc %s -o - --no-auto | FileCheck --check-prefix=OFF %s
# RUN: %appyc %s --target=cpu -o - | FileCheck --check-prefix=OFF %s
# OFF-NOT: scan_{{sums|maxima}}(
from __future__ import annotations
import numpy as np


# From where the operands lie to where the result does.
def sums(a: f64[N], b: f64[N]):
    s = 0.0
    for i in range(a.shape[0]):
        s += a[i]
        b[i] = s
    for i in range(1, a.shape[0]):
        b[i] = max(b[i - 1], b[i])
    return np.cumsum(a)


# WHY: scan-in-parallel.py:[[@LINE-8]]:5: remark: what loop `i` folds is scanned by all threads
# CHECK-LABEL: int sums_host(
# CHECK: scan_sums(a, carry{{.*}}, b, 1, N, stream)
# CHECK: scan_maxima(values{{.*}}, carry{{.*}}, b + 1, 1, {{.*}}, stream)
# CHECK: scan_sums(a + 1, carry{{.*}}, scanned + 1, 1, {{.*}}, stream)


# What was before a step, a count of what holds, and what is left at the end.
def by_scalars(a: f64[N], before: f64[N], count: i64[N]):
    s = 0.0
    n = 0
    for i in range(a.shape[0] - 1, -1, -1):
        before[i] = s
        if a[i] > 0:
            n += 1
        s += a[i] * a[i]
        count[i] = n
    return s


# CHECK-LABEL: __global__ void by_scalars_kernel
# CHECK: values[i] = a[N - i - 1] * a[N - i - 1]
# CHECK-LABEL: int by_scalars_host(
# CHECK: scan_sums(values
# CHECK: scan_sums(values


# Recurrences and products of floats keep their order, as do steps that see what others have stored, and few steps.
def in_order(a: f64[N], b: f64[N], c: f64[1000], k: i64[N]):
    x = 1.0
    p = 1.0
    s = 0.0
    for i in range(a.shape[0]):
        x = 0.5 * x + a[i]
        p *= a[i]
        b[i] = x + p
    for i in range(a.shape[0]):
        s += a[k[i]]
        a[i] = s
    for i in range(1, 1000):
        c[i] += c[i - 1]
    #pragma sequential for
    for i in range(1, a.shape[0]):
        b[i] += b[i - 1]
    return np.cumprod(b)


# WHY: remark: what loop `i` folds is a product of floats, which stays in order: grouped otherwise, products overflow
# CHECK-LABEL: int in_order_host(
# CHECK-NOT: scan_{{sums|products|maxima}}(


# A thread has a row to itself, or all threads have them where they are few and long.
def of_rows(m: f64[M, N], w: f64[M]):
    for i in range(m.shape[0]):
        s = w[i]
        for j in range(m.shape[1]):
            s += m[i, j] * m[i, j]
            m[i, j] = s
        w[i] = s


# CHECK-LABEL: int of_rows_host(
# CHECK: if (M <= 4096 && N > 1024) {
# CHECK: scan_sums(values, carry{{.*}}, scanned{{.*}}, M, N, stream)
# CHECK: } else if
# CHECK: of_rows_kernel


# What else an iteration needs is its own.
def of_scaled_rows(m: f64[M, N], w: f64[M]):
    for i in range(m.shape[0]):
        scale = w[i] * 2
        s = 0.0
        for j in range(m.shape[1]):
            s += m[i, j] * scale
            m[i, j] = s


# CHECK-LABEL: int of_scaled_rows_host(
# CHECK-NOT: scan_{{sums|products|maxima}}(
