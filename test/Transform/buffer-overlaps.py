# The right side of an assignment is read before the left is written; a temporary only where it could matter.
# RUN: %appyc %s --stop-after=buffer-overlaps --emit=ir -o - | FileCheck %s
import numpy as np


def shift(a: f64[N]):
    a[1:] = a[:-1]
# CHECK-LABEL: def shift
# CHECK: right_side: f64[
# CHECK: right_side[i] = a[i]
# CHECK: a[{{.*}} + 1] = right_side


def same_place(a: f64[N]):
    a[1:] = 2.0 * a[1:]
# CHECK-LABEL: def same_place
# CHECK-NOT: right_side
# CHECK: return


def halves(a: f64[N]):
    a[::2] = a[1::2].sum()
# CHECK-LABEL: def halves
# CHECK-NOT: right_side
# CHECK: return


# A row that all points read is kept by itself; the rest is updated in place.
def against_first_row(A: f64[M, N]):
    A[:, :] = A - A[0, :]
# CHECK-LABEL: def against_first_row
# CHECK: right_side: f64[N]
# CHECK-NEXT: if M > 0:
# CHECK-NEXT: right_side[j] = A[0, j]
# CHECK: A[i, j{{.*}}] = A[i, j{{.*}}] - right_side[j{{.*}}]


def shortest_paths(A: i32[N, N]):
    for k in range(A.shape[0]):
        A[:, :] = np.minimum(A, A[:, k, None] + A[k, :])
# CHECK-LABEL: def shortest_paths
# CHECK: right_side: i32[N]
# CHECK: right_side_1: i32[N]
# CHECK-NOT: i32[N, N]
# CHECK: A[i{{.*}}, j{{.*}}] = min(A[i{{.*}}, j{{.*}}], right_side[i{{.*}}] + right_side_1[j{{.*}}])


# A shifted block beside it still needs the whole right side.
def shifted_too(A: f64[M, N]):
    A[1:, :] = A[:-1, :] - A[0, :]
# CHECK-LABEL: def shifted_too
# CHECK: right_side: f64[max(M - 1, 0), N]


# All elements move, though differently.
def turned(a: f64[N]):
    a[:] = a + a[::-1]
# CHECK-LABEL: def turned
# CHECK: right_side
