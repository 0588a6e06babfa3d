# A serial nest runs by the index that leaves the other one parallel, where no dependence is turned round.
# RUN: %appyc %kernels_factorisations.py -w --emit=fired | %where pass=interchange-loops | FileCheck --check-prefix=FIRES %s
# RUN: %appyc %kernels_factorisations.py --emit=ir --stop-after=interchange-loops --remarks --diagnostics-file=%t.remarks | FileCheck --check-prefix=SHARED %s
# RUN: FileCheck --check-prefix=REMARK %s < %t.remarks
# RUN: %appyc %s -w --stop-after=interchange-loops --emit=ir | FileCheck %s
# Not where an element waits for its neighbours along both axes, or the row's last element is the next row's first.
# FIRES: interchange-loops: cholesky_by_rows lu_by_rows{{$}}
# REMARK: kernels_factorisations.py:[[#]]:5: remark: runs by `j`, so that its other loops are parallel [parallelised]
# SHARED-LABEL: def cholesky_by_rows(
# SHARED: for j in range(0, N, 1):  # serial
# SHARED-NEXT: if j >= 1:
# SHARED: A[j, j] = sqrt(A[j, j])
# SHARED-NEXT: for i in range(j + 1, N, 1):  # proven
# How far the inner loop runs is known in the outer one only.
def bound_of_the_row(A: f64[N], k: i64):
    for i in range(k):
        n = i % 2 + k
        for j in range(n):
            A[3] = 2.0
# CHECK-LABEL: def bound_of_the_row
# CHECK: for i in range(0, k, 1):  # serial


# As the user says.
def annotated(A: f64[M, N]):
    #pragma sequential for
    for i in range(A.shape[0]):
        for j in range(1, i):
            A[i, j] = 0.5 * A[i, j - 1]
# CHECK-LABEL: def annotated
# CHECK: for i in


# Few iterations of which each reads and writes its own elements run inside, with what makes what they take.
def exchanged(A: f64[N, N], p: i64, q: i64):
    A[[p, q]] = A[[q, p]]
# CHECK-LABEL: def exchanged
# CHECK: right_side: f64[2, N]
# CHECK-NEXT: for [[J:.*]] in range(0, N, 1):  # proven
# CHECK-NEXT: right_side[0, [[J]]] = A[wrap_index(q, N), [[J]]]
# CHECK-NEXT: right_side[1, [[J]]] = A[wrap_index(p, N), [[J]]]
# CHECK-NEXT: A[wrap_index(p, N), [[J]]] = right_side[0, [[J]]]
# CHECK-NEXT: A[wrap_index(q, N), [[J]]] = right_side[1, [[J]]]


# Each waits for its neighbour in the one before.
def waits(x: f64[N]):
    for t in range(3):
        x[1:] = x[1:] * 0.5
        x[:-1] = x[:-1] + x[1:]
# CHECK-LABEL: def waits
# CHECK: for t in range(0, 3, 1):  # serial


import numpy


# By lengths of intervals; what the outer loop sets is set before.
def lengths(s: i64[N]):
    best = numpy.zeros((s.shape[0], s.shape[0]), dtype=numpy.int64)
    for i in range(s.shape[0] - 1, -1, -1):
        best[i, i] = 1
        for j in range(i + 1, s.shape[0]):
            best[i, j] = max(best[i + 1, j], best[i, j - 1]) + s[j]
    return best
# CHECK-LABEL: def lengths
# CHECK: best[i, j] = 0
# CHECK-NEXT: for [[I:.*]] in range(0, N, 1):  # proven
# CHECK-NEXT: best[[[I]], [[I]]] = 1
# CHECK-NEXT: for [[T:.*]] in range(0, N - 1, 1):  # serial
# CHECK-NEXT: for [[R:.*]] in range(0, N - [[T]] - 1, 1):  # proven
# CHECK-NEXT: best[[[R]], [[T]] + [[R]] + 1] = max(
