# Rows whose length depends on data: a warp each, but a thread each where the arrays have few elements a row.
# RUN: %appyc %s -o - | FileCheck %s
# RUN: %appyc %s -o - --remarks 2>&1 >/dev/null | FileCheck --check-prefix=WHY %s
from __future__ import annotations
import numpy as np


def sums(start: i64[R], values: f64[nnz]) -> f64[R - 1]:
    y = np.empty(start.size - 1)
    for i in range(start.size - 1):
        y[i] = np.sum(values[start[i]:start[i + 1]])
    return y
# WHY: rows-of-data.py:[[@LINE-3]]:5: remark: one warp an iteration of `i`, lanes over `k` (its length depends on data); one thread where its arrays are short
# CHECK-LABEL: __global__ void sums_kernel1(
# CHECK: for (index_t i = (index_t)blockIdx.x * blockDim.x + threadIdx.x; i < R - 1;
# CHECK-LABEL: __global__ void sums_kernel2(
# CHECK: total = warp_reduce<Sum>(total);
# CHECK-LABEL: int sums_host(
# CHECK: if (nnz < (int64_t)R * 8 - 8) {
# CHECK: sums_kernel1<index_t><<<
# CHECK: } else if
# CHECK: sums_kernel2<index_t><<<


# The user has said who runs it.
def by_lanes(start: i64[R], values: f64[nnz], y: f64[R]):
    #pragma parallel for
    for i in range(start.size - 1):
        #pragma simd
        for p in range(start[i], start[i + 1]):
            y[i] += values[p]
# CHECK-LABEL: __global__ void by_lanes_kernel(
# CHECK-LABEL: int by_lanes_host(
# CHECK-NOT: nnz <
# CHECK: by_lanes_kernel<index_t><<<
