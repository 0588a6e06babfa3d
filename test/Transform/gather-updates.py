# RUN: %appyc %s -w --print-after=gather-updates --stop-after=gather-updates -o /dev/null 2>&1 | FileCheck %s
# Of loops whose iterations update the same elements, the elements become a loop; an element is updated in the order that it was.
import numpy as np


# CHECK-LABEL: def convolved
# CHECK: for place in range(0, N + M - 1, 1):
# CHECK-NEXT: for i in range(max(0, place - M + 1), min(N, place + 1), 1):
# CHECK-NEXT: y[place] = y[place] + x[i] * h[place - i]
#appyc: def convolved(x: f64[N], h: f64[M], y: f64[K])
def convolved(x, h, y):
    for i in range(len(x)):
        for j in range(len(h)):
            y[i + j] += x[i] * h[j]


# Terms past the end of a series are left out by the inner loop's bound, which the elements then have.
# CHECK-LABEL: def series
# CHECK: for place in range(0, min(N + M - 2, N - 1) + 1, 1):
# CHECK-NEXT: for i in range(max(0, place - M + 1), min(N, place + 1), 1):
#appyc: def series(a: f64[N], b: f64[M], c: f64[N])
def series(a, b, c):
    for i in range(len(c)):
        for j in range(min(len(b), len(c) - i)):
            c[i + j] += a[i] * b[j]


# What the outer loop jumps by more than one, rounds.
# CHECK-LABEL: def stretched
# CHECK: for place in range(0, N * 2 + 1, 1):
# CHECK-NEXT: for i in range(max(0, -((2 - place) // 2)), min(N, place // 2 + 1), 1):
#appyc: def stretched(x: f64[N], h: f64[3], y: f64[K])
def stretched(x, h, y):
    for i in range(len(x)):
        for j in range(3):
            y[2 * i + j] += x[i] * h[j]


# Blocks share no element, and what reads others of the elements needs the order as it is.
# CHECK-LABEL: def blocks
# CHECK-NOT: place
#appyc: def blocks(x: f64[N], y: f64[N])
def blocks(x, y):
    for i in range(len(x) // 4):
        for j in range(4):
            y[4 * i + j] += x[i]
    for i in range(len(x) - 1):
        for j in range(2):
            y[i + j] += y[i]
