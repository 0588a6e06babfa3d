# A flag that a loop raises is a fold, and the loop parallel; what the loop reads, or sets to two values, is none.
# RUN: %appyc %s -w --emit=fired | %where pass=collect-flags | FileCheck --check-prefix=FIRES %s
# RUN: %appyc %s --remarks -o %t.cu 2>&1 | FileCheck %s
# FIRES: collect-flags: raised{{$}}
from __future__ import annotations
import numpy as np


def raised(x: f64[N]):
    found = False
    for i in range(len(x)):
        if x[i] < 0:
            found = True
    return found
# CHECK: [[#@LINE-4]]:5: remark: the reduction runs as up to 1024 chunks


def two(x: f64[N]):
    kind = 0
    for i in range(len(x)):
        if x[i] < 0:
            kind = 1
        elif x[i] > 1:
            kind = 2
    return kind
# CHECK: [[#@LINE-6]]:5: remark: loop `i` runs in chunks where it is long
