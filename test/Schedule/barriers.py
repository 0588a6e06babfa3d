# A barrier stands exactly where a value crosses lanes.
# RUN: %appyc %s --emit=stats -o - | FileCheck %s
import appy
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


# Rows that one block works off share its scratch: each lane sets again what it alone has read, so two barriers are enough.
def histograms(k: i32[M, N], out: i64[M, 16]):
    #pragma parallel for
    for i in range(k.shape[0]):
        count = appy.buffer(16, dtype=np.int64)
        count[:] = 0
        #pragma simd
        for j in range(k.shape[1]):
            #pragma atomic
            count[k[i, j]] += 1
        out[i, :] = count
# CHECK: histograms
# CHECK-DAG: barriers: 2
# CHECK-DAG: atomics: 1


# Here another lane has read it: a barrier stands before the next row as well.
def reversed_rows(x: f64[M, 64], y: f64[M, 64]):
    #pragma parallel for
    for i in range(x.shape[0]):
        row = appy.buffer(64, dtype=np.float64)
        #pragma simd
        for j in range(64):
            row[j] = x[i, j]
        #pragma simd
        for j in range(64):
            y[i, j] = row[63 - j]
# CHECK: reversed_rows
# CHECK-DAG: barriers: 2


# The sum is added to its element by one lane of one block: nobody competes.
def sums(steps: i64, x: f64[N], total: f64[K]):
    for k in range(steps):
        #pragma parallel for
        for i in range(x.shape[0]):
            #pragma atomic
            total[k] += x[i]
        x[0] = total[k]
# CHECK: sums
# CHECK-DAG: atomics: 0
