# What one thread would do in many steps, the host does on copies of the arrays; not where few elements of a large array are looked
# up, in loops of the host, or where the user asks for it.
# RUN: %appyc %s -w --emit=fired | %where pass=run-by-host | FileCheck --check-prefix=FIRES %s
# RUN: %appyc %s -w -o - --no-wrapper | FileCheck %s
# RUN: %appyc %s --remarks -o %t.cu 2>&1 | FileCheck --check-prefix=REMARK %s
# RUN: printf '[greater."for i in range(len(a)):"]\nhost = false\n' > %t.schedule
# RUN: %appyc %s -w -o - --no-wrapper --schedule=%t.schedule | FileCheck --check-prefix=ASKED %s
# FIRES: run-by-host: greater merged rated{{$}}
from __future__ import annotations
import numpy as np


def merged(a: f64[N], b: f64[M]):
    out = np.empty(len(a) + len(b))
    i = j = 0
    while i < len(a) and j < len(b):
        if a[i] <= b[j]:
            out[i + j] = a[i]
            i += 1
        else:
            out[i + j] = b[j]
            j += 1
    return out
# CHECK-LABEL: int appyc_run_by_host_merged(
# CHECK:      const auto work = [&](const HostCopies& host) {
# CHECK-NEXT:   merged_kernel<index_t>(host(a), host(b), host(out), N, M);
# CHECK-NEXT: };
# CHECK-NEXT: if (const int status = by_host(stream, {reads(a, N), reads(b, M), fills(out, N + M)}, work))
# REMARK: [[#@LINE-13]]:5: remark: the host does what one thread would, on copies of the arrays: a step


def rated(winner: i64[G], loser: i64[G], rating: f64[N]):
    for g in range(len(winner)):
        d = rating[winner[g]] - rating[loser[g]]
        rating[winner[g]] += 1.0 / (2.0 + d * d)
        rating[loser[g]] -= 1.0 / (2.0 + d * d)
# CHECK-LABEL: int appyc_run_by_host_rated(
# CHECK:      if (N <= G * 64 + 4096) {
# CHECK:        by_host(stream, {reads(winner, G), reads(loser, G), writes(rating, N)}, work)
# CHECK:      } else {
# CHECK:        rated_kernel_alone<index_t><<<1, 1, 0, stream>>>(


def searched(a: f64[N], x: float):
    low, high = 0, len(a)
    while low < high:
        middle = (low + high) // 2
        if a[middle] < x:
            low = middle + 1
        else:
            high = middle
    return low
# CHECK-LABEL: int appyc_run_by_host_searched(
# CHECK-NOT:  by_host(


def greater(a: f64[N]):
    out = np.full(len(a), -1)
    stack = np.empty(len(a), dtype=np.int64)
    top = 0
    for i in range(len(a)):
        while top > 0 and a[stack[top - 1]] < a[i]:
            top -= 1
            out[stack[top]] = i
        stack[top] = i
        top += 1
    return out
# CHECK-LABEL: int appyc_run_by_host_greater(
# CHECK:      {reads(a, N), writes(out, N), keeps(stack, N)}
# ASKED-LABEL: int appyc_run_by_host_greater(
# ASKED-NOT:  by_host(
# ASKED:      <<<1, 1, 0, stream>>>
