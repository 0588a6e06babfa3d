"""Steps that ask for elements of those which the data name run side by side, and wait for these alone."""
# RUN: %appyc %s -w --emit=fired | %where pass=await-steps | FileCheck --check-prefix=FIRES %s
# RUN: %appyc %s -w -o - --emit=ir --stop-after=await-steps | FileCheck %s
# RUN: %appyc %s -w -o - --remarks 2>&1 >/dev/null | FileCheck --check-prefix=WHY %s
# RUN: %appyc %s -w -o - | FileCheck --check-prefix=CUDA %s
# FIRES: await-steps: depths rows{{ *$}}

import numpy as np


# What is asked for is counted first: where half of the steps need one right before, one thread makes all.
# CHECK-LABEL: def depths
# CHECK: at_once: i64 = resident_blocks(
# CHECK: open: i64 = 1
# CHECK: if at_once > 0 and N - 1 >= 256:
# CHECK: if at >= {{.*}} - 1024 and at < {{.*}}:
# CHECK-NEXT: is_near = 1
# CHECK: if near * 2 < N - 1:
# CHECK: depth_before[k] = depth[k]
# CHECK: for b in range(0, min(at_once, (N + 30) // 32), 1):  # proven, simd(32), resident
# CHECK-NEXT: for chunk in range(b, (N + 30) // 32, max(at_once, 1)):  # serial
# CHECK: [[AT:at.*]]: i64 = wrap_index(parent[[[I:i.*]]], N)
# CHECK-NEXT: if 1 <= [[AT]] and [[AT]] < first:
# CHECK-NEXT: wait(progress[([[AT]] - 1) // 32], [[AT]])
# CHECK-NEXT: depth[[[I]]] = (depth[[[AT]]] if [[AT]] < [[I]] else depth_before[[[AT]]]) + 1
# CHECK: post(progress[chunk], [[I]])
# CHECK: if open > 0:
# WHY: await-steps.py:[[@LINE+6]]:5: remark: steps of `i` that need others which the data name run side by side, and wait for those alone
# CUDA: wait_for_step(progress + floor_div(at - 1, 32), at);
# CUDA: post_step(progress + chunk_1, i);
#appyc: def depths(parent: i64[N])
def depths(parent):
    depth = np.zeros(len(parent), dtype=np.int64)
    for i in range(1, len(parent)):
        depth[i] = depth[parent[i]] + 1
    return depth


# A step of loops is a block's by itself; of a new array nothing is read as it was; a row is waited for once.
# CHECK-LABEL: def rows
# CHECK-NOT: before
# CHECK: for [[I:i.*]] in range(b, N, max(at_once, 1)):  # serial
# CHECK: wait(progress[[[AT:at.*]]], [[AT]])
# CHECK-NEXT: for c in range(0, 8, 1):
# CHECK-NEXT: s = s + absolute(h[[[AT]], c])
# CHECK: post(progress[[[I]]], [[I]])
#appyc: def rows(parent: i64[N], x: f64[N, 8])
def rows(parent, x):
    h = np.empty((len(x), 8))
    for i in range(len(x)):
        s = 1.0
        if i > 0:
            for c in range(8):
                s += abs(h[parent[i], c])
        for c in range(8):
            h[i, c] = x[i, c] / s
    return h


# A distance that all steps share; a number that steps hand on; elements that the data choose; few steps.
#appyc: def others(p: i64[N], x: f64[N], y: f64[N], z: f64[N], few: f64[100])
def others(p, x, y, z, few):
    total = 0.0
    for i in range(2, len(x)):
        x[i] = 0.5 * x[i] + 0.25 * x[i - 2]
    for i in range(len(y)):
        total = np.sqrt(total + y[p[i]])
        y[i] = total
    for i in range(len(z)):
        z[p[i]] = z[i] + 1
    for i in range(100):
        few[i] += few[p[i]]
