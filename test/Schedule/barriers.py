# A barrier stands exactly where a value crosses lanes.
# RUN: %appyc %s --emit=stats -o - | FileCheck %s
import numpy as np


def softmax(x: f32[M, N], y: f32[M, N]):
    #pragma parallel for
    for i in range(x.shape[0]):
        largest = np.max(x[i, :])
        total = np.sum(np.exp(x[i, :] - largest))
        y[i, :] = np.exp(x[i, :] - largest) / total
# CHECK: softmax
# CHECK-DAG: launches: 1
# CHECK-DAG: barriers: 0


def smooth(x: f64[M, N], t: f64[M, N], y: f64[M, N]):
    #pragma parallel for
    for i in range(x.shape[0]):
        #pragma simd
        for j in range(x.shape[1]):
            t[i, j] = 2.0 * x[i, j]
        #pragma simd
        for j in range(1, x.shape[1]):
            y[i, j] = t[i, j - 1] + t[i, j]
# CHECK: smooth
# CHECK-DAG: launches: 1
# CHECK-DAG: barriers: 1


# Here each lane reads what it wrote itself: the second loop's first iteration is on the lane of the first loop's.
def shifted(x: f64[M, N], t: f64[M, N], y: f64[M, N]):
    #pragma parallel for
    for i in range(x.shape[0]):
        #pragma simd
        for j in range(x.shape[1]):
            t[i, j] = 2.0 * x[i, j]
        #pragma simd
        for j in range(1, x.shape[1]):
            y[i, j] = t[i, j - 1]
# CHECK: shifted
# CHECK-DAG: launches: 1
# CHECK-DAG: barriers: 0
