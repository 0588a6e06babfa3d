# Loops from run to run are loops over the runs, whose begins are found by all threads.
# RUN: %appyc %s -w --emit=ir --stop-after=find-runs -o - | FileCheck %s
# RUN: %appyc %s -w --emit=fired | %where pass=find-runs | FileCheck --check-prefix=FIRES %s
# FIRES: find-runs: counted lengths{{$}}
import numpy as np


def lengths(x: i64[N], out: i64[N]):
    i = 0
    c = 0
    while i < len(x):
        j = i + 1
        while j < len(x) and x[j] == x[i]:
            j += 1
        out[c] = j - i
        c += 1
        i = j
    return c
# CHECK-LABEL: def lengths(
# CHECK: starts: i64[N + 1]
# CHECK: for p in range(1, N, 1):
# CHECK-NEXT: if x[p] != x[p - 1]:
# CHECK: for r in range(0, runs, 1):
# CHECK-NEXT: i{{.*}} = starts[r]
# CHECK-NEXT: j{{.*}} = starts[r + 1]


# What counts how far a run has come, and does something where it ends.
def counted(x: i64[N], out: i64[N]):
    c = 1
    m = 0
    for i in range(1, len(x)):
        if x[i] == x[i - 1]:
            c += 1
        else:
            out[m] = c
            m += 1
            c = 1
    return m, c
# CHECK-LABEL: def counted(
# CHECK: if x[i] != x[i - 1]:
# CHECK-NEXT: ends[k] = i
# CHECK: for r in range(0, runs, 1):
# CHECK-NEXT: i{{.*}} = ends[r]
# CHECK-NEXT: c{{.*}} = c + {{.*}} if r < 1 else


# What is near the first of its run need not be near its neighbour; what a run stores decides where the next one begins.
def others(x: f64[N], y: f64[N]):
    c = 0
    i = 0
    while i < len(x):
        j = i + 1
        while j < len(x) and x[j] < x[i] + 1.0:
            j += 1
        c += 1
        i = j
    i = 0
    while i < len(y):
        j = i + 1
        while j < len(y) and y[j] == y[i]:
            j += 1
        y[j - 1] = c
        i = j
    return c
# CHECK-LABEL: def others(
# CHECK-NOT: starts
