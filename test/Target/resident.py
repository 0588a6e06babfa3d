# Blocks that wait for each other: one launch of as many as the device runs at once, with memory on chip for each.
# RUN: %appyc %s -o - | FileCheck %s
import numpy as np


def orthogonal(A: f64[M, N], Q: f64[M, N]):
    for k in range(A.shape[1]):
        Q[:, k] = A[:, k] / np.sqrt(A[:, k] @ A[:, k])
        for j in range(k + 1, A.shape[1]):
            A[:, j] -= Q[:, k] * (Q[:, k] @ A[:, j])
# CHECK-LABEL: __global__ void __launch_bounds__(128, 8) orthogonal_A_Q(
# CHECK: OnChip on_chip;
# CHECK: if (const int64_t j = first + (int64_t)blockIdx.x; j < end) {
# CHECK: double* A_own = on_chip.take<double>(M);
# CHECK: post_step(progress, k);
# CHECK: wait_for_step(progress, k);
# CHECK-LABEL: extern "C" int {{.*}}_orthogonal(
# CHECK: *Q_slices = arena.take(N * M)
# CHECK: const int64_t at_once = resident_blocks(128, 1024, (M * 8 + 15) / 16 * 16);
# CHECK-NEXT: if (at_once > 0) {
# CHECK: const int64_t first =
# CHECK-NEXT: const int64_t end =
# CHECK-NEXT: launch_resident<orthogonal_A_Q<index_t>>(
