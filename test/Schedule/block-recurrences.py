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
# CHECK-LABEL: __global__ void solve_kernel2(
# CHECK: __shared__ double sums_here[64];
# CHECK-NEXT: __shared__ double b_here[64];
# CHECK-NEXT: __shared__ double L_here[64];
# CHECK-NEXT: __shared__ double L_tile[4160];
# CHECK: for (index_t i = 0; i < i_end; ++i) {
# CHECK-NEXT: __syncthreads();
# CHECK-NEXT: const double total = sums_here[i];
# CHECK-NEXT: const double value = (b_here[i] - total) / L_here[i];
# CHECK-NEXT: if (threadIdx.x == 0)
# CHECK-NEXT: x[first + i] = value;
# CHECK-NEXT: for (index_t r = threadIdx.x; r < 64; r += blockDim.x)
# CHECK-NEXT: if (r > i && first + r < N)
# CHECK-NEXT: sums_here[r] += L_tile[r * 65 + i] * value;
# CHECK-NEXT: }
# CHECK-LABEL: __global__ void solve_kernel3(
# CHECK: total += L[r * N + k] * x[k];
# CHECK: total = warp_reduce<Sum>(total);
# CHECK: sums[r] += total;


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
