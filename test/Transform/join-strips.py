# RUN: %appyc %s -w --print-after=join-strips --stop-after=join-strips -o /dev/null 2>&1 | FileCheck %s
# Strips are one loop, however they are written.
import numpy as np


# CHECK-LABEL: def summed
# CHECK: for s in range(0, N, 1):  # proven, sum(total)
# CHECK-NEXT: total = total + x[s]
#appyc: def summed(x: f64[N]) -> f64
def summed(x):
    total = 0.0
    for s in range(0, len(x), 1000):
        total += x[s:s + 1000].sum()
    return total


# CHECK-LABEL: def copied
# CHECK: for s in range(2, N, 1):
# CHECK-NEXT: y[s] = 2.0 * x[s]
#appyc: def copied(x: f64[N], y: f64[N])
def copied(x, y):
    for s in range(2, len(x), 64):
        for k in range(s, min(s + 64, len(x))):
            y[k] = 2 * x[k]


# Not where a strip leaves some out, or needs its own first element.
# CHECK-LABEL: def halves
# CHECK: range(0, N, 8)
# CHECK: range(0, N, 4)
#appyc: def halves(x: f64[N], y: f64[N])
def halves(x, y):
    for s in range(0, len(x), 8):
        y[s:s + 4] = x[s:s + 4]
    for s in range(0, len(x), 4):
        y[s:s + 4] = x[s:s + 4] - x[s]
