# In loops of the host, what all blocks of a kernel read is computed by each of them: a launch instead of four.
# RUN: %appyc %s -w --emit=fired --disable-pass=cluster-loops --disable-pass=owner-computes | %where pass=recompute-producers | FileCheck --check-prefix=FIRES %s
# RUN: %appyc %s -w --emit=fired --target=cpu | %where pass=recompute-producers | FileCheck --check-prefix=CPU %s
# RUN: %appyc %s -w --emit=ir --disable-pass=cluster-loops --disable-pass=owner-computes | FileCheck %s
# RUN: %appyc %s -w --emit=stats --no-versions --disable-pass=cluster-loops --disable-pass=owner-computes | %lines | FileCheck --check-prefix=STATS %s
# RUN: %appyc %s -o - --disable-pass=cluster-loops --disable-pass=owner-computes --remarks 2>&1 >/dev/null | FileCheck --check-prefix=WHY %s
# RUN: printf '[power."w[:] = A @ u"]\nrepeat = 1000\n' > %t.schedule
# RUN: %appyc %s -w --emit=ir --disable-pass=cluster-loops --disable-pass=owner-computes --schedule=%t.schedule | FileCheck --check-prefix=CHOSEN %s
# RUN: %appyc %s --target=sequential --stop-after=recompute-producers -o /dev/null --no-wrapper
# FIRES: recompute-producers: orthogonal power{{$}}
# CPU: recompute-producers:{{$}}
from __future__ import annotations
import numpy as np


# Known sizes: the blocks together do little. One block more stores, also where no column is left.
def orthogonal(A: f64[240, 200], Q: f64[240, 200]):
    for k in range(A.shape[1]):
        Q[:, k] = A[:, k] / np.sqrt(A[:, k] @ A[:, k])
        for j in range(k + 1, A.shape[1]):
            A[:, j] -= Q[:, k] * (Q[:, k] @ A[:, j])
# WHY: recompute-producers.py:[[@LINE-3]]:9: remark: every iteration of loop `j` computes this itself, in one launch [fused]
# CHECK-LABEL: kernel orthogonal_kernel(
# CHECK-NEXT: for j in range(k, 200, 1):  # proven, simd(256), bind=grid.x
# CHECK: total = block_sum(total
# CHECK: if j == k:
# CHECK: Q[{{.*}}, k] = A[{{.*}}, k] / s
# CHECK: else:
# CHECK: A[[[I:.*]], j] = A[[[I]], j] - A[[[I]], k] / s * s_1
# STATS: function: orthogonal; kernels: 1; launches: 0; launches in host loops: 1;{{.*}} barriers: 0;


# Open sizes: the host tests how much the blocks together would do. The vector of unit length is nowhere stored.
def power(steps: i64, A: f64[N, N], v: f64[N], w: f64[N]):
    for t in range(steps):
        u = v / np.sqrt(v @ v)
        w[:] = A @ u
        v[:] = w[::-1]
# WHY: recompute-producers.py:[[@LINE-3]]:9: remark: every iteration of loop `i` computes this itself, in one launch, where that is little work [fused]
# CHECK-LABEL: def power(
# CHECK: if N * N <= 8388608:
# CHECK-NEXT: launch power_w
# CHECK-NEXT: else:
# STATS: function: power; kernels: 5; launches: 0; launches in host loops: 5;
# CHOSEN-LABEL: def power(
# CHOSEN: if N * N <= 1000:


# The loop changes what the sum reads.
def overwritten(A: f64[N, M], Q: f64[N, M]):
    for k in range(A.shape[1]):
        Q[:, k] = A[:, k] / np.sqrt(A[:, k] @ A[:, k])
        for j in range(k, A.shape[1]):
            A[:, j] -= Q[:, k] * (Q[:, k] @ A[:, j])
# WHY: recompute-producers.py:[[@LINE-2]]:9: remark: what stands before loop `j` stays in kernels of its own: a block would read or write what another one writes [time-loop]
# STATS: function: overwritten; kernels: 3; launches: 0; launches in host loops: 3;


# The sum is longer than what a block does itself.
def longer(A: f64[N, M], b: f64[K]):
    for k in range(A.shape[1] - 1):
        s = np.sum(b + k)
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
