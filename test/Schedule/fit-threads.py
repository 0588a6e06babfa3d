# The host chooses the shape of blocks by the sizes of the call.
# RUN: %appyc %s --no-versions -w --emit=fired | %where pass=fit-threads | FileCheck --check-prefix=FIRES %s
# RUN: %appyc %s --no-versions -w --emit=ir | FileCheck %s
# RUN: %appyc %s --no-versions -o - --no-wrapper --remarks 2>%t.remarks | FileCheck --check-prefix=CUDA %s
# RUN: FileCheck --check-prefix=WHY %s < %t.remarks
# FIRES: fit-threads: by_columns by_rows last_axis matrices steps_of_rows triangular{{$}}
from __future__ import annotations
import numpy as np


# Short rows share a block, whose threads of one row are a group.
def by_rows(A: f64[N, M], x: f64[M], y: f64[N]):
    y[:] = A @ x
# CHECK-LABEL: def by_rows(
# CHECK: lanes: i64 = _lanes_of_row(M, N, 128)
# CHECK-NEXT: launch by_rows_kernel[(min(max((N + 128 // lanes - 1) // (128 // lanes), 1), 65535), 1, 1), (lanes, 128 // lanes, 1)
# CHECK: for i in range(0, N, 1): # {{.*}}bind=group.x
# WHY: fit-threads.py:[[@LINE-5]]:5: remark: rows of up to 128 elements of `k` share a block: lanes for each are chosen by their length
# CUDA-LABEL: // A group of threads for each i, whose lanes share k.
# CUDA: for (index_t i = blockIdx.x * blockDim.y + threadIdx.y; i < N; i += gridDim.x * blockDim.y) {
# CUDA: total = group_reduce_apart<Sum>(total);
# CUDA-LABEL: extern "C" int {{.*}}_by_rows(
# CUDA: const dim3 threads = block_of_rows(M, N, 128);
# CUDA: blocks_for(ceil_div(N, threads.y))


# Few columns leave threads for more chunks of rows; their results are a row for the lanes of a group.
def by_columns(A: f64[N, M], y: f64[M]):
    y[:] = np.sum(A, axis=0)
# CHECK-LABEL: def by_columns(
# CHECK: columns: i64 = min(max(M, 1), 256)
# CHECK-NEXT: launch by_columns_total_partial[(min(max((M + columns - 1) // columns, 1), 65535), min(max((chunks + 256 // columns - 1) // (256 // columns), 1), 65535), 1), (columns, 256 // columns, 1)]
# CHECK: launch by_columns_y[{{.*}}, (lanes, 128 // lanes, 1)](
# CHECK: for i_1 in range(0, M, 1): # {{.*}}bind=group.x


# Known sizes need no choice at the call.
def known(A: f64[N, 64], y: f64[N]):
    y[:] = np.sum(A, axis=1)
# CHECK-LABEL: def known(
# CHECK-NOT: lanes =


# Of rows whose length the iteration tells, the one in the middle says it for all.
def triangular(A: f64[N, N], y: f64[N]):
    #pragma parallel for
    for i in range(A.shape[0]):
        y[i] = np.sum(A[i, :i + 1])
# CHECK-LABEL: def triangular(
# CHECK: lanes: i64 = _lanes_of_row(N // 2 + 1, N, 128)


# Threads that go through rows are spread over all multiprocessors.
def steps_of_rows(A: f64[N, M], y: f64[N]):
    for i in range(A.shape[0]):
        s = 0.0
        for j in range(A.shape[1]):
            s = 0.5 * s + A[i, j]
        y[i] = s
# CHECK-LABEL: def steps_of_rows(
# CHECK: threads: i64 = min(max(_power_of_two((N + 131) // 132), 32), 256)
# WHY: fit-threads.py:[[@LINE-7]]:5: remark: blocks of as few threads along `i` as give each multiprocessor one, down to 32


# Neighbours in memory are neighbours in a warp: threads along the last axis as there are elements, the others along the next ones.
def last_axis(a: f32[N, M, 3], v: f32[3], b: f32[N, M, 3]):
    b[:] = a * v
# CHECK-LABEL: def last_axis(
# CHECK: rows: i64 = min(max((M + 2) // 3, 1), 85)
# CHECK-NEXT: planes: i64 = min(85 // rows, 64)
# CHECK-NEXT: launch {{.*}}, (3, rows, planes)](


def matrices(a: f64[N, 3, 3], b: f64[N, 3, 3]):
    b[:] = a[:, ::-1] * 2.0
# CHECK-LABEL: def matrices(
# CHECK: launch {{.*}}, (3, 3, 28)](
