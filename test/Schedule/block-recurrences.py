# Rows that sum over all rows before them run in blocks: a block's own rows by one worker, what it gives to later rows by all.
# RUN: %appyc %s -o - | FileCheck %s
# RUN: %appyc %s -o - --disable-pass=block-recurrences | FileCheck --check-prefix=OFF %s
# RUN: %appyc %s -o - --remarks 2>&1 >/dev/null | FileCheck --check-prefix=WHY %s
# RUN: %appyc %s --target=cpu -o - | FileCheck --check-prefix=OFF %s
# RUN: %appyc %s --target=sequential --stop-after=block-recurrences -o /dev/null --no-wrapper
# OFF-NOT: sums
from __future__ import annotations
import numpy as np


def solve(L: f64[N, N], x: f64[N], b: f64[N]):
    for i in range(x.shape[0]):
        x[i] = (b[i] - L[i, :i] @ x[:i]) / L[i, i]
# WHY: block-recurrences.py:[[@LINE-2]]:5: remark: runs in blocks of 32 iterations
# WHY: runs beside the kernel of one block before it, in one launch
# One block of threads runs the next 32 rows, which take what the block before left first: no load waits for another.
# CHECK-LABEL: __global__ void solve_kernel2(
# CHECK: if (blockIdx.x == 0) {
# CHECK: for (index_t base = 0; base < 1024; base += 256) {
# CHECK-NEXT: const index_t cell = base + threadIdx.x;
# CHECK-NEXT: L_tile[cell / 32 * 33 + cell % 32] = cell % 32 < cell / 32 && first + cell / 32 < N
# CHECK: const index_t lane = threadIdx.x;
# CHECK-NEXT: const index_t row = minimum(first + lane / 8, N - 1);
# CHECK: part += first > 0 ? L[row * N + first + lane % 8 + j * 8 - 32] * x[first + lane % 8 + j * 8 - 32]
# CHECK: parts[lane / 8 * 9 + lane % 8] = part;
# CHECK: __syncthreads();
# CHECK: total += parts[r * 9 + q];
# CHECK: L_inverse[r] = reciprocal(L_here[r]);
# CHECK: if (threadIdx.x < 32) {
# CHECK-NEXT: for (index_t i = 0; i < rows; ++i) {
# CHECK-NEXT: const index_t next = minimum(i + 1, rows - 1);
# CHECK-NEXT: const index_t before = maximum(i - 1, 0);
# CHECK-NEXT: __syncwarp();
# CHECK-NEXT: double ahead = sums_here[next];
# CHECK: if (i > 0)
# CHECK-NEXT: ahead += L_tile[next * 33 + before] * value_before;
# CHECK-NEXT: const index_t r = threadIdx.x % 32;
# CHECK-NEXT: if (i > 0 && r > next && r < rows)
# CHECK-NEXT: sums_here[r] += L_tile[r * 33 + before] * value_before;
# CHECK-NOT: __sync
# CHECK: const double value = divide_by(b_now - total, L_now, L_inverse_now);
# CHECK-NEXT: if (threadIdx.x % 32 == 0)
# CHECK-NEXT: x[first + i] = value;
# CHECK: total = ahead + L_tile_next * value;
# The others add what the block before left to the rows behind.
# CHECK: } else {
# CHECK-NEXT: for (index_t r = first + 32 + ((index_t)(blockIdx.x - 1) * blockDim.x + threadIdx.x) / 32; r < N;
# CHECK: const index_t k = first - 32 + (index_t)(threadIdx.x % 32);
# CHECK-NEXT: total += L[r * N + k] * x[k];
# CHECK: total = warp_reduce<Sum>(total);
# CHECK: sums[r] += total;


# From the last row up: rows are counted from there.
def back(U: f64[N, N], x: f64[N]):
    for i in range(x.shape[0] - 1, -1, -1):
        x[i] = (x[i] - U[i, i + 1:] @ x[i + 1:]) / U[i, i]
# WHY: block-recurrences.py:[[@LINE-2]]:5: remark: runs in blocks of 32 iterations
# CHECK-LABEL: __global__ void back_kernel2(
# CHECK: ? U[(N - first - cell / 32 - 1) * N + N - first - cell % 32 - 1] : 0.0;
# CHECK: x[N - first - i - 1] = value;


# The terms read what later rows write, what is written is read by other rows, or the order is asked for.
def reads_ahead(L: f64[N, N], x: f64[M]):
    for i in range(L.shape[0]):
        s = 0.0
        for k in range(i):
            s += L[i, k] * x[k + 1]
        x[i] = 0.5 * s + 1.0


def changes_operand(L: f64[N, N], x: f64[N]):
    for i in range(x.shape[0]):
        x[i] = 0.5 * (L[i, :i] @ x[:i]) + 1.0
        L[-1, i // 2] = x[i]


def asked_for(L: f64[N, N], x: f64[N]):
    #pragma sequential for
    for i in range(x.shape[0]):
        x[i] -= L[i, :i] @ x[:i]
# WHY-NOT: runs in blocks
# CHECK-LABEL: __global__ void reads_ahead_kernel
# CHECK-NOT: __shared__
# CHECK-LABEL: int asked_for_host(
