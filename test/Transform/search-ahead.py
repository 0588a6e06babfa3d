# Places that a loop moves on through what is sorted are searched for by each step, and are running maxima.
# RUN: %appyc %s -w --emit=ir --stop-after=search-ahead -o - | FileCheck %s
# RUN: %appyc %s -w --emit=fired | %where pass=search-ahead | FileCheck --check-prefix=FIRES %s
# FIRES: search-ahead: both_ends less{{$}}
import numpy as np


def less(a: i64[N], b: i64[M]):
    j = total = 0
    for i in range(len(a)):
        while j < len(b) and b[j] < a[i]:
            j += 1
        total += j
    return total
# CHECK-LABEL: def less(
# CHECK: for p in range(0, M - 1, 1):
# CHECK-NEXT: falls = falls + (0 if b[p] <= b[p + 1] else 1)
# CHECK: if falls == 0:
# CHECK: while least < most:
# CHECK-NEXT: middle: i64 = (least + most) // 2
# CHECK: ahead[i{{.*}}] = least
# CHECK: j = max(j, ahead[i{{.*}}])
# CHECK: total = total + j_1
# CHECK: else:
# CHECK: while go_on:


# A bound that steps move, and a difference that gets less.
def both_ends(t: f64[N], w: f64):
    lo = hi = most = 0
    for i in range(len(t)):
        while lo < i and t[i] - t[lo] > w:
            lo += 1
        while hi < len(t) and t[hi] <= t[i] + w:
            hi += 1
        most = max(most, hi - lo)
    return most
# CHECK-LABEL: def both_ends(
# CHECK: lo = max(lo, ahead[
# CHECK: hi = max(hi, ahead_1[


# What is read before it moves on, moves elsewhere, or through what the loop stores; what does not hold up to some place.
def others(a: i64[N], b: i64[N]):
    j = k = m = n = s = 0
    for i in range(len(a)):
        s += j
        while j < len(b) and b[j] < a[i]:
            j += 1
    for i in range(len(a)):
        while k < len(b) and b[k] < a[i]:
            k += 1
        if a[i] == 3:
            k += 1
    for i in range(len(a)):
        while m < len(b) and b[m] < a[i]:
            m += 1
        b[i] = m
    for i in range(len(a)):
        while n < len(b) and b[n] != a[i]:
            n += 1
    return s, k, m, n
# CHECK-LABEL: def others(
# CHECK-NOT: ahead
