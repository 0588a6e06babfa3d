# A fold in the columns of each iteration is a nest of its own, cut where it has few points.
# RUN: %appyc %s --emit=ir --stop-after=distribute-folds -o - | FileCheck %s
# RUN: %appyc %s --emit=ir --stop-after=tile-reductions -o - | FileCheck %s --check-prefix=CUT
from __future__ import annotations

import numpy as np


# CHECK-LABEL: def weighed(
# CHECK: w_each[c] = w
# CHECK: for c_1 in range(0, K, 1): # proven
# CHECK-NEXT: for d in range(0, D, 1): # proven
# CHECK-NEXT: if w_each[c_1] > 0.0:
# CUT: if {{.*}} <= 262144 and 512 <= N:
# CUT: chunks
def weighed(x: f64[N, D], m: f64[K, N], out: f64[K, D]):
    for c in range(out.shape[0]):
        w = 0.0
        for i in range(x.shape[0]):
            w += m[c, i]
        if w > 0:
            for d in range(out.shape[1]):
                s = 0.0
                for i in range(x.shape[0]):
                    s += m[c, i] * x[i, d]
                out[c, d] = s / w


# What is folded in the branch before the columns has a loop of its own, under the same condition.
# CHECK-LABEL: def branched(
# CHECK: n_each[c] = n
# CHECK: for c_1 in range(0, K, 1): # proven
# CHECK-NEXT: if n_each[c_1] > 0.0:
# CHECK: w_each[c_1] = w
# CHECK: for c_2 in range(0, K, 1): # proven
# CHECK-NEXT: for d in range(0, D, 1): # proven
# CHECK-NEXT: if n_each[c_2] > 0.0:
# CHECK: out[c_2, d] = s / w_each[c_2]
# CUT-LABEL: def branched(
# CUT: n_partial[
# CUT: s_partial[
def branched(x: f64[N, D], m: f64[K, N], out: f64[K, D]):
    for c in range(out.shape[0]):
        n = 0.0
        for i in range(x.shape[0]):
            n += m[c, i]
        if n > 0:
            w = 0.0
            for i in range(x.shape[0]):
                w += m[c, i] * x[i, 0]
            for d in range(out.shape[1]):
                s = 0.0
                for i in range(x.shape[0]):
                    s += m[c, i] * x[i, d]
                out[c, d] = s / w


# Folds one after the other in each column are nests of their own.
# CHECK-LABEL: def moments(
# CHECK: for j in range(0, K, 1): # proven
# CHECK: mean_each[j] = mean
# CHECK: for j_1 in range(0, K, 1): # proven
# CHECK: square(x[{{.*}}, j_1] - mean_each[j_1])
# CUT-LABEL: def moments(
# CUT: total_partial[
# CUT: for {{.*}} range(0, K, 1)
# CUT: total_{{.*}}mean_each
def moments(x: f64[N, K], sd: f64[K]):
    for j in range(x.shape[1]):
        mean = x[:, j].sum() / x.shape[0]
        sd[j] = np.sqrt(((x[:, j] - mean) ** 2).sum())


# Of few iterations all columns, with an array that one leaves to the next: it has a place for each of them.
# CHECK-LABEL: def classes(
# CHECK: if K <= 128:
# CHECK: t_1: f64[K, {{.*}}D]
# CHECK: n_each[
# CHECK: for [[C:c.*]] in range(0, K, 1): # proven
# CHECK-NEXT: for {{.*}} in range(0, D, 1): # proven
# CHECK: t_1[[[C]], 0, {{.*}}] =
# CHECK: for [[E:c.*]] in range(0, K, 1): # proven
# CHECK: var[[[E]], {{.*}}n_each[[[E]]]
# CHECK: else:
def classes(x: f64[N, D], y: i64[N], mean: f64[K, D], var: f64[K, D], part: f64[K]):
    for c in range(len(mean)):
        own = x[y == c]
        mean[c] = own.mean(axis=0)
        var[c] = own.var(axis=0) + 1e-9
        part[c] = len(own) / len(x)


# Arrays whose sizes differ from one iteration to the next stay in it.
# CHECK-LABEL: def of_unlike_sizes(
# CHECK-NOT: <= 128
# CHECK-LABEL: def end(
def of_unlike_sizes(c: f64[N, N], a: f64[M, N]):
    for i in range(len(c)):
        c[i:, i] = c[i, i:] = np.dot(a[:, i], a[:, i:])


def end(x: f64[N]):
    x[:] = 1.0
