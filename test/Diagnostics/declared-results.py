# A result of another type than the signature declares: what it is, what is declared, what to write.
# RUN: not %appyc %s -o - 2>&1 | FileCheck %s
import numpy as np


def largest(a: i32[N]) -> int:
    # CHECK: :[[@LINE-1]]:27: error: `largest` returns i32, and its signature declares i64 (Python's own); write `-> i32`, or convert it, `np.int64(...)` [bad-signature]
    s = np.int32(0)
    for i in range(a.shape[0]):
        s = max(s, a[i])
    return s
