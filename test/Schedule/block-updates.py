# A square updated by its own row and column each step takes 32 steps in one pass: the tiles on them first.
# RUN: %appyc %s -o - | FileCheck %s
# RUN: %appyc %s -o - --disable-pass=block-updates | FileCheck --check-prefix=OFF %s
# RUN: %appyc %s -o - --remarks 2>&1 >/dev/null | FileCheck --check-prefix=WHY %s
# RUN: %appyc %s --target=cpu -o - | FileCheck --check-prefix=OFF %s
# RUN: %appyc %s --target=sequential --stop-after=block-updates -o /dev/null --no-wrapper
# OFF-NOT: path_tile
from __future__ import annotations
import numpy as np


def shortest(path: i32[N, N]):
    for k in range(path.shape[0]):
        path[:] = np.minimum(path[:], np.add.outer(path[:, k], path[k, :]))
# WHY: block-updates.py:[[@LINE-2]]:5: remark: runs in blocks of 32 iterations
# The tile where rows and columns meet.
# CHECK-LABEL: __global__ void shortest_kernel1(
# CHECK: __shared__ int32_t path_tile[1056];
# CHECK: for (index_t s = 0; s < s_end; ++s) {
# CHECK-NEXT: __syncthreads();
# CHECK: column_here[x] = path_tile[x * 33 + s];
# CHECK: row_here[x] = path_tile[s * 33 + x];
# CHECK: __syncthreads();
# CHECK: wrap_add(column_here[cell / 32], row_here[cell % 32])
# The other tiles, of the rows and of the columns.
# CHECK-LABEL: __global__ void shortest_kernel2(
# CHECK: const index_t base = w * 32 < first ? w * 32 : w * 32 + 32;
# CHECK: wrap_add(columns_tile[cell / 32 * 33 + s], row_here[cell % 32])
# CHECK-LABEL: __global__ void shortest_kernel3(
# CHECK: wrap_add(column_here[cell / 32], rows_tile[s * 33 + cell % 32])
# All other elements, 4 x 4 a thread.
# CHECK-LABEL: __global__ void shortest_kernel4(
# CHECK: const index_t j = t / 32 * 128 + t % 32;
# CHECK: value[r * 4 + c] = minimum(value[r * 4 + c],
# CHECK-NEXT: wrap_add(columns[minimum(i_first + r, N - 1) * 32 + s],
# CHECK-NEXT: rows[s * N + minimum(j + c * 32, N - 1)]));
# CHECK: if (i_first + r < N && j + c * 32 < N && (i_first + r < first || i_first + r >= first + 32) &&
# CHECK-NEXT: (j + c * 32 < first || j + c * 32 >= first + 32))
# CHECK-NEXT: path[(i_first + r) * N + j + c * 32] = value[r * 4 + c];


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
# CHECK-NOT: a_tile
