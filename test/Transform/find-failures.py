# Loops that store into the caller's arrays and raise run in any order up to the first iteration that fails; where checks ask for
# what other iterations have stored, in order.
# RUN: %appyc %s --stop-after=prove-parallel --emit=ir -w -o - | FileCheck %s
# RUN: %appyc %s -w --emit=fired | %where pass=find-failures | FileCheck --check-prefix=FIRES %s
# RUN: %appyc %s -w --remarks -o %t.cu 2>&1 | FileCheck --check-prefix=WHY %s
# FIRES: find-failures: in_place rows scanned{{ *$}}
import numpy as np


# WHY: find-failures.py:[[@LINE+2]]:5: remark: which iteration of loop `i` raises first is found before it, and those up to it run in any order
def rows(a: f64[M, N], out: f64[M, N], seen: i64[1]):
    for i in range(a.shape[0]):
        for j in range(a.shape[1]):
            if a[i, j] < 0:
                seen[0] = i
                raise ValueError(f"negative value {a[i, j]} at {i}, {j}")
            out[i, j] = np.sqrt(a[i, j])
# CHECK-LABEL: def rows(
# CHECK: first: i64 = max(0, M)
# CHECK-NEXT: for i in range(0, M, 1):  # proven, min(first)
# CHECK-NEXT: for j in range(0, N, 1):  # proven, min(first)
# CHECK-NEXT: if a[i, j] < 0.0:
# CHECK-NEXT: first = min(first, i)
# CHECK-NEXT: for i{{.*}} in range(0, first, 1):  # proven
# CHECK-NEXT: for j{{.*}} in range(0, N, 1):  # proven
# CHECK-NEXT: out[
# CHECK-NEXT: if first < M:
# CHECK-NEXT: for [[J:.*]] in range(0, N, 1):
# CHECK-NEXT: if a[first, [[J]]] < 0.0:
# CHECK: seen[0] = first
# CHECK: require False


def in_place(a: f64[N]):
    for i in range(a.shape[0]):
        assert a[i] >= 0
        a[i] = np.sqrt(a[i])
# CHECK-LABEL: def in_place(
# CHECK: for i in range(0, N, 1):  # proven, min(first)
# CHECK: for i{{.*}} in range(0, first, 1):  # proven


def of_the_next(a: f64[N]):
    for i in range(a.shape[0] - 1):
        assert a[i + 1] >= 0
        a[i] = np.sqrt(a[i + 1])
# CHECK-LABEL: def of_the_next(
# CHECK-NOT: first
# CHECK: serial


def of_what_is_stored(a: f64[N], b: f64[N]):
    for i in range(a.shape[0]):
        a[i] = a[i] - b[i]
        assert a[i] >= 0
# CHECK-LABEL: def of_what_is_stored(
# CHECK-NOT: first
# CHECK: serial


# The scan is a loop without checks then.
def scanned(a: f64[N], out: f64[N]):
    total = 0.0
    for i in range(a.shape[0]):
        if a[i] < 0:
            raise ValueError("negative value")
        total += a[i]
        out[i] = total
# CHECK-LABEL: def scanned(
# CHECK: if a[i] < 0.0:
# CHECK-NEXT: first = min(first, i)
# CHECK-NEXT: for [[I:.*]] in range(0, first, 1):  # serial
# CHECK-NEXT: total = total + a[[[I]]]
