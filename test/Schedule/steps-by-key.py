"""Steps that share nothing but elements which the data choose run by a thread each element, in order."""
# RUN: %appyc %s -w --emit=fired | %where pass=steps-by-key | FileCheck --check-prefix=FIRES %s
# RUN: %appyc %s -w -o - --emit=ir --stop-after=steps-by-key | FileCheck %s
# RUN: %appyc %s -w -o - --remarks 2>&1 >/dev/null | FileCheck --check-prefix=WHY %s
# FIRES: steps-by-key: nearest{{ *$}}

import numpy as np


# CHECK-LABEL: def nearest
# CHECK: for [[P:p.*]] in range(0, N, 1):  # proven
# CHECK-NEXT: if [[P]] == 0 or key[order[[[P]]]] != key[order[max([[P]] - 1, 0)]]:
# CHECK-NEXT: q: i64 = [[P]]
# CHECK-NEXT: while q < N and key[order[q]] == key[order[[[P]]]]:
# CHECK-NEXT: [[I:i.*]]: i64 = order[q]
# CHECK-NEXT: if d[[[I]]] < best[wrap_index(k[[[I]]], M)]:
# CHECK: q = q + 1
# WHY: steps-by-key.py:[[@LINE+3]]:5: remark: steps of `i` that share nothing but an element which the data choose are put in order by it: a thread for each element
#appyc: def nearest(k: i64[N], d: f64[N], best: f64[M], who: i64[M])
def nearest(k, d, best, who):
    for i in range(len(d)):
        if d[i] < best[k[i]]:
            best[k[i]] = d[i]
            who[k[i]] = i


# Two elements in a step; one that the step's number tells; what the step before has found.
#appyc: def relaxed(a: i64[N], b: i64[N], level: f64[M])
def relaxed(a, b, level):
    for i in range(len(a)):
        if level[a[i]] > level[b[i]]:
            level[a[i]] = level[b[i]]


#appyc: def carried(k: i64[N], d: f64[N], best: f64[M])
def carried(k, d, best):
    before = 0.0
    for i in range(len(d)):
        if d[i] < best[k[i]]:
            before = before * 0.5 + best[k[i]]
            best[k[i]] = d[i] + before
