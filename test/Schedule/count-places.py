"""What steps append is counted first: each knows its places then."""
# RUN: %appyc %s -w --emit=fired | %where pass=count-places | FileCheck --check-prefix=FIRES %s
# RUN: %appyc %s -w -o - --emit=ir --stop-after=count-places | FileCheck %s
# RUN: %appyc %s -o - --remarks 2>&1 >/dev/null | FileCheck --check-prefix=WHY %s
# FIRES: count-places: close rows{{ *$}}

import numpy as np


# CHECK-LABEL: def close
# CHECK: for i in range(0, N, 1):  # proven
# CHECK-NEXT: n_1: i64 = 0
# CHECK-NEXT: for j in range(i + 1, N, 1):
# CHECK-NEXT: if x[j] - x[i] < 0.1:
# CHECK-NEXT: n_1 = n_1 + 1
# CHECK-NEXT: counts[i] = n_1
# CHECK: for [[K:step.*]] in range(0, N, 1):  # serial
# CHECK-NEXT: places[[[K]]] = total
# CHECK-NEXT: total = total + counts[[[K]]]
# CHECK: for [[I:i.*]] in range(0, N, 1):  # proven
# CHECK-NEXT: n_2: i64 = n + places[[[I]]]
# CHECK: n = n + total
# WHY: count-places.py:[[@LINE+4]]:5: remark: steps of `i` that append are counted first, so that each knows its places and all run in any order
#appyc: def close(x: f64[N], out: i64[M, 2]) -> i64
def close(x, out):
    n = 0
    for i in range(len(x)):
        for j in range(i + 1, len(x)):
            if x[j] - x[i] < 0.1:
                out[n, 0] = i
                out[n, 1] = j
                n += 1
    return n


# Two counters have a scan each; where a row begins is stored as well.
# CHECK-LABEL: def rows
# CHECK-COUNT-2: = total{{.*}} + counts
#appyc: def rows(a: f64[N, M], data: f64[K], start: i64[L], rest: f64[K])
def rows(a, data, start, rest):
    n = k = 0
    for i in range(a.shape[0]):
        start[i] = n
        for j in range(a.shape[1]):
            if a[i, j] != 0:
                data[n] = a[i, j]
                n += 1
            else:
                rest[k] = j
                k += 1


# No place of its own, what an earlier step has stored, a condition that is the number so far, a step that stops all.
#appyc: def others(x: f64[N], out: f64[M], y: f64[M])
def others(x, out, y):
    n = 0
    for i in range(len(x)):
        out[n] = x[i]
        if x[i] > 0.5:
            n += 1
    n = 0
    for i in range(len(x)):
        for j in range(2):
            if n == 0 or y[n - 1] < x[i]:
                y[n] = x[i]
                n += 1
    n = 0
    for i in range(len(x)):
        for j in range(2):
            if n < 10:
                out[n] = x[i]
                n += 1
    n = 0
    for i in range(len(x)):
        if x[i] < 0:
            break
        for j in range(2):
            out[n] = x[i]
            n += 1
