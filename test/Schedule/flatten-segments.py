# Steps over segments whose ends memory tells are one sequence of steps, which is folded by key, or takes turns.
# RUN: %appyc %s -w --stop-after=flatten-segments --emit=ir -o - | FileCheck %s
# RUN: %appyc %s -w --emit=fired | %where pass=flatten-segments,fold-by-key,take-turns,scan-in-parallel | FileCheck --check-prefix=FIRES %s
# FIRES: flatten-segments: times_transposed transposed{{ *$}}
# FIRES: fold-by-key: elements times_transposed{{ *$}}
# FIRES: take-turns: transposed{{ *$}}
# FIRES: scan-in-parallel: times_transposed transposed{{ *$}}
import numpy as np


def times_transposed(indptr: i64[M], indices: i64[E], data: f64[E], x: f64[R], y: f64[C]):
    for r in range(indptr.shape[0] - 1):
        for e in range(indptr[r], indptr[r + 1]):
            y[indices[e]] += data[e] * x[r]
# CHECK-LABEL: def times_transposed(
# CHECK: count: i64 = 0
# CHECK-NEXT: for [[R:.*]] in range(0, M - 1, 1):  # serial
# CHECK-NEXT: first[{{.*}}] = count
# CHECK-NEXT: count = count + max(indptr[{{.*}} + 1] - indptr[{{.*}}], 0)
# CHECK-NEXT: first[max(M - 1, 0)] = count
# CHECK-NEXT: steps: i64 = count
# CHECK: for [[K:.*]] in range(first[{{.*}}], first[{{.*}} + 1], 1):  # proven
# CHECK-NEXT: owner[[[K]]] =
# CHECK-NEXT: for [[S:.*]] in range(0, steps, 1):  # serial
# CHECK-NEXT: owner[[[S]]]
# CHECK-NEXT: e{{.*}} = indptr[


def transposed(indptr: i64[M], indices: i64[E], data: f64[E], places: i64[C], out: f64[E]):
    for r in range(indptr.shape[0] - 1):
        for e in range(indptr[r], indptr[r + 1]):
            out[places[indices[e]]] = data[e] * r
            places[indices[e]] += 1


# What the step before has found decides the next one: in order.
def searched(indptr: i64[M], indices: i64[E], seen: i64[C], found: i64[E]):
    n = 0
    for r in range(indptr.shape[0] - 1):
        for e in range(indptr[r], indptr[r + 1]):
            if seen[indices[e]] == 0:
                seen[indices[e]] = 1
                found[n] = indices[e]
                n += 1
    return n
# CHECK-LABEL: def searched(
# CHECK-NOT: owner
# CHECK: return


# Rows that only fold are a thread's each.
def times(indptr: i64[M], indices: i64[E], data: f64[E], x: f64[C], y: f64[R]):
    for r in range(indptr.shape[0] - 1):
        for e in range(indptr[r], indptr[r + 1]):
            y[r] += data[e] * x[indices[e]]
# CHECK-LABEL: def times(
# CHECK-NOT: owner


# Loops of few iterations around updates are written out, those of one element are one.
def elements(triangles: i64[T, 3], w: f64[3, 3], u: f64[N], out: f64[N]):
    for t in range(triangles.shape[0]):
        for i in range(3):
            for j in range(3):
                out[triangles[t, i]] += w[i, j] * u[triangles[t, j]]
