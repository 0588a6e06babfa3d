# A thread makes several elements, one below the other: eight where they share loads, else two.
# RUN: %appyc %s -w --emit=fired | %where pass=rows-per-thread | FileCheck --check-prefix=FIRES %s
# RUN: %appyc %s -w --emit=ir | FileCheck %s
# RUN: %appyc %s -o - --remarks 2>&1 >/dev/null | FileCheck --check-prefix=WHY %s
# FIRES: rows-per-thread: shifted stencil{{$}}
from __future__ import annotations
import numpy as np


def shifted(a: f64[N, M], b: f64[N, M]):
    b[:] = a + 1.0
# CHECK: columns: i64 = _columns_of_block(M, (N + 1) // 2, 256, 8)
# CHECK: launch shifted_kernel[(min(max((M + columns - 1) // columns, 1), 65535), {{.*}}, 1), (columns, 256 // columns, 1)](
# CHECK: for i_first in range(0, N, 2):  # proven, bind=global.y
# CHECK-NEXT: for j in range(0, M, 1):  # proven, bind=global.x
# CHECK-NEXT: for r in range(0, 2, 1):  # proven, unroll
# CHECK-NEXT: if i_first + r < N:
# CHECK-NEXT: b[i_first + r, j] =
# WHY: rows-per-thread.py:[[@LINE-8]]:5: remark: a thread makes 2 elements along `i`


# Rows of i have loads in common; so have those of j, but they are further apart in i.
def stencil(a: f64[L, M, N], b: f64[L, M, N]):
    b[1:-1, 1:-1] = a[:-2, 1:-1] + a[2:, 1:-1] + a[1:-1, :-2] + a[1:-1, 2:]
# CHECK: launch stencil_kernel[{{.*}}, (32, 4, 1), 768 at once](
# CHECK: for i_first in range(0, L - 2, 8):  # proven, bind=global.z
# CHECK: if i_first + 8 <= L - 2:
# CHECK-NEXT: for r in range(0, 8, 1):  # proven, unroll
# CHECK-NEXT: i: i64 = i_first + r
# CHECK: else:
# CHECK-NEXT: for [[I:.*]] in range(i_first, L - 2, 1):  # proven
# WHY: rows-per-thread.py:[[@LINE-8]]:5: remark: a thread makes 8 elements along `i`


# An update in place, rows that depend on each other's length, a time loop, few rows.
def in_place(a: f64[N, M]):
    a += 1.0
def triangle(a: f64[N, N], b: f64[N, N]):
    for i in range(a.shape[0]):
        for j in range(i, a.shape[0]):
            b[i, j] = a[i, j]
def in_time(a: f64[N, M], b: f64[N, M], steps: i64):
    for t in range(steps):
        b[:] = a + t
def few(a: f64[8, M], b: f64[8, M]):
    b[:] = a
