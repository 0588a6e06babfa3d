"""Steps that wait for the one a distance before are as many chains as that."""
# RUN: %appyc %s -w --emit=fired | %where pass=split-chains | FileCheck --check-prefix=FIRES %s
# RUN: %appyc %s -w -o - --emit=ir --stop-after=split-chains | FileCheck %s
# FIRES: split-chains: {{(partitions change|change partitions)}}{{ *$}}

import numpy as np


# CHECK-LABEL: def partitions
# CHECK: for r in range(0, min(k, n - k), 1):  # proven
# CHECK-NEXT: last: i64 = p[r]
# CHECK-NEXT: for s in range(k + r, n, k):  # serial
# CHECK-NEXT: last = p[s] + last
# CHECK-NEXT: p[s] = last
#appyc: def partitions(p: i64[n])
def partitions(p):
    for k in range(1, len(p)):
        for s in range(k, len(p)):
            p[s] += p[s - k]


# What the data say is asked for.
# CHECK-LABEL: def change
# CHECK: [[D:bound.*]]: i64 = c[k]
# CHECK-NEXT: if [[D]] >= 1:
# CHECK-NEXT: for r in range(0, min([[D]], n - [[D]]), 1):  # proven
# CHECK: else:
# CHECK-NEXT: for t in range([[D]], n, 1):  # serial
#appyc: def change(c: i64[m], d: i64[n])
def change(c, d):
    for k in range(len(c)):
        for t in range(c[k], len(d)):
            d[t] = min(d[t], d[t - c[k]] + 1)


# Two distances; one that changes; what is counted on the way.
#appyc: def others(p: i64[n], k: i64)
def others(p, k):
    for s in range(2 * k, len(p)):
        p[s] += p[s - k] + p[s - 2 * k]
    for s in range(k, len(p)):
        p[s] += p[s - s // 2]
    hits = 0
    for s in range(k, len(p)):
        hits += p[s - k]
        p[s] = p[s - k] + hits
