# What is kept of many elements gets its place from how much before it is kept.
# RUN: %appyc %s -o %t.cu --no-wrapper && FileCheck %s < %t.cu
# RUN: %appyc %s -o - --remarks 2>&1 >/dev/null | FileCheck --check-prefix=WHY %s
# RUN: %appyc %s -o - --disable-pass=compact-in-parallel | FileCheck --check-prefix=OFF %s
# RUN: %appyc %s --target=cpu -o - | FileCheck --check-prefix=OFF %s
from __future__ import annotations
import numpy as np


def kept(a: f64[N], b: f64[N]):
    found = []
    for i in range(a.shape[0]):
        x = a[i] * 2
        if x > 1:
            found.append(b[i] + x)
    return np.array(found)


# WHY: compact-in-parallel.py:[[@LINE-7]]:5: remark: what is kept gets its place from how much before it is kept
# CHECK: __global__ void kept_kernel
# CHECK: is_kept[
# CHECK: select_places(is_kept, place, number, N, stream)
# OFF-NOT: select_places
# OFF: found_length{{[_1]*}} = wrap_add(found_length


# A step that reads what is kept so far runs after those before it.
def chained(a: f64[N]):
    found = [0.0]
    for i in range(a.shape[0]):
        if a[i] > found[-1]:
            found.append(a[i])
    return np.array(found)


# CHECK-LABEL: int chained_host(
# CHECK-NOT: select_places
