# A loop of independent products of matrices is an axis of its statements.
# RUN: %appyc %s --emit=ir --stop-after=batch-products -o - | FileCheck %s
# RUN: %appyc %s -w --emit=fired | %where pass=batch-products | FileCheck --check-prefix=FIRES %s
# FIRES: batch-products: downward heads{{ *$}}
from __future__ import annotations

import numpy as np


# CHECK-LABEL: def heads(
# CHECK: s: f64[H, N, M]
# CHECK: s[i, i_1, j] = tanh(sum(q[i, i_1, k_1] * k[i, j, k_1] for k_1 < D)) for i < H, i_1 < N, j < M
# CHECK: out[i_4, i_5, j_2] = sum(s[i_4, i_5, k_3] / t[i_4, i_5, 0] * v[i_4, k_3, j_2]
def heads(q: f64[H, N, D], k: f64[H, M, D], v: f64[H, M, D], out: f64[H, N, D]):
    for i in range(len(q)):
        s = np.tanh(q[i] @ k[i].T)
        out[i] = (s / s.sum(axis=1, keepdims=True)) @ v[i]


# Matrices follow each other upward.
# CHECK-LABEL: def downward(
# CHECK: s[i, i_1, j] = sum(q[i, i_1, k_1] * k[i, j, k_1]
def downward(q: f64[H, N, D], k: f64[H, M, D], out: f64[H, N, M]):
    for i in range(len(q) - 1, -1, -1):
        s = q[i] @ k[i].T
        out[i] = s + s.max()


# One waits for the other; few numbers are no matrix.
def in_order(q: f64[H, N, N], out: f64[N, N]):
    for i in range(len(q)):
        t = np.tanh(out @ q[i])
        out[:] = t + t.max()


def small(q: f64[H, 3, 3], out: f64[H, 3, 3]):
    for i in range(len(q)):
        t = q[i] @ q[i].T
        out[i] = t + t.max()
