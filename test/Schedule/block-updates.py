# A square updated by its own row and column each step takes 32 steps in one pass: the tiles on them first.
# RUN: %appyc %s -o - | FileCheck %s
# RUN: %appyc %s -o - --disable-pass=block-updates | FileCheck --check-prefix=OFF %s
# RUN: %appyc %s -o - --remarks 2>&1 >/dev/null | FileCheck --check-prefix=WHY %s
# RUN: %appyc %s --target=cpu -o - | FileCheck --check-prefix=OFF %s
# RUN: %appyc %s --target=sequential --stop-after=block-updates -o /dev/null --no-wrapper
# OFF-NOT: path_own
from __future__ import annotations
import numpy as np


def shortest(path: i32[N, N]):
    for k in range(path.shape[0]):
        path[:] = np.minimum(path[:], np.add.outer(path[:, k], path[k, :]))
# WHY: block-updates.py:[[@LINE-2]]:5: remark: runs in blocks of 32 iterations
# The tile where rows and columns meet: each cell in a register, lines passed on when they are made.
# CHECK-LABEL: __global__ void shortest_kernel1(
# CHECK: const index_t lane = threadIdx.x;
# CHECK: int32_t path_own[1];
# CHECK: __shared__ int32_t column_here[1056];
# CHECK: for (index_t s = 0; s < s_end; ++s) {
# CHECK-NEXT: __syncthreads();
# CHECK-NEXT: if (first + lane / 32 < N && first + lane % 32 < N) {
# CHECK-NEXT: path_own[0] = minimum(path_own[0],
# CHECK-NEXT: wrap_add(column_here[s * 33 + lane / 32], row_here[s * 33 + lane % 32]));
# CHECK-NEXT: if (lane % 32 == s + 1)
# CHECK-NEXT: column_here[s * 33 + lane / 32 + 33] = path_own[0];
# CHECK-NOT: __syncthreads
# CHECK: columns[first * 32 + lane] = column_here[lane % 32 * 33 + lane / 32];
# The other tiles, of the rows and of the columns.
# CHECK-LABEL: __global__ void shortest_kernel2(
# CHECK: const index_t base = w * 32 < first ? w * 32 : w * 32 + 32;
# CHECK: if (side == 0) {
# CHECK: wrap_add(lines_tile[s * 33 + cell * 8 + lane / 32], line_here[s * 33 + lane % 32])
# CHECK: rows[(cell * 8 + lane / 32) * N + base + lane % 32] =
# CHECK: } else {
# CHECK: wrap_add(line_here[s * 33 + cell * 8 + lane / 32], lines_tile[s * 33 + lane % 32])
# All other elements, 8 x 2 a lane.
# CHECK-LABEL: __global__ void shortest_kernel3(
# CHECK: columns_tile[point % 32 * 65 + point / 32] = columns[minimum(top + point / 32, N - 1) * 32 +
# CHECK: value[r * 2 + c] = minimum(value[r * 2 + c],
# CHECK-NEXT: wrap_add(columns_tile[s * 65 + lane / 32 * 8 + r], rows_tile[s * 65 + lane % 32 + c * 32]));
# CHECK: path[(top + lane / 32 * 8 + r) * N + left + lane % 32 + c * 32] = value[r * 2 + c];


# What is read is of another step, the square grows smaller, or the order is asked for.
def next_column(a: f64[N, N]):
    for k in range(a.shape[0] - 1):
        a[:] = 0.5 * a + 0.25 * a[:, k + 1, None] * a[k]


def lower_right(a: f64[N, N]):
    for k in range(a.shape[0] - 1):
        a[k + 1:, k + 1:] -= 0.5 * np.outer(a[k + 1:, k], a[k, k + 1:])


def asked_for(a: f64[N, N]):
    #pragma sequential for
    for k in range(a.shape[0]):
        a[:] = np.minimum(a, a[:, k, None] + a[k])
# WHY-NOT: runs in blocks
# CHECK-LABEL: next_column_kernel
# CHECK-NOT: a_own
