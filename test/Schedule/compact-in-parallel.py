# What is kept of many elements gets its place from how much before it is kept.
# RUN: %appyc %s -w --emit=fired | %where pass=compact-in-parallel | FileCheck --check-prefix=FIRES %s
# RUN: %appyc %s -w --emit=fired --target=cpu | %where pass=compact-in-parallel | FileCheck --check-prefix=CPU %s
# RUN: %appyc %s -w --emit=ir --stop-after=compact-in-parallel | FileCheck %s
# RUN: %appyc %s -o - --remarks 2>&1 >/dev/null | FileCheck --check-prefix=WHY %s
# FIRES: compact-in-parallel: kept picked{{$}}
# CPU: compact-in-parallel:{{$}}
from __future__ import annotations
import numpy as np


def kept(a: f64[N], b: f64[N]):
    found = []
    for i in range(a.shape[0]):
        x = a[i] * 2
        if x > 1:
            found.append(b[i] + x)
    return np.array(found)
# CHECK: is_kept[i] = x > 1.0
# CHECK: call select_places(in is_kept[0], out place[0], out number[()], N)
# CHECK-NEXT: [[N:[a-z_0-9]+]]: i64 = number[()]
# CHECK-NEXT: for k in range(0, [[N]], 1):  # proven
# CHECK: found[k] = b[


# WHY: compact-in-parallel.py:[[@LINE-12]]:5: remark: what is kept gets its place from how much before it is kept


# The library puts elements, and their numbers, where they belong, and flags in memory are read there.
def picked(a: f64[N], m: bool[N]):
    return a[m], np.flatnonzero(m)
# CHECK-LABEL: def picked
# CHECK: call select_places(in m[0], out {{[a-z_0-9]+}}[0], out number[()], N)
# CHECK-NEXT: [[COUNT:[a-z_0-9]+]]: i64 = number[()]
# CHECK: call select_elements(in a[0], in m[0], inout {{[a-z_0-9]+}}[0], out number_1[()], N)
# CHECK-NOT: place


# A step that reads what is kept so far runs after those before it.
def chained(a: f64[N]):
    found = [0.0]
    for i in range(a.shape[0]):
        if a[i] > found[-1]:
            found.append(a[i])
    return np.array(found)
