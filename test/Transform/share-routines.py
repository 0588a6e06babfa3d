# What is sorted once is not sorted again while nothing of it changes.
# RUN: %appyc %s --stop-after=share-routines --emit=ir -o - | FileCheck %s
import numpy as np


def spread(x: f64[N], y: f64[N]):
    quarters = np.percentile(x, 75) - np.percentile(x, 25)
    half = np.median(x) + np.sort(x)[0]
    x[0] = 1.0
    return quarters, half, np.median(x), np.median(y), np.argsort(x), np.argsort(x)[1:]
# CHECK-LABEL: def spread
# CHECK: call sort_row(in keys[0]
# CHECK-NOT: call sort_row(in keys
# CHECK: x[0] = 1.0
# CHECK: call sort_row
# CHECK: call sort_row
# CHECK: call order_row
# CHECK-NOT: call
# CHECK: return


# Nothing has been stored into what is sorted.
def of_nothing(x: f64[N]):
    unset = np.empty(x.shape[0])
    return np.sort(unset).shape[0] + np.argsort(unset).sum() + np.argsort(unset)[0]
# CHECK-LABEL: def of_nothing
# CHECK: call sort_row
# CHECK: call order_row
# CHECK-NOT: call
# CHECK: return
