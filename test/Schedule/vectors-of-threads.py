# RUN: not %appyc %s -o %t.cu 2>&1 | FileCheck %s --check-prefix=LARGE
# RUN: sed 's/4096/256/g' %s > %t.py && %appyc %t.py --emit=ir | FileCheck %s
# A named vector whose end is loaded has no place by the iteration: each thread has a small one for itself.
from __future__ import annotations
import appy


# CHECK: cols: i64[256]  # on chip
# LARGE: :[[@LINE+8]]:13: error: temporary array of varying size inside a parallel loop; write into an array made before the loop, or one of at most 256 elements here
def sums(ptr: i64[M1], col: i64[Z], val: f64[Z], x: f64[N], y: f64[M]):
    #pragma parallel for
    for i in range(y.shape[0]):
        y[i] = 0.0
        #pragma simd
        for j in range(ptr[i], ptr[i + 1], 4096):
            v = appy.vidx(j, 4096, bound=ptr[i + 1])
            cols = col[v]
            m = appy.sum(val[v] * x[cols])
            y[i] += appy.sum(x[cols] * m)
