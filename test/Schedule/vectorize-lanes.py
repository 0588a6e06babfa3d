# Threads take 16 bytes of neighbouring elements at once where rows and arrays begin at multiples of that.
# RUN: %appyc %s -o - --disable-pass=keep-rows | FileCheck %s
# RUN: %appyc %s -o - --disable-pass=vectorize-lanes | FileCheck --check-prefix=OFF %s
# RUN: %appyc %s -o - --remarks 2>&1 >/dev/null | FileCheck --check-prefix=WHY %s
# RUN: %appyc %s -o - --print-after=vectorize-lanes 2>&1 >/dev/null | FileCheck --check-prefix=IR %s
# RUN: %appyc %s --target=sequential -o - --no-wrapper | FileCheck --check-prefix=SEQ %s
# OFF-NOT: load_vector
from __future__ import annotations
import numpy as np


def softmax(x: f32[N, M]) -> f32[N, M]:
    e = np.exp(x - np.max(x, axis=1, keepdims=True))
    return e / np.sum(e, axis=1, keepdims=True)
# WHY: vectorize-lanes.py:[[@LINE-2]]:5: remark: a thread takes 4 elements along `{{.*}}` at once where rows begin at multiples of 16 bytes
# IR: launch softmax_kernel{{.*}}, vectors of 4, M, x, result]:
# IR: for {{.*}} in range(0, M, width):  # {{.*}}bind=thread.x
# IR-NEXT: x_vector: f32[4]  # vector
# IR-NEXT: for v in range(0, width, 1):  # {{.*}}, together
# IR-NEXT: x_vector[v] = x[i, k + v]
# IR-NEXT: for v{{.*}} in range(0, width, 1):  # {{.*}}max(max_value), unroll
# CHECK-LABEL: template <class index_t, int width>
# CHECK-NEXT: __global__ void softmax_kernel(
# CHECK: for (index_t k = (index_t)threadIdx.x * width; k < M; k += (index_t)blockDim.x * width) {
# CHECK-NEXT: const auto x_vector = load_vector<width>(&x[i * M + k]);
# CHECK-NEXT: #pragma unroll
# CHECK-NEXT: for (index_t v = 0; v < width; ++v)
# CHECK-NEXT: max_value = maximum(max_value, x_vector[v]);
# CHECK: store_vector(&result[i * M + {{.*}}], result_vector);
# CHECK: const int vector_width = M % 4 == 0 && are_aligned({x, result}) ? 4 : 1;
# CHECK-NEXT: if (const dim3 grid = launch_grid(minimum(maximum(N, 1), 65535)); grid.x > 0) {
# CHECK-NEXT: if (vector_width == 4)
# CHECK-NEXT: softmax_kernel<index_t, 4><<<grid, 128, 0, stream>>>(x, result, N, M);
# CHECK-NEXT: else
# CHECK-NEXT: softmax_kernel<index_t, 1><<<grid, 128, 0, stream>>>(x, result, N, M);
# SEQ: x_vector[v] = x[i * M + k + v];


# The grid is as many times smaller; sixteen elements of one byte, four where one array has four bytes.
def bright(x: u8[N], y: u8[N]):
    y[:] = x // 2 + 1
def wide(x: u8[N], y: f32[N]):
    y[:] = x * np.float32(0.5)
# WHY: a thread takes 16 elements along
# WHY: a thread takes 4 elements along
# CHECK-LABEL: __global__ void bright_kernel(
# CHECK: for (index_t i = ((index_t)blockIdx.x * blockDim.x + threadIdx.x) * width; i < N;
# CHECK-NEXT: i += (index_t)gridDim.x * blockDim.x * width) {
# CHECK: const int vector_width = N % 16 == 0 && are_aligned({x, y}) ? 16 : 1;
# CHECK: (minimum(maximum((N + 255) / 256, 1), 65535) + vector_width - 1) / vector_width);
# CHECK-LABEL: __global__ void wide_kernel(
# CHECK: const int vector_width = N % 4 == 0 && are_aligned({x, y}) ? 4 : 1;


# What lives from one loop to the next has a value for each element.
def down(a: f32[N, M], x: f32[N], total: f32[M]):
    for j in range(a.shape[1]):
        s = np.float32(0)
        for i in range(a.shape[0]):
            a[i, j] += x[i]
            s += a[i, j] * x[i]
        total[j] = s
# WHY: a thread takes 4 elements along
# CHECK-LABEL: __global__ void down_kernel1(
# CHECK: Vector<float, width> s;
# CHECK: s[v] = 0.0f;
# CHECK: auto a_vector = load_vector<width>(&a[
# CHECK: s[v] += {{.*}}x[i]
# CHECK: store_vector(&a[{{.*}}], a_vector);


# Neighbours in memory that do not begin where vectors do, the other axis, elements found through others, a choice of
# which only one side is evaluated, elements of sixteen bytes, atomic updates, few elements, rows that begin anywhere.
def shifted(a: f32[N, M], b: f32[N, M]):
    b[:, 1:-1] = a[:, 2:] + a[:, :-2]
def across(a: f32[N, M], b: f32[M, N]):
    b[:] = a.T
def gathered(a: f32[N], at: i32[M], b: f32[M]):
    b[:] = a[at]
def padded(a: f32[N], b: f32[M]):
    for i in range(b.shape[0]):
        b[i] = a[i] if i < a.shape[0] else np.float32(0)
def large(a: c128[N], b: c128[N]):
    b[:] = a + 1.0
def few(a: f32[N, 16]) -> f32[N]:
    return np.sum(a, axis=1)
def triangle(a: f32[N, N]) -> f32[N]:
    s = np.empty(a.shape[0], np.float32)
    for i in range(a.shape[0]):
        s[i] = np.sum(a[i, i:])
    return s
# By one element a thread, eight bytes are enough; time loops find their arrays in the cache.
def doubles(a: f64[N], b: f64[N]):
    b[:] = a + 1.0
def in_time(a: f32[N], b: f32[N], steps: i64):
    for t in range(steps):
        b[:] = a + np.float32(t)
# WHY-NOT: a thread takes
# CHECK-LABEL: __global__ void shifted_kernel(
# CHECK-NOT: load_vector
