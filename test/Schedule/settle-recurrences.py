# Long recurrences run in chunks that start from guesses, again until each starts from what the one before ends with.
# RUN: %appyc %s --emit=ir --stop-after=settle-recurrences -o - | FileCheck %s
# RUN: %appyc %s --emit=fired | %where pass=settle-recurrences | FileCheck --check-prefix=FIRES %s
# FIRES: settle-recurrences: filled mean shifted two{{ *$}}
from __future__ import annotations

import numpy as np


# CHECK-LABEL: def mean(
# CHECK: if N - 1 >= 32768:
# CHECK: while open > 0 and round < 16:
# CHECK-NEXT: for [[C:c_?[0-9]*]] in range(0, chunks, 1): # proven
# CHECK-NEXT: [[Y:carried_[0-9]+]]: f64 = carried_from[[[C]]]
# CHECK-NEXT: for {{.*}} # serial
# CHECK-NEXT: [[Y]] = a * x[{{.*}}] + (1.0 - a) * [[Y]]
# CHECK-NEXT: carried_to[[[C]]] = [[Y]]
# CHECK: bits_of(carried_from[{{.*}} + 1]) != bits_of(carried_to[
# CHECK: if open == 0:
# CHECK: out[
# CHECK: if open > 0:
# CHECK-NEXT: sequential for
def mean(x: f64[N], a: f64):
    out = np.empty_like(x)
    out[0] = x[0]
    for i in range(1, len(x)):
        out[i] = a * x[i] + (1 - a) * out[i - 1]
    return out


# In place, by a branch, two at once.
# CHECK-LABEL: def two(
# CHECK: y_from[
# CHECK: z_from[
# CHECK: y = y_to[chunks - 1]
def two(x: f32[N]):
    y = x[0]
    z = y
    for i in range(len(x)):
        y = 0.25 * x[i] + 0.75 * y
        if y > z:
            z = y
        else:
            z = 0.5 * z
        x[i] = z
    return y


# Sums are scanned; integers do not settle; other steps' elements are read; a step has loops.
# CHECK-LABEL: def others(
# CHECK-NOT: while open
def others(x: f64[N], n: i64[N], m: f64[N, M]):
    total = 0.0
    s = 1
    for i in range(len(x)):
        total += x[i]
        x[i] = total
    for i in range(len(n)):
        s = (s * 1103515245 + 12345) % 2147483648
        n[i] = s
    for i in range(2, len(x)):
        x[i] = 0.5 * x[i - 1] + 0.25 * x[i - 2]
    y = 0.0
    for i in range(len(m)):
        y = 0.5 * y + m[i].sum()
        x[i] = y


# Elements that a branch stores; states that are copied on, and what a step has just stored.
# CHECK-LABEL: def filled(
# CHECK: while open
def filled(x: f64[N]):
    for i in range(1, len(x)):
        if np.isnan(x[i]):
            x[i] = x[i - 1]


# CHECK-LABEL: def shifted(
# CHECK: while open
def shifted(x: f64[N], y: f64[N]):
    x1 = y1 = y2 = 0.0
    for n in range(len(x)):
        y[n] = x[n] + 0.5 * x1 + 0.25 * y1 - 0.125 * y2
        x1 = x[n]
        y2, y1 = y1, y[n]
