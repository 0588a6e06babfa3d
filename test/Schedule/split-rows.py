# Few rows that are long: each step over them is a nest of its own, whose workers have parts of rows.
# RUN: %appyc %s -w --emit=ir --stop-after=tile-reductions -o - | FileCheck %s
# RUN: %appyc %s -w --emit=ir --stop-after=tile-reductions --no-versions -o - | FileCheck --check-prefix=ONE %s
# RUN: %appyc %s -o - --remarks 2>&1 >/dev/null | FileCheck --check-prefix=WHY %s
# RUN: %appyc %s -o - | FileCheck --check-prefix=CUDA %s
from __future__ import annotations
import numpy as np


# Few columns, each pair of which is a fold over all rows.
def columns(x: f64[N]) -> f64[2, 2]:
    J = np.ones((len(x), 2))
    J[:, 1] = x
    return J.T @ J
# CHECK-LABEL: def columns(
# CHECK: if 16384 <= N:
# CHECK: total_partial[{{.*}} * chunks + c] = total_chunk


# WHY: split-rows.py:[[@LINE+2]]:{{[0-9]+}}: remark: where there are few rows, and long ones, many workers share each
def softmax(x: f64[M, N]) -> f64[M, N]:
    e = np.exp(x - np.max(x, axis=1, keepdims=True))
    return e / np.sum(e, axis=1, keepdims=True)
# CHECK-LABEL: def softmax(
# CHECK: if max(M, 1) * 2 <= 1024 and 16384 <= N:
# CHECK: for c in range(0, chunks, 1): # proven, simd(256)
# CHECK: max_value_partial[i * chunks + c] = max_value_chunk
# CHECK: max_value_each[{{.*}}] = max_value
# CHECK: total_each[{{.*}}] = total
# CHECK: for j{{.*}} in range(0, N, 1):
# CHECK: else:
# ONE-LABEL: def softmax(
# ONE-NOT: _partial


# A matrix that is square has no few rows that are long; neither have rows of a known length.
def not_split(A: f64[N, N], x: f64[N], b: f64[M, 1000]) -> (f64[N], f64[M]):
    return np.abs(A).max(axis=1) + x, b.sum(axis=1)
# CHECK-LABEL: def not_split(
# CHECK-NOT: _partial


# Of one fold one kernel does for both: where rows are many there is one chunk, whose workers end the row.
def norms(A: f64[M, N]) -> f64[M]:
    return np.sqrt((A * A).sum(axis=1))
# CHECK-LABEL: def norms(
# CHECK: chunks: i64 = {{.*}} if max(M, 1) * 2 <= 1024 and 16384 <= N else 1
# CHECK: for c in range(0, chunks, 1):
# CHECK-NEXT: for i in range(0, M, 1):
# CHECK: if chunks > 1:
# CHECK-NEXT: total_partial[i * chunks + c] = total
# CHECK-NEXT: else:
# CHECK: result[i] = sqrt(total)
# CHECK: if chunks > 1:
# CHECK-NEXT: for i{{.*}} in range(0, M, 1):
# ONE-LABEL: def norms(
# ONE-NOT: chunks
# CUDA-LABEL: void norms_result(
# CUDA: const index_t c = blockIdx.y;
# CUDA-NEXT: for (index_t i = blockIdx.x * blockDim.y + threadIdx.y; i < M; i += gridDim.x * blockDim.y) {
# CUDA: const index_t k_end = minimum(units * 8, N - c * (units * 8));
# A graph is for the path of several launches.
# CUDA-LABEL: extern "C" int {{.*}}_softmax(
# CUDA: 16384 <= N
# CUDA: replay_recorded(
# CUDA: else {
# CUDA-NOT: replay
# CUDA-LABEL: extern "C" int {{.*}}_norms(
# CUDA: const int64_t units = ceil_div(ceil_div(N, chunks), 8);
# CUDA: blocks_for(ceil_div(M, threads.y), chunks), threads
# CUDA: if (chunks > 1) {
