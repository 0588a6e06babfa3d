# Loops of the host whose steps do little: one launch of one block or of one cluster of blocks.
# RUN: %appyc %s -w --emit=fired --disable-pass=steps-inside --disable-pass=tile-time --disable-pass=block-panels | %where pass=cluster-loops | FileCheck --check-prefix=FIRES %s
# RUN: %appyc %s -w --emit=fired --target=cpu | %where pass=cluster-loops | FileCheck --check-prefix=CPU %s
# RUN: %appyc %s -w --emit=ir --disable-pass=steps-inside --disable-pass=tile-time --disable-pass=block-panels | FileCheck %s
# RUN: %appyc %s -w --emit=stats --disable-pass=steps-inside --disable-pass=tile-time --disable-pass=block-panels | %lines | FileCheck --check-prefix=STATS %s
# RUN: %appyc %s -o - --disable-pass=steps-inside --disable-pass=tile-time --disable-pass=block-panels --remarks 2>&1 >/dev/null | FileCheck --check-prefix=WHY %s
# RUN: printf '[relax."for t in range(steps):"]\nlaunch = "cluster"\n' > %t.schedule
# RUN: %appyc %s -w --emit=stats --disable-pass=steps-inside --disable-pass=tile-time --disable-pass=block-panels --schedule=%t.schedule | %lines | FileCheck --check-prefix=CHOSEN %s
# FIRES: cluster-loops: alone lu power relax{{$}}
# CPU: cluster-loops:{{$}}
import numpy as np


# Both loops count along one axis. The host counts what a step touches.
def relax(steps: i64, a: f64[N, M], b: f64[N, M]):
    for t in range(steps):
        b[:, 1:] = a[:, :-1]
        a[1:, :] = b[:-1, :]
# CHECK-LABEL: def relax(
# CHECK: touched: i64 =
# CHECK-NEXT: if touched <= 16384:
# CHECK-NEXT: launch relax_a_b[(1, 1, 1), (512, 1, 1), 512 at once](
# CHECK-NEXT: elif touched <= 131072:
# CHECK-NEXT: launch relax_a_b[(16, 1, 1), (512, 1, 1), 512 at once, one cluster](
# CHECK-NEXT: else:
# CHECK-NEXT: for t in range(0, steps, 1):  # serial, bind=graph
# CHECK-LABEL: kernel relax_a_b(
# CHECK-NEXT: for t{{.*}} in range(0, steps, 1):  # serial
# CHECK-NEXT: barrier(cluster)
# CHECK-NEXT: for [[P:.*]] in range(0, max(M - 1, 0) * N, 1):  # proven, bind=global.x
# CHECK-NEXT: = [[P]] // max(M - 1, 1)
# CHECK-NEXT: = [[P]] % max(M - 1, 1)
# CHECK: barrier(cluster)
# WHY: cluster-loops.py:[[@LINE-18]]:5: remark: all steps in one launch where a step touches few elements: of one block up to 16384, of one cluster of 16 blocks up to 131072 [time-loop]
# CHOSEN: function: relax; kernels: 1; launches: 1; launches in host loops: 0;
# CHOSEN-NEXT: launch: one cluster


# A block's iteration is a warp's; and c waits for nothing.
def power(steps: i64, A: f64[200, 200], x: f64[200], c: f64[200]):
    for t in range(steps):
        y = A @ x
        c[:] = c * 0.5
        x[:] = y / y[0]
# CHECK-LABEL: kernel power_kernel(
# CHECK: barrier(cluster)
# CHECK-NEXT: for i in range(0, 200, 1):  # proven, bind=warp.x
# CHECK: only the first lane of a warp:
# STATS: function: power; kernels: 1; launches: 1; launches in host loops: 0; {{.*}} barriers: 2;
# STATS-NEXT: launch: one cluster
# WHY: all steps in one launch of one cluster of 16 blocks: a step touches about


# Rows whose lengths change from step to step: a warp each, so that nobody divides. At most so much: known before.
def lu(A: f64[N, N]):
    for k in range(A.shape[0]):
        A[k + 1:, k + 1:] -= A[k + 1:, k:k + 1] * A[k, k + 1:]
# CHECK-LABEL: def lu(
# CHECK: touched: i64 = {{.*}}N - 1
# CHECK-LABEL: kernel lu_A(
# CHECK: for i in range(0, N - k{{.*}} - 1, 1):  # proven, bind=warp.x
# CHECK-NEXT: for j in range(0, N - k{{.*}} - 1, 1):  # proven, bind=lane.x


# One thread does it: beside launches that wait for it, it counts nothing.
def alone(steps: i64, a: f64[1000]):
    for t in range(steps):
        for i in range(1, 1000):
            a[i] += a[i - 1]
        a[:] = a * 0.5
# CHECK-LABEL: kernel alone_kernel(
# CHECK: only the first thread of the first block:
# CHECK-NEXT: for i in range(1, 1000, 1):  # serial
# STATS: function: alone; kernels: 1; launches: 1;
# STATS-NEXT: launch: plain
# WHY: all steps in one launch of one block: a step touches about 2000 elements, predicted 0.4 us instead of 2.3


# Too much for one cluster.
def large(steps: i64, a: f64[1000, 1000], b: f64[1000, 1000]):
    for t in range(steps):
        b[:] = a * 0.5
        a[:] = b + 1.0
# STATS: function: large; kernels: 1; launches: 0; launches in host loops: 1;
# WHY: its steps are launches of their own: a step touches about 4000000 elements, of which one cluster takes up to 65536 [time-loop]
