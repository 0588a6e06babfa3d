# A loop that may raise runs in parallel where nobody sees what it stores then.
# RUN: %appyc %s --emit=ir --stop-after=prove-parallel -o - | FileCheck %s
from __future__ import annotations

import numpy as np


# CHECK-LABEL: def own(
# CHECK: first_failure[0] = 9223372036854775807
# CHECK: for i in range(0, N, 1): # proven
# CHECK: if a[i] != 0.0:
# CHECK: else:
# CHECK-NEXT: first_failure[0] = min(first_failure[0], i) # atomic
# CHECK: require found == 9223372036854775807, ValueError, "zero"
def own(a: f64[N]) -> f64[N]:
    out = np.zeros(len(a))
    for i in range(len(a)):
        if a[i] == 0:
            raise ValueError("zero")
        out[i] = 1 / a[i]
    return out


# CHECK-LABEL: def callers(
# CHECK-NOT: first_failure
# CHECK: for i in range(0, N, 1): # proven, min(first)
def callers(a: f64[N], out: f64[N]):
    for i in range(len(a)):
        if a[i] == 0:
            raise ValueError("zero")
        out[i] = 1 / a[i]


# A nest is one order of iterations; Python makes the text of the first that failed.
# CHECK-LABEL: def places(
# CHECK: for i in range(0, N, 1): # proven
# CHECK-NEXT: for j in range(0, M, 1): # proven
# CHECK: first_failure[0] = min(first_failure[0], i * M + j)
# CHECK: if found != 9223372036854775807:
# CHECK-NEXT: value: i64 = found // M
# CHECK-NEXT: value_1: i64 = found % M
# CHECK-NEXT: value_2: f64 = a[found // M, found % M]
# CHECK-NEXT: python _message(
def places(a: f64[N, M]) -> f64[N, M]:
    out = np.zeros_like(a)
    for i in range(a.shape[0]):
        for j in range(a.shape[1]):
            if a[i, j] == 0:
                raise ValueError(f"at {i}, {j}: {a[i, j]}")
            out[i, j] = 1 / a[i, j]
    return out


# Windows have one shape where the radii are not negative; other calls run in turn.
# CHECK-LABEL: def windows(
# CHECK: if {{.*}}s >= 0
# CHECK-NEXT: for {{.*}} in range(0, N, 1): # proven
# CHECK-NOT: {{require|first_failure}}
# CHECK: else:
# CHECK-NEXT: sequential for {{.*}} in range(0, N, 1): # serial
def windows(a: f64[N], r: int, s: int):
    padded = np.pad(a, r + s)
    out = np.zeros(len(a))
    for i in range(len(a)):
        at = i + r + s
        for d in range(-s, s + 1):
            out[i] += (padded[at - r:at + r + 1] * padded[at + d - r:at + d + r + 1]).sum()
    return out
