# A constant that is none is an error, even where a first attempt at a loop, which needed other types, has met it.
# RUN: not %appyc %s -o - 2>&1 | FileCheck %s
import numpy as np

W = np.array([1.0, 2.0])
W[0] = 3.0


#appyc: def total(a: f64[N])
def total(a):
    s = 0
    for i in range(a.shape[0]):
        a[0] += W[0]
        s += a[i]
    return s
# CHECK: :[[@LINE-3]]:17: error: `W` of this file is no constant to appyc: line 6 may change what it stands for
