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
# WHY: block-recurrences.py:[[@LINE-2]]:5: remark: runs in blocks of 64 iterations
# WHY: runs beside the kernel of one block before it, in one launch
# One block of threads runs the next 64 rows, which take what the block before left first: no load waits for another.
# CHECK-LABEL: __global__ void __launch_bounds__(512, 1) solve_kernel2(
# CHECK: if (blockIdx.x == 0) {
# CHECK: const index_t row = minimum(first + lane / 8, N - 1);
# CHECK-NEXT: const double sums_row = lane % 8 == 0 ? sums[row] : 0.0;
# CHECK: for (index_t j = 0; j < 8; ++j)
# CHECK-NEXT: L_tile[lane / 64 * 65 + j * 520 + lane % 64] = lane % 64 < lane / 64 + j * 8 &&
# CHECK: part += first > 0 ? L[row * N + first + lane % 8 + j * 8 - 64] * x[first + lane % 8 + j * 8 - 64]
# CHECK: parts[lane / 8 * 9 + lane % 8] = part;
# CHECK-NEXT: if (lane % 8 == 0) {
# CHECK-NEXT: sums_here[lane / 8] = sums_row;
# CHECK: __syncthreads();
# CHECK: total += parts[r * 9 + q];
# CHECK: sums_again[r] = total;
# CHECK-NEXT: L_inverse[r] = reciprocal(L_here[r]);
# Eight rows at a time in scalars; nothing branches until their results are there.
# CHECK: if (threadIdx.x < 32) {
# CHECK-NEXT: for (index_t i = 0; i < rows; i += 8) {
# CHECK-NEXT: bool exact = true;
# CHECK-NEXT: __syncwarp();
# CHECK-NEXT: const double total = sums_here[i];
# CHECK-NEXT: const double value = divide_by(b_here[i] - total, L_here[i], L_inverse[i]);
# CHECK-NEXT: exact = exact && divides_by(b_here[i] - total, L_inverse[i]);
# CHECK-NEXT: const double total_1 = sums_here[i + 1] + L_tile[i * 66 + 65] * value;
# CHECK-NOT: if
# CHECK: const double value_7 = divide_by(b_here[i + 7] - total_7, L_here[i + 7], L_inverse[i + 7]);
# CHECK: const double ahead = sums_here[r] + L_tile[r * 65 + i] * value + L_tile[r * 65 + i + 1] * value_1 +
# CHECK: if (r >= i + 8)
# CHECK-NEXT: sums_here[r] = ahead;
# CHECK: if (i + 7 < rows)
# CHECK-NEXT: x[first + i + 7] = value_7;
# CHECK-NEXT: if (!exact)
# CHECK-NEXT: again[0] = true;
# Where a division cannot be prepared, the block runs again.
# CHECK: __syncthreads();
# CHECK-NEXT: if (again[0]) {
# CHECK: for (index_t i = 0; i < rows; ++i) {
# CHECK-NEXT: __syncwarp();
# CHECK-NEXT: const double total = sums_again[i];
# CHECK-NEXT: const double value = (b_here[i] - total) / L_here[i];
# The others add what the block before left to the rows behind, two rows a warp at a time.
# CHECK: } else {
# CHECK-NEXT: for (index_t r = first + 64 + ((index_t)(blockIdx.x - 1) * blockDim.x + threadIdx.x) / 32 * 2; r < N;
# CHECK: const index_t row = minimum(r + 1, N - 1);
# CHECK: const index_t k = first - 64 + (base + threadIdx.x % 32);
# CHECK-NEXT: total += L[r * N + k] * x[k];
# CHECK-NEXT: total_1 += L[row * N + k] * x[k];
# CHECK: total = warp_reduce<Sum>(total);
# CHECK: sums[r] = sum + total;
# CHECK-NEXT: if (r + 1 < N)


# No division, and terms of two tiles: blocks of 32 rows.
def two(a: f64[N, N], x: f64[N], y: f64[N]):
    for i in range(x.shape[0]):
        s = 0.0
        for k in range(i):
            s += a[i, k] * x[k] + a[k, i] * y[k]
        x[i] = y[i] - s
        y[i] = x[i] + s
# WHY: block-recurrences.py:[[@LINE-6]]:5: remark: runs in blocks of 32 iterations
# CHECK-LABEL: __global__ void __launch_bounds__(512, 1) two_kernel2(
# CHECK: for (index_t i = 0; i < rows; i += 8) {
# CHECK-NOT: exact
# CHECK: const index_t r = threadIdx.x % 32;
# CHECK-LABEL: int two_host(


# Where a row stores depends on what it computes: one row at a time.
def by_result(L: f64[N, N], x: f64[N], last: i64[8]):
    for i in range(x.shape[0]):
        x[i] = (x[i] - L[i, :i] @ x[:i]) / 3.0
        last[int(np.abs(x[i])) % 8] = i
# CHECK-LABEL: by_result_kernel2(
# CHECK: for (index_t i = 0; i < rows; ++i) {
# CHECK-LABEL: int by_result_host(


# From the last row up: rows are counted from there.
def back(U: f64[N, N], x: f64[N]):
    for i in range(x.shape[0] - 1, -1, -1):
        x[i] = (x[i] - U[i, i + 1:] @ x[i + 1:]) / U[i, i]
# WHY: block-recurrences.py:[[@LINE-2]]:5: remark: runs in blocks of 64 iterations
# CHECK-LABEL: back_kernel2(
# CHECK: ? U[(N - first - lane / 64 - j * 8 - 1) * N + N - first - lane % 64 - 1] : 0.0;
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
