# A matrix that is summed by columns after it has been made: one kernel makes each element and adds it.
# RUN: %appyc %s -o - --disable-pass=vectorize-lanes | FileCheck %s
# RUN: %appyc %s -o - --disable-pass=fuse-columns | FileCheck --check-prefix=OFF %s
# RUN: %appyc %s -o - --remarks 2>&1 >/dev/null | FileCheck --check-prefix=WHY %s
# RUN: %appyc %s --target=cpu -o - | FileCheck --check-prefix=CPU %s
# RUN: %appyc %s --target=sequential --stop-after=fuse-columns -o /dev/null --no-wrapper
from __future__ import annotations
import numpy as np


# The sizes are known to be equal after NumPy's own checks.
def rank_one(A: f64[:, :], u: f64[:], v: f64[:], x: f64[:], y: f64[:]):
    A += np.outer(u, v)
    x += y @ A
# WHY: fuse-columns.py:[[@LINE-1]]:5: remark: loop `i` runs together with the nest before it, column by column
# CHECK-LABEL: __global__ void rank_one_kernel1(
# CHECK: for (int64_t k = whole; k < k_end; ++k) {
# CHECK: A[(index_t)k * A_1 + i] += u[k] * v[i];
# CHECK-NEXT: total += y[k] * A[(index_t)k * A_1 + i];
# CHECK-LABEL: int rank_one_host(
# Chunks share nothing: threads stand side by side along the columns.
# CHECK: rank_one_kernel1<index_t><<<grid, 256, 0, stream>>>
# CHECK: rank_one_kernel2<index_t><<<
# CHECK-NOT: rank_one_kernel3
# OFF-LABEL: __global__ void rank_one_kernel1(
# OFF-NOT: total
# OFF-LABEL: __global__ void rank_one_kernel2(
# On the CPU rows stay whole.
# CPU-LABEL: int {{.*}}_rank_one(
# CPU: A[i * A_1 + j] += u[i] * v[j];


# The row below is not made yet.
def row_after(a: f64[N, M]) -> f64[M]:
    a *= 2.0
    total = np.zeros(a.shape[1])
    for c in range(a.shape[1]):
        s = 0.0
        for r in range(a.shape[0]):
            s += a[r, c] * a[min(r + 1, a.shape[0] - 1), c]
        total[c] = s
    return total
# CHECK-LABEL: __global__ void row_after_kernel1(
# CHECK: a[i * M + j] *= 2.0;
# CHECK-NEXT: }
# CHECK-NEXT: }
# CHECK-NEXT: }


# The columns lie across memory.
def across(a: f64[N, M]) -> f64[N]:
    a.T[:] = a.T + 1.0
    return a.sum(axis=1)
# CHECK-LABEL: __global__ void across_kernel1(
# CHECK-NOT: total
# CHECK-LABEL: __global__ void across_kernel2(
