"""What steps find in elements that they count up follows from the steps before that have the same element."""
# RUN: %appyc %s -w --emit=fired | %where pass=take-turns | FileCheck --check-prefix=FIRES %s
# RUN: %appyc %s -w -o - --emit=ir --stop-after=take-turns | FileCheck %s
# RUN: %appyc %s -w -o - --remarks 2>&1 >/dev/null | FileCheck --check-prefix=WHY %s
# FIRES: take-turns: placed{{ *$}}

import numpy as np


# CHECK-LABEL: def placed
# CHECK: for i in range(0, N, 1):  # proven
# CHECK-NEXT: key[i] = wrap_index(k[i], M)
# CHECK: call order_row(in key[0], out order[0], N)
# CHECK: for [[P:p.*]] in range(0, N, 1):  # proven
# CHECK-NEXT: if [[P]] == 0 or key[order[[[P]]]] != key[order[max([[P]] - 1, 0)]]:
# CHECK-NEXT: first[key[order[[[P]]]]] = [[P]]
# CHECK: turn[order[[[Q:p.*]]]] = following[key[order[[[Q]]]]] + [[Q]] - first[key[order[[[Q]]]]]
# CHECK: following[key[order[[[R:p.*]]]]] = turn[order[[[R]]]] + 1
# CHECK: for [[I:i.*]] in range(0, N, 1):  # serial
# CHECK-NEXT: out[wrap_index(turn[[[I]]], N)] = x[[[I]]]
# WHY: take-turns.py:[[@LINE+3]]:5: remark: steps of `i` that count an element up are put in order by that element, so that each knows what it finds there
#appyc: def placed(k: i64[N], x: f64[N], following: i64[M], out: f64[N])
def placed(k, x, following, out):
    for i in range(len(x)):
        out[following[k[i]]] = x[i]
        following[k[i]] += 1


# Other elements are read as well; few steps; the element follows from what has been found.
#appyc: def neighbours(k: i64[N], x: f64[N], following: i64[M], out: f64[N])
def neighbours(k, x, following, out):
    for i in range(len(x)):
        out[following[k[i] - 1]] = x[i]
        following[k[i]] += 1


#appyc: def few(k: i64[16], x: f64[16], following: i64[M], out: f64[16])
def few(k, x, following, out):
    for i in range(16):
        out[following[k[i]]] = x[i]
        following[k[i]] += 1


#appyc: def led(k: i64[N], following: i64[M], out: i64[N])
def led(k, following, out):
    at = 0
    for i in range(len(k)):
        out[i] = following[at]
        following[at] += 1
        at = k[out[i]]
