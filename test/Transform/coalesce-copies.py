# What branches and steps make for a name of their own is made under the name that it is copied to; what is read meanwhile stays.
# RUN: %appyc %s --emit=ir -o - --stop-after=simplify | FileCheck %s
from __future__ import annotations
import numpy as np


def branches(a: f64[N], k: int, out: f64[N]):
    for i in range(len(a)):
        if a[i] < k:
            r = a[i]
        elif a[i] < 2 * k:
            r = 2 * a[i]
        else:
            r = 3 * a[i]
        out[i] = r * r
# CHECK-LABEL: def branches
# CHECK:      if a[i] < f64(k):
# CHECK-NEXT:   r: f64 = a[i]
# CHECK-NEXT: else:
# CHECK-NEXT:   if a[i] < f64(k * 2):
# CHECK-NEXT:     r = 2.0 * a[i]
# CHECK-NEXT:   else:
# CHECK-NEXT:     r = 3.0 * a[i]
# CHECK-NEXT: out[i] = r * r


def kept(a: f64[N]):
    x = 0.0
    for i in range(len(a)):
        y = x + 1.0
        if a[i] > x:
            x = y
        a[i] = y
    return x
# CHECK-LABEL: def kept
# CHECK:      [[Y:y.*]]: f64 = x + 1.0
# CHECK-NEXT: if a[i] > x:
# CHECK-NEXT:   x = y
# CHECK-NEXT: a[i] = y


def unless(a: f64[N], n: int):
    u = a.max(initial=0.0)
    if n > 2:
        u = -1.0
    return u
# CHECK-LABEL: def unless
# CHECK:      max_value = max(max_value, a[k])
# CHECK-NEXT: result: f64 = max(0.0, max_value)
# CHECK-NEXT: if n > 2:
# CHECK-NEXT:   result = -1.0
# CHECK-NEXT: return result
