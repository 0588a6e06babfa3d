# A serial nest runs by the index that leaves the other one parallel, where no dependence is turned round.
# RUN: %appyc %s --stop-after=interchange-loops --emit=ir -o - | FileCheck %s
# RUN: %appyc %s --remarks -o - 2>&1 >/dev/null | FileCheck %s --check-prefix=REMARK
import numpy as np


# REMARK: [[@LINE+4]]:5: remark: runs by `j`, so that its other loops are parallel [parallelised]
#appyc: def cholesky(A: f64[N, N])
def cholesky(A):
    A[0, 0] = np.sqrt(A[0, 0])
    for i in range(1, A.shape[0]):
        for j in range(i):
            A[i, j] -= np.dot(A[i, :j], A[j, :j])
            A[i, j] /= A[j, j]
        A[i, i] -= np.dot(A[i, :i], A[i, :i])
        A[i, i] = np.sqrt(A[i, i])
# CHECK-LABEL: def cholesky
# CHECK: for j in range(0, N, 1):  # serial
# CHECK-NEXT: if j >= 1:
# CHECK: A[j, j] = sqrt(A[j, j])
# CHECK-NEXT: for i in range(j + 1, N, 1):  # proven


# Waits for its neighbours along both axes.
def gauss_seidel(A: f64[M, N]):
    for i in range(1, A.shape[0] - 1):
        for j in range(1, A.shape[1] - 1):
            A[i, j] = 0.25 * (A[i - 1, j] + A[i, j - 1] + A[i, j + 1] + A[i + 1, j])
# CHECK-LABEL: def gauss_seidel
# CHECK: for i in
# CHECK-NEXT: for j in range(1, N - 1, 1):  # serial


# The row's last element is the next row's first.
def snake(A: f64[M, N]):
    for i in range(1, A.shape[0]):
        for j in range(1, A.shape[1]):
            A[i, j] = 0.5 * A[i, j] + 0.25 * A[i, j - 1]
        A[i, 0] = A[i - 1, A.shape[1] - 1] * 0.5
# CHECK-LABEL: def snake
# CHECK: for i in range(1, M, 1):  # serial


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
