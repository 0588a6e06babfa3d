# Which functions of the file stay functions, and what is said of the others.
# RUN: %appyc %s --emit=ir --stop-after=lower-to-loops | FileCheck %s
# RUN: %appyc %s -o - --remarks 2>&1 >/dev/null | FileCheck --check-prefix=SAID %s
# RUN: %appyc %s --emit=ir --stop-after=lower-to-loops --sanitize=arithmetic | FileCheck --check-prefix=CHECKED %s
from __future__ import annotations

import math

# CHECK: def smooth(x: f64) -> f64:
# CHECK-NEXT: # called
# CHECK-NEXT: k: f64 = 1.0 / (1.0 + absolute(x))
# CHECK-NEXT: if x < 0.0:
# CHECK-NEXT: return 1.0 - k
# CHECK-NEXT: return k
# CHECKED-NOT: # called


def smooth(x):
    # SAID: kept-functions.py:[[@LINE-1]]:5: remark: `smooth` stays a function
    k = 1.0 / (1.0 + abs(x))
    if x < 0.0:
        return 1.0 - k
    return k


def at(i, n):
    # SAID: [[@LINE-1]]:5: remark: `at` is inlined where it is called: subscripts may be made of what it gives
    return i * n


def root(x):
    # SAID: [[@LINE-1]]:5: remark: `root` is inlined where it is called: it may raise
    return math.sqrt(x)


def step(total, x):
    # SAID: [[@LINE-1]]:5: remark: `step` stays a function
    return total + x


def mean(x, n):
    # SAID: [[@LINE-1]]:5: remark: `mean` is inlined where it is called: a loop in it may run in parallel
    total = 0.0
    for k in range(n):
        total += x * (k + 1)
    return total


# CHECK: def calls(
def calls(a: f64[N], n: int) -> float:
    total = 0.0
    for i in range(n):
        # CHECK: a[i] = smooth(a[i]) + smooth(smooth(a[0]))
        a[i] = smooth(a[i]) + smooth(smooth(a[0]))
        a[at(i, 1)] += a[at(i, 1)] + root(a[i]) + root(2.0) + mean(a[i], n) + mean(a[0], n)
    for i in range(n):
        # CHECK: total = total + x
        total = step(total, a[i])
    # CHECK: step(total, smooth(a[0]))
    return step(total, smooth(a[0]))
