# A row and a column that a nest reads and changes on the way are made first; then all elements are parallel.
# RUN: %appyc %s --disable-pass=block-updates --emit=ir --stop-after=snapshot-lines -o - | FileCheck %s
# RUN: %appyc %s --target=cpu -o - | FileCheck %s --check-prefix=CPU
# RUN: %appyc %s --disable-pass=block-updates -o %t.cu --remarks 2>&1 | FileCheck %s --check-prefix=WHY
from __future__ import annotations
import numpy as np


# CHECK-LABEL: def paths(
# CHECK: for i in range(0, N, 1): # proven
# CHECK: after = min(after, right_side_1 + (corner if i <= k else corner_after))
# CHECK: column[i] = before
# CHECK: for i_2 in range(0, N, 1): # proven
# CHECK: for i_3 in range(0, N, 1): # proven
# CHECK-NEXT: d[i_2, i_3] = min(d[i_2, i_3], right_side_4 + (row[i_3] if i_2 <= k else row_1[i_3]))
# CPU: #pragma omp parallel for
# WHY: snapshot-lines.py:[[@LINE+3]]:9: remark: the row and the column that it reads and changes are made first, as they are before and after
def paths(d: f64[N, N]):
    for k in range(d.shape[0]):
        for i in range(d.shape[0]):
            d[i, :] = np.minimum(d[i, :], d[i, k] + d[k, :])


# Statements, of two arrays.
# CHECK-LABEL: def ways(
# CHECK: for i_1 in range(0, N, 1): # proven
# CHECK-NEXT: for j_1 in range(0, N, 1): # proven
# CHECK-NEXT: if {{.*}} < d[i_1, j_1]:
# CHECK: way[i_1, j_1] = {{column.*}}[i_1] if j_1 <= k else {{column.*}}[i_1]
def ways(d: f64[N, N], way: i64[N, N]):
    for k in range(d.shape[0]):
        for i in range(d.shape[0]):
            for j in range(d.shape[0]):
                if d[i, k] + d[k, j] < d[i, j]:
                    d[i, j] = d[i, k] + d[k, j]
                    way[i, j] = way[i, k]


# What an iteration leaves for the next, a line behind what has been stored, one that the loops may not come by, two columns.
# CHECK-LABEL: def others(
# CHECK-NOT: before: f64
def others(a: f64[N, N], b: f64[N, N], c: f64[N, N], m: i64):
    s = 0.0
    for k in range(a.shape[0]):
        for i in range(a.shape[0]):
            for j in range(a.shape[0]):
                s = s * 0.5 + a[i, k]
                a[i, j] = s
        for i in range(a.shape[0]):
            for j in range(a.shape[0]):
                b[i, j] += 1.0
                b[i, j] += b[i, k]
        for i in range(a.shape[0]):
            for j in range(a.shape[0]):
                c[i, j] += c[i, k] * c[m, j]
                c[i, j] += c[i, 0]
