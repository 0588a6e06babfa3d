# A branch that stores where something is greater or less is a step of a fold.
# RUN: %appyc %s --stop-after=prove-parallel --emit=ir -o - | FileCheck %s
import numpy as np


def greatest(x: f64[N], limit: f64):
    far = np.zeros(1)
    for i in range(x.shape[0]):
        if x[i] < limit and x[i] > far[0]:
            far[0] = x[i]
    return far
# CHECK-LABEL: def greatest
# CHECK: far_value: f64 = far[0]
# CHECK: for i in range(0, N, 1):  # proven, max(far_value)
# CHECK-NEXT: if x[i] < limit:
# CHECK-NEXT: far_value = x[i] if x[i] > far_value else far_value
# CHECK: far[0] = far_value


# Not where the branch does more, or where what is stored is not what was compared.
def more(x: f64[N]):
    far, at = np.zeros(2), np.zeros(1, dtype=np.int64)
    for i in range(x.shape[0]):
        if x[i] > far[0]:
            far[0] = x[i]
            at[0] = i
    for i in range(x.shape[0]):
        if x[i] > far[1]:
            far[1] = 2.0 * x[i]
    return far, at
# CHECK-LABEL: def more
# CHECK: if x[i{{.*}}] > far[1]:
# CHECK-NEXT: far[1] = 2.0 * x[i
