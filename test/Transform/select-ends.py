# Where one end of what is sorted is read, no more of it is sorted; how many elements that are is the host's to know.
# RUN: %appyc %s --emit=ir --stop-after=select-ends -o - | FileCheck %s
# RUN: %appyc %s --remarks -o - 2>&1 >/dev/null | FileCheck %s --check-prefix=SAID
# RUN: %appyc %s --emit=fired | %where pass=select-ends | FileCheck --check-prefix=FIRES %s
# FIRES: select-ends: best_rows ends nearest{{$}}
from __future__ import annotations

import numpy as np


# CHECK-LABEL: def ends(
# CHECK: call sort_ends(in a[0], out sorted[0], 1, N, 0, 3)
# CHECK: call order_ends({{.*}}, 1, N, max(N - k, 0) if -k < 0 else -k, N)
# SAID: [[@LINE+3]]:{{.*}}: remark: only the first elements of what is sorted are read: where they are at most 256, they are selected
# SAID: [[@LINE+3]]:{{.*}}: remark: only the last elements of what is sorted are read
def ends(a: f64[N], k: i64) :
    low = np.sort(a)
    return np.argsort(a)[-k:], low[:3].sum() if len(a) > 2 else 0.0


# CHECK-LABEL: def nearest(
# CHECK: call order_ends({{.*}}, M, N, 0, max(k + N, 0) if k < 0 else min(k, N))
def nearest(d: f64[M, N], labels: i64[N], k: i64):
    return labels[np.argsort(d, axis=1)[:, :k]]


# A copy with the axes in another order is not read: what is sorted is.
# CHECK-LABEL: def best_rows(
# CHECK: call order_ends({{.*}}, N, M, max(M - k, 0) if -k < 0 else -k, M)
# CHECK-NOT: order_1
# CHECK: return
def best_rows(d: f64[M, N], k: i64):
    order = np.argsort(d, axis=0)
    sums = np.zeros(d.shape[1])
    for j in range(d.shape[1]):
        sums[j] = d[order[-k:, j], j].sum()
    return sums


# All of it is read, or its middle, or memory says what, or the caller gets it.
# CHECK-LABEL: def others(
# CHECK-COUNT-4: call {{order|sort}}_row(
# CHECK-NOT: _ends
def others(a: f64[N], at: i64[N]):
    order = np.argsort(a)
    inverse = np.empty(len(a), np.int64)
    for i in range(len(a)):
        inverse[order[i]] = i
    b = np.sort(a * 2)
    c = np.sort(a * 3)
    total = 0.0
    for i in range(3):
        total += c[at[i]]
    return inverse, b[len(a) // 2], total, np.sort(-a)
