# Loops whose steps are the same launches each time need nobody who asks whether they go on.
# RUN: %appyc %s -w --emit=ir --stop-after=place-scalars -o - | FileCheck %s
# RUN: %appyc %s -w -o - | FileCheck --check-prefix=CUDA %s
# RUN: %appyc %s -w -o - --remarks 2>&1 | FileCheck --check-prefix=REMARK %s
from __future__ import annotations

import numpy as np


# CHECK-LABEL: def halved(
# CHECK: while go_on_device[()]:
# CHECK-NOT: fetch
# CHECK: go_on_device[()] = {{.*}} and steps_1 < limit
# CUDA: const auto step = [&](cudaStream_t stream) {
# CUDA: repeat_while_recorded(go_on_device, {{[1-4]}}, step, stream,
# REMARK: {{.*}}:[[@LINE+3]]:5: remark: the device finds the condition: a CUDA graph repeats itself while it holds (before CUDA 12.4 the host asks in each step) [time-loop]
def halved(a: f64[N], limit: i64):
    steps = 0
    while np.max(a) > 1e-9 and steps < limit:
        a *= 0.5
        steps += 1
    return steps


# The host says how many blocks there are, prints, and knows the end by itself.
# CHECK-LABEL: def shrinking(
# CHECK: while n > 0:
# CHECK-LABEL: def printing(
# CHECK: while error > 0.01:
# CHECK-LABEL: def counted(
# CHECK: while k < 10:
# CHECK-LABEL: def asked_at_the_end(
# CHECK: while going_device[()]:
# CHECK: going_device[()] = error_device[()] > 0.01 and steps_device[()] < 50
def shrinking(a: f64[N]):
    n = len(a)
    while n > 0:
        a[:n] *= 0.5
        n = np.count_nonzero(a > 0.1)


def printing(a: f64[N]):
    error = 1.0
    while error > 0.01:
        a *= 0.5
        error = a.sum()
        print(error)


def counted(a: f64[N]):
    k = 1
    while k < 10:
        a *= 0.5
        k *= 3


def asked_at_the_end(a: f64[N]):
    error, steps = 1.0, 0
    while error > 0.01 and steps < 50:
        a *= 0.5
        error = a.sum()
        steps += 1
    return steps
