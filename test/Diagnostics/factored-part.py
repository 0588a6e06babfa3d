# A matrix of which only a step of a loop tells the size: it ended in an internal error.
# RUN: not %appyc %s --target=cpu -o - 2>&1 | FileCheck %s
import numpy as np


def fitted(X: f64[N, 3], y: f64[N], k: int):
    s = 0.0
    for i in range(k):
        t = np.concatenate([np.arange(i), np.arange(2)])
        s += np.linalg.lstsq(X[t], y[t], rcond=None)[0].sum()
    return s
# CHECK: :[[@LINE-2]]:14: error: `np.linalg.lstsq`: a matrix of which only a step of a loop tells the size is not factored there; write the loop in the caller
