# In loops of the host, what all blocks of a kernel read is computed by each of them: a launch instead of four.
# RUN: %appyc %s -o - --disable-pass=cluster-loops --disable-pass=owner-computes | FileCheck %s
# RUN: %appyc %s -o - --disable-pass=cluster-loops --disable-pass=owner-computes --disable-pass=recompute-producers | FileCheck --check-prefix=OFF %s
# RUN: %appyc %s -o - --disable-pass=cluster-loops --disable-pass=owner-computes --remarks 2>&1 >/dev/null | FileCheck --check-prefix=WHY %s
# RUN: printf '[power."w[:] = A @ u"]\nrepeat = 1000\n' > %t.schedule
# RUN: %appyc %s -o - --disable-pass=cluster-loops --disable-pass=owner-computes --schedule=%t.schedule | FileCheck --check-prefix=CHOSEN %s
# RUN: %appyc %s --target=cpu -o - | FileCheck --check-prefix=CPU %s
# RUN: %appyc %s --target=sequential --stop-after=recompute-producers -o /dev/null --no-wrapper
from __future__ import annotations
import numpy as np


# Known sizes: the blocks together do little. One block more stores, also where no column is left.
def orthogonal(A: f64[240, 200], Q: f64[240, 200]):
    for k in range(A.shape[1]):
        Q[:, k] = A[:, k] / np.sqrt(A[:, k] @ A[:, k])
        for j in range(k + 1, A.shape[1]):
            A[:, j] -= Q[:, k] * (Q[:, k] @ A[:, j])
# WHY: recompute-producers.py:[[@LINE-3]]:9: remark: every iteration of loop `j` computes this itself, in one launch [fused]
# CHECK-LABEL: __global__ void orthogonal_kernel(
# CHECK: for (index_t j = k + (index_t)blockIdx.x; j < 200; j += gridDim.x) {
# CHECK: total += A[k_1 * 200 + k] * A[k_1 * 200 + k];
# CHECK: total = block_reduce<Sum>(total);
# CHECK: if (j == k) {
# CHECK: Q[i * 200 + k] = A[i * 200 + k] / s;
# CHECK: } else {
# CHECK: total_1 += A[k_1 * 200 + k] / s * A[k_1 * 200 + j];
# CHECK: A[i * 200 + j] -= A[i * 200 + k] / s * s_1;
# CHECK: launch_overlapping<orthogonal_kernel<index_t>>(grid, 256, stream, A, Q, k);
# CHECK: graphs.replay(200, 1, launches
# OFF: graphs.replay(200, 4, launches
# CPU-LABEL: int {{.*}}_orthogonal(
# CPU-NOT: if (j == k)


# Open sizes: the host tests how much the blocks together would do. The vector of unit length is nowhere stored.
def power(steps: i64, A: f64[N, N], v: f64[N], w: f64[N]):
    for t in range(steps):
        u = v / np.sqrt(v @ v)
        w[:] = A @ u
        v[:] = w[::-1]
# WHY: recompute-producers.py:[[@LINE-3]]:9: remark: every iteration of loop `i` computes this itself, in one launch, where that is little work [fused]
# CHECK-LABEL: int power_host(
# CHECK: if (N * N <= 8388608) {
# CHECK-NEXT: if (const dim3 grid
# CHECK-NEXT: power_kernel1<index_t>
# CHECK-NEXT: } else {
# CHOSEN-LABEL: int power_host(
# CHOSEN: if (N * N <= 1000) {


# The loop changes what the sum reads.
def overwritten(A: f64[N, M], Q: f64[N, M]):
    for k in range(A.shape[1]):
        Q[:, k] = A[:, k] / np.sqrt(A[:, k] @ A[:, k])
        for j in range(k, A.shape[1]):
            A[:, j] -= Q[:, k] * (Q[:, k] @ A[:, j])
# WHY: recompute-producers.py:[[@LINE-2]]:9: remark: what stands before loop `j` stays in kernels of its own: a block would read or write what another one writes [time-loop]
# CHECK-LABEL: int overwritten_host(
# CHECK: graphs.replay(M, 3, launches


# The sum is longer than what a block does itself.
def longer(A: f64[N, M], b: f64[K]):
    for k in range(A.shape[1] - 1):
        s = np.sum(b) + k
        for j in range(k + 1, A.shape[1]):
            A[:, j] += A[:, k] * s / (1.0 + np.sum(A[:, j] * A[:, j]))
# WHY: recompute-producers.py:[[@LINE-2]]:9: remark: what stands before loop `j` stays in kernels of its own: they are longer than its own loops [time-loop]


# With known sizes it may be too much for ever.
def too_much(steps: i64, A: f64[4000, 4000], v: f64[4000], w: f64[4000]):
    for t in range(steps):
        u = v / np.sqrt(v @ v)
        w[:] = A @ u
        v[:] = w[::-1]
# WHY: recompute-producers.py:[[@LINE-2]]:9: remark: what stands before loop `i` stays in kernels of its own: all blocks together would repeat too much [time-loop]


# Outside of loops nothing is done.
def once(A: f64[N, N], v: f64[N], w: f64[N]):
    w[:] = A @ (v / np.sqrt(v @ v))
# CHECK-LABEL: int once_host(
# CHECK-NOT: if (N * N
