# Serial loops of launches become CUDA graphs: a few iterations where all are alike, else the whole loop.
# RUN: %appyc %s -w --emit=fired --disable-pass=cluster-loops --disable-pass=steps-inside --disable-pass=tile-time | %where pass=record-graphs | FileCheck --check-prefix=FIRES %s
# RUN: %appyc %s -w --emit=ir --disable-pass=cluster-loops --disable-pass=steps-inside --disable-pass=tile-time | FileCheck %s
# RUN: %appyc %s -o - --disable-pass=cluster-loops --disable-pass=steps-inside --disable-pass=tile-time --remarks 2>&1 | FileCheck --check-prefix=REMARK %s
# RUN: %appyc %kernels_nests.py -w --emit=fired | FileCheck --check-prefix=NESTS %s
# In a loop around, where the launches are the same each time; launches in a row under a branch.
# NESTS: {{^}}relax_again:{{.*}} record-graphs
# NESTS: {{^}}relax_longer:
# NESTS-NOT: record-graphs
# NESTS: {{^}}relax_watched:
# NESTS: {{^}}row_in_a_branch:{{.*}} record-graphs
# FIRES: record-graphs: normalised relax sources until{{$}}
import numpy as np


def relax(steps: i64, a: f64[N], b: f64[N]):
    for t in range(steps):
        b[1:-1] = a[:-2] + a[2:]
        a[1:-1] = 0.5 * b[1:-1]
# CHECK-LABEL: def relax(
# CHECK: for t in range(0, steps, 1):  # serial, bind=graph
# REMARK: {{.*}}:[[@LINE-5]]:5: remark: 2 launches an iteration of `t`: a CUDA graph of some iterations is recorded and replayed (about 1.1 us a launch) [time-loop]


def sources(steps: i64, a: f64[N], f: f64[T]):
    for t in range(f.shape[0]):
        a[:] = 0.5 * a + f[t]
# CHECK-LABEL: def sources(
# CHECK: for t in range(0, T, 1):  # serial, bind=graph
# REMARK: {{.*}}:[[@LINE-4]]:5: remark: 1 launch an iteration of `t`: recorded as one CUDA graph for each set of arguments, as they depend on the index [time-loop]


# The device looks at the values, so the launches are alike.
def until(a: f64[N]) -> f64:
    total = 0.0
    for t in range(1000):
        a[:] = 0.5 * a
        if a[0] < 0.1:
            total += a[0]
    return total
# CHECK-LABEL: def until(
# CHECK: for t in range(0, 1000, 1):  # serial, bind=graph


# A loop whose launches are others in each iteration of the one around it.
def triangle(a: f64[N, N]):
    for k in range(1, a.shape[0]):
        for t in range(100):
            a[k, 1:] = 0.5 * a[k - 1, 1:] + a[k, :-1]


# Launches in a row, and the check among them, which says the same in front.
def normalised(n: i64, a: f64[N], b: f64[N]):
    total = np.sum(a)
    b[:] = np.ones(n)[0]
    b[1:] = a[:-1] / total
# CHECK-LABEL: def normalised(
# CHECK: require n >= 0, ValueError
# CHECK-NEXT: for once in range(0, 1, 1):  # serial, bind=graph
# CHECK-NEXT: launch normalised_total_partial
# CHECK-NEXT: launch normalised_b
# CHECK-NEXT: launch normalised_b_1
# REMARK: {{.*}}:[[@LINE-9]]:5: remark: 3 launches in a row: recorded as a CUDA graph for each set of arguments, which the host starts in less time [time-loop]


# What has been written before a check is there when it fails; two launches are none to record.
def writes_first(n: i64, a: f64[N], b: f64[N]):
    a[:] = 3.0
    b[:] = np.ones(n)[0]
# CHECK-LABEL: def writes_first(
# CHECK: launch writes_first_a
# CHECK-NEXT: require n >= 0, ValueError


# A scalar of the host that comes from before and changes on the way: a graph would keep its values.
def changes(n: i64, a: f64[N], b: f64[N]):
    x = n * 2.0
    a[:] = a + x
    total = np.sum(a)
    x = x + 1.0
    b[:] = a[::-1] * x + total
