# What one thread stores and another one loads behind a barrier is not __restrict__: a compiler would take it for unchanged.
# RUN: %appyc %s -w -o - | FileCheck %s
import numpy as np


def deviations(x: f64[M, N], mean: f64[N], out: f64[N, M]):
    for j in range(x.shape[1]):
        mean[j] = x[:, j].sum() * 0.5
        for i in range(x.shape[0]):
            out[j, i] = x[i, j] - mean[j]
# CHECK: __global__ void {{.*}}(const double* __restrict__ x, double* mean,
# CHECK: if (threadIdx.x == 0) mean[j] =
# CHECK: barrier();
# CHECK: - mean[j]
