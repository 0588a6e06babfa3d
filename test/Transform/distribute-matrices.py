# Few matrices, one after the other: each statement takes all of them.
# RUN: %appyc %s --emit=ir --stop-after=distribute-matrices -o - | FileCheck %s
from __future__ import annotations

import numpy as np


# CHECK-LABEL: def rolled(
# CHECK: right_side: f64[3, H, W]
# CHECK: for k in range(0, 3, 1): # proven
# CHECK: right_side[k, {{.*}}] = f[k,
# CHECK: for k_1 in range(0, 3, 1): # proven
# CHECK: f[k_1, {{.*}}] = right_side[k_1,
def rolled(f: f64[3, H, W]):
    for k in range(3):
        f[k] = np.roll(f[k], (k, -k), axis=(0, 1))


# Along the last axis of what is read and written: so are what each makes.
# CHECK-LABEL: def rolled_last(
# CHECK: right_side: f64[H, W, 3]
# CHECK: right_side[{{.*}}, k] = f[{{.*}}, k]
# CHECK: f[{{.*}}, k_1] = right_side[{{.*}}, k_1]
def rolled_last(f: f64[H, W, 3]):
    for k in range(3):
        f[:, :, k] = np.roll(f[:, :, k], (k, -k), axis=(0, 1))
