# Rows that lanes go through several times are kept in registers: a kernel for each number of vectors, where they fit.
# RUN: %appyc %s -o - | FileCheck %s
# RUN: %appyc %s -o - --disable-pass=keep-rows | FileCheck --check-prefix=OFF %s
# RUN: %appyc %s -o - --remarks 2>&1 >/dev/null | FileCheck --check-prefix=WHY %s
# RUN: %appyc %s --target=sequential -o - --no-wrapper | FileCheck --check-prefix=OFF %s
# OFF-NOT: _of_rows
from __future__ import annotations
import numpy as np


def softmax(x: f32[L, N, M]) -> f32[L, N, M]:
    e = np.exp(x - np.max(x, axis=2, keepdims=True))
    return e / np.sum(e, axis=2, keepdims=True)
# WHY: keep-rows.py:[[@LINE-2]]:5: remark: rows of more than 128 and up to 1024 elements are kept in registers
# CHECK-LABEL: template <class index_t, int width, int kept>
# CHECK-NEXT: __global__ void softmax_kernel_of_rows(
# CHECK: Vector<float, kept * width> x_row;
# CHECK-NEXT: #pragma unroll
# CHECK-NEXT: for (index_t r = 0; r < kept; ++r) {
# CHECK-NEXT: const index_t k = (r * 32 + (index_t)threadIdx.x % 32) * width;
# CHECK-NEXT: if (k < M) {
# CHECK-NEXT: const auto x_vector = load_vector<width>(&x[(i * N + j) * M + k]);
# CHECK: x_row[r * width + v] = x_vector[v];
# CHECK: max_value = maximum(max_value, x_row[r * width + v]);
# CHECK: max_value = warp_reduce<Max>(max_value);
# CHECK: expf(x_row[r * width + v] - max_value);
# CHECK: if (vector_width == 4 && M > 128 && M <= 512)
# CHECK-NEXT: softmax_kernel_of_rows<index_t, 4, 4><<<grid, 128, 0, stream>>>(x, result, L, N, M);
# CHECK-NEXT: else if (vector_width == 4 && M > 512 && M <= 1024)
# CHECK-NEXT: softmax_kernel_of_rows<index_t, 4, 8><<<grid, 128, 0, stream>>>(x, result, L, N, M);
# CHECK-NEXT: else if (vector_width == 4)
# CHECK-NEXT: softmax_kernel<index_t, 4><<<grid, 128, 0, stream>>>(x, result, L, N, M);
# CHECK-NEXT: else
# CHECK-NEXT: softmax_kernel<index_t, 1><<<grid, 128, 0, stream>>>(x, result, L, N, M);


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
# CHECK-NOT: _of_rows
