# Passes on loops of the host find them under branches, in other loops, downward, beside statements of others; and in loops of few parallel
# iterations, which the host then runs one by one.
# RUN: %appyc %s -o - --emit=fired | FileCheck %s
# RUN: %appyc %s -o - --emit=ir --stop-after=block-recurrences | FileCheck --check-prefix=IR %s
# RUN: %appyc %s -o /dev/null --no-wrapper --remarks 2>&1 | FileCheck --check-prefix=WHY %s
# RUN: %appyc %s --target=sequential --stop-after=owner-computes -o /dev/null --no-wrapper
from __future__ import annotations
import numpy as np


# CHECK: another_order:{{.*}} interchange-loops{{.*}} block-panels
def another_order(A: f64[N, N], reps: i64):
    for rep in range(reps):
        for c in range(A.shape[0]):
            for j in range(c):
                A[c, j] = (A[c, j] - A[c, :j] @ A[:j, j]) / A[j, j]
            for j in range(A.shape[0] - 1, c - 1, -1):
                A[c, j] -= A[c, :c] @ A[:c, j]


# The text wants this order.
# CHECK: as_asked:
# CHECK-NOT: block-
# CHECK: closure:
def as_asked(L: f64[N, N], x: f64[N], reps: i64):
    #pragma sequential for
    for rep in range(reps):
        for i in range(x.shape[0]):
            x[i] = (x[i] - L[i, :i] @ x[:i]) / L[i, i]


# CHECK-SAME: block-updates
def closure(path: i32[B, N, N], other: f64[N]):
    for b in range(path.shape[0]):
        for k in range(path.shape[1] - 1, -1, -1):
            path[b] = np.minimum(path[b], np.add.outer(path[b, :, k], path[b, k, :]))
            other[k] += 1.0


# CHECK: columns:{{.*}} fuse-columns
def columns(A: f64[N, M], u: f64[N], v: f64[M], x: f64[M], y: f64[N], other: f64[N], go: i64):
    if go > 0:
        A += np.outer(u, v)
        other += 1.0
        x += y @ A


# CHECK: columns_between:
# CHECK-NOT: fuse-columns
# CHECK: few:
def columns_between(A: f64[N, M], u: f64[N], v: f64[M], x: f64[M], y: f64[N]):
    A += np.outer(u, v)
    y += A[:, 0]
    x += y @ A


# CHECK-SAME: block-recurrences
def few(L: f64[B, N, N], x: f64[B, N]):
    for b in range(L.shape[0]):
        for i in range(x.shape[1]):
            x[b, i] = (x[b, i] - L[b, i, :i] @ x[b, :i]) / L[b, i, i]
# WHY: host-loops.py:[[@LINE-3]]:5: remark: the host runs loop `b` where it has at most 8 iterations
# IR-LABEL: def few
# IR: if B <= 8:
# IR-NEXT: for b in range(0, B, 1):  # serial
# IR: for first in range(0, N, 64):
# IR: else:
# IR-NEXT: for b in range(0, B, 1):  # proven
# IR-NOT: first


# CHECK: orthogonal:{{.*}} owner-computes
def orthogonal(A: f64[B, M, N], Q: f64[B, M, N], R: f64[B, N, N], other: f64[N]):
    for b in range(A.shape[0]):
        for k in range(A.shape[2]):
            R[b, k, k] = np.sqrt(A[b, :, k] @ A[b, :, k])
            Q[b, :, k] = A[b, :, k] / R[b, k, k]
            for j in range(k + 1, A.shape[2]):
                R[b, k, j] = Q[b, :, k] @ A[b, :, j]
                A[b, :, j] -= Q[b, :, k] * R[b, k, j]
            other[k] += 1.0


# CHECK: parts:{{.*}} block-recurrences
def parts(L: f64[N, N], U: f64[N, N], x: f64[N], y: f64[N], other: f64[N]):
    for i in range(x.shape[0]):
        x[i] = (x[i] - L[i, :i] @ x[:i]) / L[i, i]
        other[i] = 0.5 * other[i] + 1.0
        y[i] = 0.5 * (y[i] - U[i, :i] @ y[:i])
# IR-LABEL: def parts
# IR: for first in range(0, N, 64):
# IR: for i{{.*}} in range(0, N, 1):  # proven
# IR-NEXT: other[
# IR: for first{{.*}} in range(0, N, 64):


# What stands beside it reads its rows, and changes what it reads.
# CHECK: together:
# CHECK-NOT: block-recurrences
# CHECK: until:
def together(L: f64[N, N], x: f64[N], other: f64[N]):
    for i in range(x.shape[0]):
        x[i] = (x[i] - L[i, :i] @ x[:i]) / L[i, i]
        L[-1, i // 2] = 0.25 * x[0]


# CHECK-SAME: block-recurrences
def until(L: f64[N, N], x: f64[N], limit: f64):
    while np.max(np.abs(x), initial=0.0) > limit:
        for i in range(x.shape[0] - 1, -1, -1):
            x[i] = (0.5 * x[i] - L[i, i + 1:] @ x[i + 1:]) / L[i, i]
