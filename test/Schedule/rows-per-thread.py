# A thread makes several elements, one below the other: eight where they share loads, else two.
# RUN: %appyc %s -o - | FileCheck %s
# RUN: %appyc %s -o - --disable-pass=rows-per-thread | FileCheck --check-prefix=OFF %s
# RUN: %appyc %s -o - --remarks 2>&1 >/dev/null | FileCheck --check-prefix=WHY %s
# OFF-NOT: #pragma unroll
from __future__ import annotations
import numpy as np


def shifted(a: f64[N, M], b: f64[N, M]):
    b[:] = a + 1.0
# WHY: rows-per-thread.py:[[@LINE-1]]:5: remark: a thread makes 2 elements along `i`
# CHECK-LABEL: __global__ void shifted_kernel(
# CHECK: for (index_t i_first = ((index_t)blockIdx.y * blockDim.y + threadIdx.y) * 2; i_first < N;
# CHECK-NEXT: i_first += (index_t)gridDim.y * blockDim.y * 2) {
# CHECK-NEXT: for (index_t j = (index_t)blockIdx.x * blockDim.x + threadIdx.x; j < M;
# CHECK: #pragma unroll
# CHECK-NEXT: for (index_t r = 0; r < 2; ++r)
# CHECK-NEXT: if (i_first + r < N)
# CHECK-NEXT: b[(i_first + r) * M + j] = a[(i_first + r) * M + j] + 1.0;
# CHECK: minimum(maximum((N + 15) / 16, 1), 65535)); grid.x > 0)
# CHECK-NEXT: shifted_kernel<index_t><<<grid, dim3(32, 8), 0, stream>>>


# Rows of i have loads in common; so have those of j, but they are further apart in i.
def stencil(a: f64[L, M, N], b: f64[L, M, N]):
    b[1:-1, 1:-1] = a[:-2, 1:-1] + a[2:, 1:-1] + a[1:-1, :-2] + a[1:-1, 2:]
# WHY: rows-per-thread.py:[[@LINE-1]]:5: remark: a thread makes 8 elements along `i`
# CHECK-LABEL: __global__ void __launch_bounds__(128, 6) stencil_kernel(
# CHECK: for (index_t i_first = ((index_t)blockIdx.z * blockDim.z + threadIdx.z) * 8;
# CHECK: if (i_first + 8 <= L - 2) {
# CHECK-NEXT: #pragma unroll
# CHECK-NEXT: for (index_t r = 0; r < 8; ++r) {
# CHECK-NEXT: const index_t i = i_first + r;
# CHECK: } else {
# CHECK-NEXT: for (index_t i = i_first; i < L - 2; ++i)
# CHECK: stencil_kernel<index_t><<<grid, dim3(32, 4), 0, stream>>>


# An update in place, rows that depend on each other's length, a time loop, few rows.
def in_place(a: f64[N, M]):
    a += 1.0
def triangle(a: f64[N, N], b: f64[N, N]):
    for i in range(a.shape[0]):
        for j in range(i, a.shape[0]):
            b[i, j] = a[i, j]
def in_time(a: f64[N, M], b: f64[N, M], steps: i64):
    for t in range(steps):
        b[:] = a + t
def few(a: f64[8, M], b: f64[8, M]):
    b[:] = a
# CHECK-LABEL: __global__ void in_place_kernel(
# CHECK-NOT: #pragma unroll
