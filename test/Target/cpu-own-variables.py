# RUN: %appyc %s -o - --target=cpu | FileCheck %s
# A name that is used behind a loop, too, is each thread's own in it: none of its values comes out, and none goes in.
from __future__ import annotations


def scaled(a: f64[N], b: f64[N]):
    for i in range(a.size):
        t = a[i]
        if t > 1.0:
            t = t * 2.0
        b[i] = t
    t = b[0]
    if t > 3.0:
        t = 1.0
    b[0] = t


# CHECK-NOT: double t
# CHECK: #pragma omp parallel for
# CHECK-NEXT: for (int64_t i = 0;
# CHECK-NEXT: double t = a[i];
# CHECK: double t = b[0];
