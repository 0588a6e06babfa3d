# A fold over whole arrays that a loop does not change is computed once.
# RUN: %appyc %s --stop-after=hoist-folds --emit=ir -o - | FileCheck %s
import numpy as np


def centred(x: f64[N], y: f64[N], n: i64):
    for i in range(x.shape[0]):
        y[i] = x[i] - x.mean()
    k = 0
    while k < x.max():
        k += 1
        for j in range(n):
            y[j] += np.sum(x * x)
    return k
# CHECK-LABEL: def centred
# CHECK: total{{.*}} = sum(x[
# CHECK-NEXT: for i
# CHECK-NEXT: y[{{.*}}] = x[{{.*}}] - total / f64(N)
# CHECK: sum(x[[[K:k_[0-9]+]]] * x[[[K]]] for
# CHECK: while
# CHECK-NOT: sum(


# Not what the loop changes, what may lie outside of the array, and what a branch may leave out.
def kept(x: f64[N], y: f64[N], n: i64):
    for i in range(n):
        y[i] = y.sum()
        if n > 7:
            y[i] += x.sum()
        y[i] += x[:n].sum()
# CHECK-LABEL: def kept
# CHECK-NEXT: sizes
# CHECK-NEXT: writes
# CHECK-NOT: total
# CHECK: for i
# CHECK: sum(y
# CHECK: sum(x
# CHECK: sum(x
