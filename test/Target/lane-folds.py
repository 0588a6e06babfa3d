# What lanes fold is one call: of a row, of a chunk of one, of a function of the index.
# RUN: %appyc %s --no-wrapper -o - | FileCheck %s
# CHECK: const double [[S:total[a-z_0-9]*]] = chunk_fold<Sum>(x, c, chunk, N);
# CHECK-NEXT: if (threadIdx.x == 0) total_partial[c] = [[S]];
# CHECK: const double total{{.*}} = block_fold<Sum>(total_partial, chunks);
# CHECK: chunk_fold_of<Max>(double(-INFINITY), c, chunk, N,
# CHECK-NEXT: [&](index_t k) { return fabs(x[k]); });
# CHECK: = block_fold<Max>(most_partial, chunks, -INFINITY);
# CHECK: = chunk_fold_of<Sum>(int64_t(0), c, chunk, N,
# CHECK-NEXT: [&](index_t k) { return x[k] > 0.5; });
# CHECK: = group_fold_apart<Sum>(total_partial + j * chunks, chunks);
import numpy as np


def total(x: f64[N]) -> f64:
    total = x.sum()
    return total


def most(x: f64[N]) -> f64:
    most = np.max(np.abs(x))
    return most


def count(x: f64[N]) -> i64:
    return np.sum(x > 0.5)


def product(a: f64[M, N], x: f64[N], y: f64[M]):
    for j in range(y.shape[0]):
        y[j] = np.sum(a[j] * x) + 1.0
