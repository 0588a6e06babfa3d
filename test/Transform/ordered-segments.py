# Iterations that touch segments whose ends memory tells run in any order where these follow each other, which is asked for once.
# RUN: %appyc %s --emit=ir --stop-after=prove-parallel -o - | FileCheck %s
from __future__ import annotations

import numpy as np


# CHECK-LABEL: def rows(
# CHECK: ordered: bool = True
# CHECK-NEXT: for i_1 in range(0, M - 1, 1): # proven, all(ordered)
# CHECK-NEXT: ordered = ordered and (starts[i_1] >= 0 and starts[i_1] <= starts[i_1 + 1] and starts[i_1 + 1] <= N)
# CHECK: if ordered:
# CHECK-NEXT: for i_2 in range(0, M - 1, 1): # proven
# CHECK-NEXT: for e in range(starts[i_2], starts[i_2 + 1], 1): # proven
# CHECK-NEXT: out[e] = x[e]
# CHECK: else:
# CHECK-NEXT: sequential for
def rows(starts: i64[M], x: f64[N]):
    out = np.zeros(len(x))
    for i in range(len(starts) - 1):
        for e in range(starts[i], starts[i + 1]):
            out[e] = x[e] * i
    return out


# Ends of their own, which need not touch; before the loop around, which changes none of them.
# CHECK-LABEL: def between(
# CHECK: ordered: bool = True
# CHECK: ordered = ordered and
# CHECK: if i{{.*}} + 1 < M:
# CHECK-NEXT: ordered = ordered and last[
# CHECK: for t in range(0, rounds, 1): # serial
# CHECK-NEXT: if ordered:
def between(first: i64[M], last: i64[M], x: f64[N], rounds: int):
    for t in range(rounds):
        for i in range(len(first)):
            for e in range(first[i], last[i]):
                x[e] = x[e] * 0.5 + i
    return x


# Another iteration's element is read: nothing is asked.
# CHECK-LABEL: def others(
# CHECK-NOT: ordered
# CHECK-LABEL: def moving(
def others(starts: i64[M], x: f64[N]):
    for i in range(len(starts) - 1):
        for e in range(starts[i], starts[i + 1]):
            x[e] = x[starts[0]] + 1
    return x


# What tells the ends changes in the loop around.
# CHECK-NOT: ordered
# CHECK-LABEL: def last(
def moving(starts: i64[M], x: f64[N]):
    for t in range(3):
        for i in range(len(starts) - 1):
            for e in range(starts[i], starts[i + 1]):
                x[e] = x[e] * 0.5 + i
        starts[t] += 1
    return x


def last(x: f64[N]):
    return x
