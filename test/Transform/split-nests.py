# What a nest collects in several arrays, of which windows overlap, has a nest for each, which goes by its elements.
# RUN: %appyc %s -w --emit=ir --stop-after=split-nests -o - | FileCheck %s
# RUN: %appyc %s -w --emit=fired | %where pass=split-nests,gather-updates | FileCheck --check-prefix=FIRES %s
# FIRES: split-nests: gradients{{ *$}}
# FIRES: gather-updates: gradients weights{{ *$}}
from __future__ import annotations

import numpy as np


# CHECK-LABEL: def gradients(
# CHECK: for n in range(0, N, 1): # serial
# CHECK: db[f] = db[f] + dy[n, f,
# CHECK-NEXT: for {{.*}} in range(0, N, 1): # serial
# CHECK: dx[{{.*}}] = dx[{{.*}}] +
def gradients(dy: f64[N, F, M], w: f64[F, W]):
    db = np.zeros(w.shape[0])
    dx = np.zeros((dy.shape[0], dy.shape[2] + w.shape[1] - 1))
    for n in range(dy.shape[0]):
        for f in range(dy.shape[1]):
            for i in range(dy.shape[2]):
                db[f] += dy[n, f, i]
                for a in range(w.shape[1]):
                    dx[n, i + a] += w[f, a] * dy[n, f, i]
    return dx, db


# One reads what the other collects.
# CHECK-LABEL: def in_turn(
# CHECK-COUNT-1: for n in range(0, N, 1): # serial
# CHECK-LABEL: def weights(
def in_turn(dy: f64[N, M], w: f64[W]):
    total = np.zeros(w.shape[0])
    dx = np.zeros(dy.shape[1] + w.shape[0])
    for n in range(dy.shape[0]):
        for i in range(dy.shape[1]):
            for a in range(w.shape[0]):
                total[a] += dy[n, i]
                dx[i + a] += w[a] * total[a]
    return dx


# A loop that tells elements, between others.
def weights(x: f64[N, C, L], dy: f64[N, F, M], width: int):
    dw = np.zeros((dy.shape[1], x.shape[1], width))
    for n in range(dy.shape[0]):
        for f in range(dy.shape[1]):
            for i in range(dy.shape[2]):
                for c in range(x.shape[1]):
                    for a in range(width):
                        dw[f, c, a] += x[n, c, i + a] * dy[n, f, i]
    return dw
