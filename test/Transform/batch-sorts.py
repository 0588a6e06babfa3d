# The rows that a loop sorts one by one are sorted all at once; how large the arrays of its iterations are is found before.
# RUN: %appyc %s --emit=ir --stop-after=size-arrays -o - | FileCheck %s
# RUN: %appyc %s --remarks -o - 2>&1 >/dev/null | FileCheck %s --check-prefix=SAID
# RUN: %appyc %s -w --emit=fired | %where pass=batch-sorts,size-arrays | FileCheck --check-prefix=FIRES %s
# RUN: %appyc %s --stop-after=prove-parallel --emit=ir -o - | FileCheck %s --check-prefix=ORDER
# FIRES: batch-sorts: middles most_common{{$}}
# FIRES: size-arrays: most_common votes{{$}}
from __future__ import annotations

import numpy as np


# Short rows; a scalar of each row is kept for what stands behind the sort.
# CHECK-LABEL: def middles(
# CHECK: many: i64 = max(min(186413, M), 1)
# CHECK: for batch in range(0, (M + many - 1) // many, 1):
# CHECK: call sort_ends(in keys[0, 0], out sorted[0, 0], rows, 90, 45, 46)
# CHECK: total{{.*}} = total_of_rows[
# CHECK-NOT: call
# CHECK-LABEL: def most_common(
# SAID: [[@LINE+2]]:{{.*}}: remark: the rows that loop `i` sorts are sorted all at once
def middles(x: f64[M, 90], out: f64[M]):
    for i in range(x.shape[0]):
        total = x[i].sum()
        ordered = np.sort(x[i])
        out[i] = ordered[45] / total


# CHECK: if N <= 16384 or M >= 128:
# CHECK: call order_ends(in apart[0, 0], out order[0, 0], rows, N, 0, {{.*}})
# CHECK: most_of_counts: i64 = 0
# CHECK: most_of_counts = max(most_of_counts, max(a, 0))
# CHECK: counts: i64[most_of_counts]
# CHECK: else:
# CHECK: call order_ends(in apart_1[0], out order_1[0], 1, N, 0, {{.*}})
# CHECK-LABEL: def votes(
# SAID: [[@LINE+2]]:{{.*}}: remark: the rows that loop `i` sorts are sorted all at once, where they are 128 and more, or of 16384
def most_common(train: f64[N, D], labels: i64[N], points: f64[M, D], k: i64, out: i64[M]):
    for i in range(points.shape[0]):
        apart = ((train - points[i]) ** 2).sum(axis=1)
        out[i] = np.bincount(labels[np.argsort(apart)[:k]]).argmax()


# CHECK: most_of_counts: i64 = 0
# CHECK: counts: i64[most_of_counts]
# CHECK-LABEL: def steps(
def votes(order: i64[M, N], labels: i64[N], k: i64, out: i64[M]):
    for i in range(order.shape[0]):
        out[i] = np.bincount(labels[order[i, :k]]).argmax()


# What one iteration sorts follows from the one before.
# CHECK: call sort_ends(in a[0], out sorted[0], 1, N, 0, 1)
# CHECK: return
def steps(x: f64[M, N], out: f64[M]):
    last = 0.0
    for i in range(x.shape[0]):
        last = np.sort(x[i] + last)[0]
        out[i] = last

# Each place of an order is another one.
def by_rank(a: f64[N], b: f64[M, N], r: i64[N], s: i64[M, N]):
    r[np.argsort(a)] = np.arange(a.shape[0])
    order = np.argsort(b, axis=1)
    for i in range(b.shape[0]):
        s[i, order[i]] = 1
# ORDER-LABEL: def by_rank
# ORDER: for [[P:.*]] in range(0, N, 1):  # proven
# ORDER-NEXT: r[wrap_index(order[[[P]]], N)] =
# ORDER: for {{.*}} in range(0, M, 1):  # proven
# ORDER-NEXT: for {{.*}} in range(0, N, 1):  # proven
# ORDER-NEXT: s[


def by_changed_rank(a: f64[N], r: i64[N]):
    order = np.argsort(a)
    order[0] = 0
    r[order] = 1
# ORDER-LABEL: def by_changed_rank
# ORDER: for [[P:.*]] in range(0, N, 1):  # serial
# ORDER-NEXT: r[wrap_index(order
