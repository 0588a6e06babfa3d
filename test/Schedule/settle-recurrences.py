# Long recurrences run in chunks that start from guesses, again until each starts from what the one before ends with.
# RUN: %appyc %s --emit=ir --stop-after=settle-recurrences -o - | FileCheck %s
# RUN: %appyc %s --emit=fired | %where pass=settle-recurrences | FileCheck --check-prefix=FIRES %s
# FIRES: settle-recurrences: bounded filled mean remainders shifted two{{ *$}}
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


# Sums are scanned; what squares does not settle as integers do not; other steps' elements are read; a step has loops.
# CHECK-LABEL: def others(
# CHECK-NOT: while open
def others(x: f64[N], n: i64[N], m: f64[N, M]):
    total = 0.0
    s = 1
    for i in range(len(x)):
        total += x[i]
        x[i] = total
    for i in range(len(n)):
        s = (s * s + 12345) % 2147483647
        n[i] = s
    for i in range(2, len(x)):
        x[i] = 0.5 * x[i - 1] + 0.25 * x[i - 2]
    y = 0.0
    for i in range(len(m)):
        y = 0.5 * y + m[i].sum()
        x[i] = y


# Elements that a branch stores; states that are copied on, and what a step has just stored.
# CHECK-LABEL: def filled(
# CHECK-NOT: open
# CHECK: is_given = is_given or step_is_given
# CHECK-NEXT: given = step_given if step_is_given else given
# CHECK: start = given_of[{{.*}}] if is_given_of[{{.*}}] else start
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


# Two that a step adds up and keeps between bounds: steps put together are one such step.
# CHECK-LABEL: def bounded(
# CHECK: if open > 0:
# CHECK: shift: f64 = 0.0
# CHECK-NEXT: low: f64 = -inf
# CHECK: shift = shift + step_shift
# CHECK-NEXT: low = max(low + step_shift, step_low)
# CHECK-NEXT: open = open + (0 if fabs(x[{{.*}}]) <= 1e+280 else 1)
# CHECK: start = max(start + shift_of[
# CHECK: high_of[
# CHECK: if open > 0:
# CHECK-NEXT: sequential for
def bounded(x: f64[N], most: f64):
    rise = level = 0.0
    for i in range(len(x)):
        rise = max(0.0, rise + x[i])
        level = min(max(level + x[i], 0.0), most)
        x[i] = rise - level


# Nothing is forgotten, so there are no rounds; `b` reads what `a` has become.
# CHECK-LABEL: def remainders(
# CHECK-NOT: while
# CHECK: scale = step_scale * scale % 65521
# CHECK: start = (scale_of{{.*}} * (start % 65521) + rest_of
# CHECK: a_1: i64 = a_from[
# CHECK: step_rest{{[_0-9]*}}: i64 = (a_1 + x[{{.*}}]) % 65521
# CHECK: a_1 = (a_1 + x[
def remainders(x: i64[N]):
    a, b = 1, 0
    for v in x:
        a = (a + v) % 65521
        b = (b + a) % 65521
    return a, b
