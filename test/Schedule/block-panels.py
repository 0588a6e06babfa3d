# Elements that sum products over all earlier columns run in panels: a matrix product, a tile on chip, elements behind it.
# RUN: %appyc %s -o - | FileCheck %s
# RUN: %appyc %s -o - --disable-pass=block-panels | FileCheck --check-prefix=OFF %s
# RUN: %appyc %s -o - --remarks 2>&1 >/dev/null | FileCheck --check-prefix=WHY %s
# RUN: %appyc %s -o - --no-library | FileCheck --check-prefix=TILES %s
# RUN: %appyc %s --target=cpu -o - | FileCheck --check-prefix=OFF %s
# RUN: %appyc %s --target=sequential --stop-after=block-panels -o /dev/null --no-wrapper
# OFF-NOT: sums
# TILES-NOT: cublas
from __future__ import annotations
import numpy as np


def cholesky(A: f64[N, N]):
    for i in range(A.shape[0]):
        for j in range(i):
            A[i, j] = (A[i, j] - A[i, :j] @ A[j, :j]) / A[j, j]
        A[i, i] = np.sqrt(A[i, i] - A[i, :i] @ A[i, :i])
# WHY: block-panels.py:[[@LINE-4]]:5: remark: runs in panels of 32 iterations
# The panel's own elements. What a column gives to later ones is added as soon as it is done.
# CHECK-LABEL: __global__ void cholesky_kernel1(
# CHECK: A_tile[cell / 32 * 33 + cell % 32] = cell % 32 <= cell / 32 && first + cell / 32 < N
# CHECK: for (index_t s = 0; s < rows; ++s) {
# CHECK-NEXT: __syncthreads();
# CHECK: const double total = sums_here[s * 33];
# CHECK-NEXT: if (threadIdx.x == 0)
# CHECK-NEXT: A_tile[s * 34] = sqrt(A_tile[s * 34] - total);
# CHECK-NEXT: __syncthreads();
# CHECK: if (r > s && r < rows) {
# CHECK: A_tile[r * 33 + s] = (A_tile[r * 33 + s] - total_1) / A_tile[s * 34];
# CHECK: __syncthreads();
# CHECK: if (s < cell / 32 && cell % 32 >= cell / 32 && cell % 32 < rows)
# CHECK-NEXT: sums_here[cell] += A_tile[cell % 32 * 33 + s] * A_tile[cell / 32 * 33 + s];
# Nothing above the diagonal is written.
# CHECK: if (cell % 32 <= cell / 32 && first + cell / 32 < N)
# CHECK-NEXT: A[(first + cell / 32) * N + first + cell % 32] = A_tile[cell / 32 * 33 + cell % 32];
# The elements behind it, each row by itself.
# CHECK-LABEL: __global__ void cholesky_kernel2(
# CHECK: double sums_here[32];
# CHECK: sums_here[c] = sums[c * N + i];
# CHECK: const double value = (A[i * N + first + s] - total) / A[(first + s) * N + first + s];
# CHECK-NEXT: A[i * N + first + s] = value;
# CHECK: if (s < c)
# CHECK-NEXT: sums_here[c] += value * A[(first + c) * N + first + s];
# CHECK-LABEL: int cholesky_host(
# CHECK: for (index_t first = 0; first < N; first += 32) {
# CHECK: multiply_by_cublas<Overwrite, double>(N - first, minimum<index_t>(32, N - first),
# CHECK-NEXT: first, 1.0, Matrix<const double>{A + first * N, N, 1}, Matrix<const double>{A + first * N, 1, N}, 0.0,
# CHECK: launch_overlapping<cholesky_kernel1<index_t>>(1, 512, stream
# CHECK: launch_overlapping<cholesky_kernel2<index_t>>(grid, 32, stream


# Two parts: rows of one factor, columns of the other.
def lu(A: f64[N, N]):
    for i in range(A.shape[0]):
        for j in range(i):
            A[i, j] = (A[i, j] - A[i, :j] @ A[:j, j]) / A[j, j]
        for j in range(i, A.shape[0]):
            A[i, j] -= A[i, :i] @ A[:i, j]
# WHY: block-panels.py:[[@LINE-5]]:5: remark: runs in panels of 32 iterations
# CHECK-LABEL: int lu_host(
# CHECK: multiply_by_cublas
# CHECK: multiply_by_cublas


# An element of the panel waits for one behind it; what columns before hold changes; the text asks for order.
def waits(A: f64[N, N]):
    for j in range(A.shape[0]):
        A[j, j] = 1.0 + 0.5 * A[-1, j // 2] - 0.25 * (A[j, :j] @ A[j, :j])
        for i in range(j + 1, A.shape[0]):
            A[i, j] = (A[i, j] - A[i, :j] @ A[j, :j]) / (1.0 + abs(A[j, j]))


def changes(A: f64[N, N]):
    for j in range(A.shape[0]):
        for i in range(j, A.shape[0]):
            A[i, j] = 0.5 * A[i, j] - 0.125 * (A[i, :j] @ A[j, :j])
        A[-1, j // 2] = 0.5


def asked_for(A: f64[N, N]):
    #pragma sequential for
    for j in range(A.shape[0]):
        A[j, j] = np.sqrt(A[j, j] - A[j, :j] @ A[j, :j])
        for i in range(j + 1, A.shape[0]):
            A[i, j] = (A[i, j] - A[i, :j] @ A[j, :j]) / A[j, j]
# WHY-NOT: runs in panels
# CHECK-LABEL: int waits_host(
# CHECK-NOT: multiply
# CHECK-LABEL: size_t {{.*}}_cholesky_workspace(
