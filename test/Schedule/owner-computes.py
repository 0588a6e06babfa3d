# Steps of which each slice of a matrix takes what the step's own one has become: one launch, a block for each slice, which
# keeps it on chip; the step's owner posts the step, the others wait for it.
# RUN: %appyc %s -o - | FileCheck %s
# RUN: %appyc %s -o - --disable-pass=batch-lanes | FileCheck --check-prefix=ONE %s
# RUN: %appyc %s -o - --disable-pass=owner-computes | FileCheck --check-prefix=OFF %s
# RUN: %appyc %s -o - --remarks 2>&1 >/dev/null | FileCheck --check-prefix=WHY %s
# RUN: %appyc %s -o - --target=cpu | FileCheck --check-prefix=OFF %s
# RUN: %appyc %s --target=sequential --stop-after=owner-computes -o /dev/null --no-wrapper
# RUN: printf '[orthogonal."for k in range(A.shape[1]):"]\nlaunch = "steps"\nlanes = 64\n' > %t.schedule
# RUN: printf '[eliminated."for k in range(A.shape[0]):"]\nlaunch = "resident"\nlanes = 64\n' >> %t.schedule
# RUN: %appyc %s -o - --schedule=%t.schedule | FileCheck --check-prefix=CHOSEN %s
# OFF-NOT: resident
from __future__ import annotations
import numpy as np


# Two arrays are published or kept: Q's columns in memory, slice by slice, A's on chip.
def orthogonal(A: f64[M, N], Q: f64[M, N], R: f64[N, N]):
    for k in range(A.shape[1]):
        R[k, k] = np.sqrt(A[:, k] @ A[:, k])
        Q[:, k] = A[:, k] / R[k, k]
        for j in range(k + 1, A.shape[1]):
            R[k, j] = Q[:, k] @ A[:, j]
            A[:, j] -= Q[:, k] * R[k, j]
# WHY: owner-computes.py:[[@LINE-6]]:5: remark: all steps in one launch where the device runs a block for each `j` at once: it keeps its part of `A` on chip, publishes its part of `Q`, and waits in each step for one other block [time-loop]
# WHY: owner-computes.py:[[@LINE-6]]:9: remark: lanes take 4 iterations of `k` at a time [parallelised]
# CHECK-LABEL: __global__ void __launch_bounds__(128, 8) orthogonal_kernel1(
# CHECK: OnChip on_chip;
# CHECK: if (const index_t j = blockIdx.x; j < N) {
# CHECK: double* A_own = on_chip.take<double>(M);
# CHECK: A_own[i] = A[i * N + j];
# CHECK: Q_slices[j * M + i] = Q[i * N + j];
# CHECK: for (index_t k = 0; k < N; ++k) {
# CHECK: if (j == k) {
# CHECK: for (index_t first = 0; first < M; first += 512) {
# CHECK-NEXT: #pragma unroll
# CHECK-NEXT: for (index_t r = 0; r < 4; ++r) {
# CHECK-NEXT: const index_t k_1 = first + r * 128 + (index_t)threadIdx.x;
# CHECK-NEXT: if (k_1 < M)
# CHECK-NEXT: total += A_own[k_1] * A_own[k_1];
# CHECK: const double R_element = sqrt(total);
# CHECK: for (index_t i = threadIdx.x; i < M; i += blockDim.x)
# CHECK-NEXT: Q_slices[k * M + i] = A_own[i] / R_element;
# CHECK-NEXT: post_step(progress, k);
# CHECK: if (k + 1 <= j) {
# CHECK-NEXT: wait_for_step(progress, k);
# CHECK-NOT: __syncthreads
# CHECK: total += Q_slices[k * M + k_1] * A_own[k_1];
# CHECK: A_own[i] -= Q_slices[k * M + i] * total;
# CHECK: A[i * N + j] = A_own[i];
# CHECK: Q[i * N + j] = Q_slices[j * M + i];
# CHECK-LABEL: int orthogonal_host(
# CHECK: double* Q_slices = arena.take<double>(N * M);
# CHECK: if (N <= resident_blocks(128, 1024, ((int64_t)M * 8 + 15) / 16 * 16)) {
# CHECK-NEXT: launch_resident<orthogonal_kernel1<index_t>>(minimum(maximum(N, 1), 65535), 128,
# CHECK-NEXT: ((int64_t)M * 8 + 15) / 16 * 16, progress, stream, A, Q, R, Q_slices, progress, M, N);
# CHECK: } else {
# CHECK: graphs.replay(
# ONE-LABEL: orthogonal_kernel1(
# ONE: for (index_t k_1 = threadIdx.x; k_1 < M; k_1 += blockDim.x)
# ONE-NEXT: total += A_own[k_1] * A_own[k_1];
# CHOSEN-LABEL: int orthogonal_host(
# CHOSEN-NOT: resident
# CHOSEN: graphs.replay(


# A step is one launch in any case, which takes no longer than to wait: only where the schedule says so.
def eliminated(A: f64[N, N]):
    for k in range(A.shape[0]):
        for i in range(k + 1, A.shape[0]):
            factor = A[i, k] / A[k, k]
            for j in range(k, A.shape[0]):
                A[i, j] -= factor * A[k, j]
# CHECK-LABEL: int eliminated_host(
# CHECK-NOT: resident
# CHECK: graphs.replay(
# CHOSEN-LABEL: __launch_bounds__(64, 16) eliminated_kernel1(
# CHOSEN: A_slices[k * N + {{i[_0-9]*}}] = A_own[{{i[_0-9]*}}];
# CHOSEN: post_step(progress, k);
# CHOSEN: const double factor = A_own[k] / A_slices[k * N + k];
# CHOSEN-LABEL: int eliminated_host(
# CHOSEN: launch_resident<eliminated_kernel1<index_t>>(minimum(maximum(N, 1), 65535), 64,


# The owner of the next step has not waited in this one; a slice reads another one; what all read is overwritten.
def not_so(A: f64[M, N], B: f64[M, N], last: f64[M]):
    for k in range(A.shape[1]):
        A[:, k] *= 0.5
        for j in range(k + 2, A.shape[1]):
            A[:, j] += A[:, k]
    for k in range(A.shape[1]):
        B[:, k] = A[:, k] * 0.5
        for j in range(k + 1, A.shape[1] - 1):
            for i in range(A.shape[0]):
                B[i, j] += A[i, j + 1] * B[i, k]
        A[:, k] += B[:, k]
    for k in range(A.shape[1]):
        last[:] = A[:, k] * 0.5
        for j in range(k + 1, A.shape[1]):
            A[:, j] -= last
# CHECK-LABEL: int not_so_host(
# CHECK-NOT: resident
# CHECK: check(cudaGetLastError())
