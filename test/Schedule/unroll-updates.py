# A thread that updates an array in place, alone: the loads of four iterations come before their stores.
# RUN: %appyc %s -w --emit=fired | %where pass=unroll-updates | FileCheck --check-prefix=FIRES %s
# RUN: %appyc %s -w --emit=ir --disable-pass=vectorize-lanes | FileCheck %s
# RUN: %appyc %s -o - --remarks 2>&1 >/dev/null | FileCheck --check-prefix=WHY %s
# FIRES: unroll-updates: down{{$}}
from __future__ import annotations
import numpy as np


def down(a: f64[N, M], x: f64[N]):
    #pragma parallel for
    for j in range(a.shape[1]):
        last = 0.0
        for k in range(2, a.shape[0]):
            last = last * 0.5 + a[k, j]
            a[k, j] = last * x[k]
# CHECK: whole: i64 = max(N - 2, 0) // 4 * 4 + 2
# CHECK-NEXT: for k in range(2, whole, 4):  # serial
# CHECK-NEXT: a_row: f64 = a[
# CHECK-NEXT: a_row_1: f64 = a[
# CHECK-NEXT: a_row_2: f64 = a[
# CHECK-NEXT: a_row_3: f64 = a[
# CHECK-NEXT: last = last * 0.5 + a_row
# CHECK-NEXT: a_row = last * x[k]
# CHECK-NEXT: a[k, j] = a_row
# CHECK: for [[K:.*]] in range(whole, N, 1):  # serial
# WHY: unroll-updates.py:[[@LINE-13]]:9: remark: loads of 4 iterations of `k` come before their stores


# Another row is read, the same element is written again and again, a store is atomic, or nothing is read.
def row_before(a: f64[N, M]):
    #pragma parallel for
    for j in range(a.shape[1]):
        for k in range(1, a.shape[0]):
            a[k, j] += a[k - 1, j]
def one_element(a: f64[N, M]):
    #pragma parallel for
    for j in range(a.shape[1]):
        for k in range(a.shape[0]):
            a[0, j] = a[0, j] * 0.5 + k
def chosen(a: f64[N, M], rows: i64[N]):
    #pragma parallel for
    for j in range(a.shape[1]):
        for k in range(a.shape[0]):
            a[rows[k], j] += 1.0
def only_set(a: f64[N, M], b: f64[N, M]):
    #pragma parallel for
    for j in range(a.shape[1]):
        last = 0.0
        for k in range(a.shape[0]):
            last = last * 0.5 + b[k, j]
            a[k, j] = last
