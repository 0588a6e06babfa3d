# Rows that lanes go through several times are kept in registers: a kernel for each number of vectors, where they fit.
# RUN: %appyc %s --no-versions -w --emit=fired | %where pass=keep-rows | FileCheck --check-prefix=FIRES %s
# RUN: %appyc %s --no-versions -w --emit=ir | FileCheck %s
# RUN: %appyc %s --no-versions -o - --remarks 2>&1 >/dev/null | FileCheck --check-prefix=WHY %s
# RUN: %appyc %s --no-versions --target=sequential -o /dev/null --no-wrapper
# FIRES: keep-rows: softmax{{$}}
from __future__ import annotations
import numpy as np


def softmax(x: f32[L, N, M]) -> f32[L, N, M]:
    e = np.exp(x - np.max(x, axis=2, keepdims=True))
    return e / np.sum(e, axis=2, keepdims=True)
# WHY: keep-rows.py:[[@LINE-2]]:5: remark: rows of more than 128 and up to 1024 elements are kept in registers
# CHECK: launch softmax_kernel[{{.*}}, (lanes, 128 // lanes, 1), vectors of 4, M, x, result, rows M kept up to 8 times 128](
# CHECK-LABEL: kernel softmax_kernel_of_rows(
# CHECK: x_row: f32[32]  # row
# CHECK-NEXT: for r in range(0, kept, 1):  # proven, unroll
# CHECK-NEXT: [[K:[a-z_0-9]+]]: i64 = (r * 32 + threadIdx.x % 32) * width
# CHECK-NEXT: if [[K]] < M:
# Memory is read once.
# CHECK: = x[i, j, [[K]] + {{.*}}]
# CHECK-NOT: = x[
# CHECK: warp_max(
# CHECK: warp_sum(
# CHECK-LABEL: def once(


# One pass over each row; a row that changes; another row each time; parts of different lengths.
def once(x: f32[N, M]) -> f32[N]:
    return np.sum(x, axis=1)
def changed(x: f32[N, M]):
    for i in range(x.shape[0]):
        s = np.float32(0)
        for j in range(x.shape[1]):
            s += x[i, j]
        for j in range(x.shape[1]):
            x[i, j] = x[i, j] / s
def others(x: f32[N, M], y: f32[N, M], r: f32[N]):
    for i in range(x.shape[0]):
        s = np.float32(0)
        for j in range(x.shape[1]):
            s += x[i, j]
        for j in range(x.shape[1]):
            s += y[i, j]
        r[i] = s
# WHY-NOT: kept in registers
