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
# CHECK: for i in range(0, N, 1): # serial
def callers(a: f64[N], out: f64[N]):
    for i in range(len(a)):
        if a[i] == 0:
            raise ValueError("zero")
        out[i] = 1 / a[i]
