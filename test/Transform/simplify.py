# What constants decide is gone before loops are judged; a branch with nothing in its first half asks the opposite.
# RUN: %appyc %s --no-versions --emit=ir --stop-after=simplify -o - | FileCheck %s
# RUN: %appyc %s --no-versions --emit=ir --stop-after=simplify --disable-pass=simplify -o - | FileCheck --check-prefix=OFF %s
from __future__ import annotations
import numpy as np


def never(a: f64[N]):
    for j in range(0):
        a[:] = 1.0
    a *= 2.0
# CHECK-LABEL: def never(
# CHECK-NOT: range(0, 0
# CHECK: * 2.0
# OFF-LABEL: def never(
# OFF: range(0, 0


def positive(a: f64[N], n: i64):
    for i in range(a.shape[0]):
        if a[i] < 0.0:
            continue
        if n > 3:
            pass
        else:
            a[i] = np.sqrt(a[i])
# CHECK-LABEL: def positive(
# CHECK: if not a[i] < 0.0:
# CHECK-NEXT: if n <= 3:
# CHECK-NOT: else
# OFF-LABEL: def positive(
# OFF: else


def asked_twice(a: f64[N]):
    if a[0] > 1.0:
        pass
    a[0] = 2.0
# CHECK-LABEL: def asked_twice(
# CHECK-NOT: if
# CHECK: a[0] = 2.0


# A counter that begins at 0 and grows by one is no subscript from the end; one that shrinks may be.
def counted(a: f64[N]):
    n, k = 0, 3
    for i in range(a.shape[0] - 3):
        if a[i] > 0.5:
            a[n] = a[k]
            n += 1
            k -= 1
# CHECK-LABEL: def counted(
# CHECK: a[n] = a[k + N if k < 0 else k]
# OFF-LABEL: def counted(
# OFF: a[n + N if n < 0 else n] =


# What a branch leaves for a copy it sets by itself.
def chosen(a: f64[N]):
    best, pair = 1.0, (0, 0)
    for i in range(a.shape[0]):
        for j in range(i):
            if a[i] * a[j] < best:
                best, pair = a[i] * a[j], (i, j)
    return best, pair[0], pair[1]
# CHECK-LABEL: def chosen(
# CHECK: if a[i] * a[j] < best:
# CHECK: item_0 = i
# CHECK-NEXT: item_1 = j
# CHECK-NEXT: result


# What changes nothing is carried by nothing.
def unchanged(a: f64[N]):
    count = 0
    #pragma parallel for
    for i in range(a.shape[0]):
        count += 0
        a[i] = count
    return count
# CHECK-LABEL: def unchanged(
# CHECK: parallel for i in range(0, N, 1):
# CHECK-NEXT: a[i] =


# Where a branch did not run a name has what it had before; nobody asks for that, as each branch behind it sets its own.
def meeting(x: f64[N], out: f64[N]):
    for i in range(x.shape[0]):
        for d in (-1, 1, 2):
            j = i + d
            if 0 <= j < x.shape[0]:
                step = np.sqrt(abs(x[j] - x[i]))
                out[i] += 1.0 / (1.0 + step)
# CHECK-LABEL: def meeting(
# CHECK-NOT: else:
# CHECK: return
# OFF-LABEL: def meeting(
# OFF: else:
# OFF-NEXT: step{{.*}} = step
