# Folds over rows of two arrays read their rows into shared memory, a tile of folds at a time.
# RUN: %appyc %s -w --emit=fired | %where pass=tile-contractions | FileCheck --check-prefix=FIRES %s
# RUN: %appyc %s -w --emit=ir --stop-after=tile-contractions -o - | FileCheck %s
# RUN: %appyc %s -w --emit=ir --stop-after=tile-contractions --no-versions -o - | FileCheck --check-prefix=ONE %s
# RUN: %appyc %s -o - --remarks 2>&1 >/dev/null | FileCheck --check-prefix=WHY %s
# FIRES: tile-contractions: distances known{{$}}
from __future__ import annotations
import numpy as np


# WHY: tile-contractions.py:[[@LINE+2]]:{{[0-9]+}}: remark: tiles of 64 x 32 elements read their rows and columns into shared memory
def distances(X: f64[M, D], Y: f64[N, D]) -> f64[M, N]:
    return np.sqrt(((X[:, None, :] - Y[None, :, :]) ** 2).sum(axis=2))
# CHECK-LABEL: def distances(
# CHECK: if M >= 64 and N >= 16 and (D >= 2 and M * N >= 67584):
# CHECK: X_tile: f64[16, 65]
# CHECK: Y_tile: f64[16, 33]
# CHECK: for k_first in range(0, D, 16):
# CHECK: sqrt(total
# CHECK: else:
# ONE-LABEL: def distances(
# ONE-NOT: _tile


# Known sizes need no question.
def known(X: f32[1000, 40], Y: f32[40, 800]) -> f32[1000, 800]:
    Z = np.empty((1000, 800), dtype=np.float32)
    for i in range(1000):
        for j in range(800):
            low = np.float32(1000)
            for k in range(40):
                low = min(low, X[i, k] + Y[k, j])
            Z[i, j] = low
    return Z
# CHECK-LABEL: def known(
# CHECK-NOT: if
# CHECK: X_tile: f32[16, 65]
# ONE-LABEL: def known(
# ONE: X_tile: f32[16, 65]


# Both of one row; what the data choose; a fold that reads what the cell has stored.
def not_tiled(X: f64[M, D], w: i64[M, D], Y: f64[N, D], Z: f64[M, N]):
    for i in range(X.shape[0]):
        for j in range(Y.shape[0]):
            total = 0.0
            for k in range(X.shape[1]):
                total += abs(X[i, k] - Y[w[i, k], k])
            Z[i, j] = total
    for i in range(X.shape[0]):
        for j in range(Y.shape[0]):
            total = 0.0
            for k in range(X.shape[1]):
                total += abs(X[i, k]) * j
            Z[i, j] += total
# CHECK-LABEL: def not_tiled(
# CHECK-NOT: _tile
