# What a loop folds and keeps at each step is scanned by all threads: operands first, then the folds, then what is done with them.
# RUN: %appyc %s -w --emit=fired | %where pass=scan-in-parallel | FileCheck --check-prefix=FIRES %s
# RUN: %appyc %s -w --emit=fired --no-auto | %where pass=scan-in-parallel | FileCheck --check-prefix=NOT %s
# RUN: %appyc %s -w --emit=fired --target=cpu | %where pass=scan-in-parallel | FileCheck --check-prefix=NOT %s
# RUN: %appyc %s -w --emit=ir --stop-after=scan-in-parallel | FileCheck %s
# RUN: %appyc %s -o - --remarks 2>&1 >/dev/null | FileCheck --check-prefix=WHY %s
# FIRES: scan-in-parallel: by_scalars from_begin of_rows products sums{{$}}
# NOT: scan-in-parallel:{{$}}
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
# CHECK-LABEL: def sums(
# CHECK: call scan_sums(in a[0], inout carry{{.*}}[0], out b[0], 1, N)
# CHECK: call scan_maxima(in values{{.*}}[0], inout carry{{.*}}[0], out b[1], 1, {{.*}})
# CHECK: call scan_sums(in a[1], inout carry{{.*}}[0], out scanned[1], 1, {{.*}})


# WHY: scan-in-parallel.py:[[@LINE-12]]:5: remark: what loop `i` folds is scanned by all threads


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
# CHECK-LABEL: def by_scalars(
# CHECK: values[i] = a[N - i - 1] * a[N - i - 1]
# CHECK-NEXT: call scan_sums(in values[0]
# CHECK: values_1[{{.*}}] = 1 if a[N - {{.*}} - 1] > 0.0 else 0
# CHECK-NEXT: call scan_sums(in values_1[0]
# CHECK: before[N - [[I:.*]] - 1] = s


# Products of floats, each with an exponent of its own; a step that is left out multiplies by 1.
def products(a: f64[N], b: f64[N]):
    p = 1.0
    for i in range(a.shape[0]):
        if a[i] > 0:
            p *= 1.0 - 1.0 / (a.shape[0] - i)
        b[i] = p
    return np.cumprod(a)
# CHECK-LABEL: def products(
# CHECK: values{{.*}}[i] = 1.0 - 1.0 / f64(N - i) if a[i] > 0.0 else 1.0
# CHECK: call scan_products(


# Where the loop's begin says that nothing counts from the end, steps have one element each; calls for which it does run in turn.
def from_begin(a: f64[N], b: f64[N], n: i64):
    s = 0.0
    for i in range(n, a.shape[0]):
        s += a[i] - a[i - n]
        b[i - 1] = s
# CHECK-LABEL: def from_begin(
# CHECK: if n - 1 >= 0:
# CHECK: call scan_sums(
# CHECK: sequential for i


# Recurrences and products of complex numbers keep their order, as do steps that see what others have stored, and few steps.
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
    return np.cumprod(b * 1j)


# WHY: remark: what each step of loop `i` multiplies stays in order: grouped otherwise, products overflow


# A thread has a row to itself, or all threads have them where they are few and long.
def of_rows(m: f64[M, N], w: f64[M]):
    for i in range(m.shape[0]):
        s = w[i]
        for j in range(m.shape[1]):
            s += m[i, j] * m[i, j]
            m[i, j] = s
        w[i] = s
# CHECK-LABEL: def of_rows(
# CHECK: if M <= 4096 and N > 1024:
# CHECK: call scan_sums(in values[0, 0], inout carry{{.*}}[0], out scanned{{.*}}[0, 0], M, N)
# CHECK: else:
# CHECK-NEXT: for i{{.*}} in range(0, M, 1):  # proven


# What else an iteration needs is its own.
def of_scaled_rows(m: f64[M, N], w: f64[M]):
    for i in range(m.shape[0]):
        scale = w[i] * 2
        s = 0.0
        for j in range(m.shape[1]):
            s += m[i, j] * scale
            m[i, j] = s
