# What a mask selects is not listed where loops over it need nothing but the points.
# RUN: %appyc %s --emit=ir --stop-after=run-where-selected -o - | FileCheck %s
# RUN: %appyc %s --emit=ir --stop-after=run-where-selected --disable-pass=run-where-selected -o - | FileCheck --check-prefix=OFF %s
from __future__ import annotations

import numpy as np


# CHECK-LABEL: def centres(
# CHECK-NOT: found
# CHECK: if label[{{.*}}] == c:
# CHECK-NEXT: count = count + 1
# CHECK: for {{.*}} in range(0, N, 1): # proven
# CHECK-NEXT: if label[{{.*}}] == c:
# CHECK-NEXT: total = total + x[{{.*}}, {{.*}}]
# OFF: found[count] =
def centres(x: f64[N, D], label: i64[N], out: f64[K, D]):
    for c in range(len(out)):
        members = x[label == c]
        if len(members) > 0:
            out[c] = members.mean(axis=0)


# Kept by the point, not by its number; one mask, one selection.
# CHECK-LABEL: def bounced(
# CHECK-NOT: found
# CHECK: kept[{{.*}}] = f[{{.*}}]
# CHECK: f[{{.*}}] = kept[{{.*}}]
def bounced(f: f64[9, H, W], wall: bool[H, W]):
    kept = f[:, wall]
    f *= 0.5
    f[:, wall] = kept


# The list is changed: it stays. The other one, which is not, goes.
# CHECK-LABEL: def changed(
# CHECK: found[count] = i
# CHECK: total_1: f64 = 0.0
# CHECK-NEXT: for {{.*}} in range(0, N, 1)
# CHECK-NEXT: if k[{{.*}}] != 0:
def changed(x: f64[N], k: i64[N]):
    first = np.flatnonzero(k)
    first[:1] = 0
    again = np.flatnonzero(k)
    return x[first].sum() + x[again].sum()


# What one selection keeps by number the next one stores elsewhere: it keeps its numbers.
# CHECK-LABEL: def selected_again(
# CHECK: found[count] = y
# CHECK: = found[
def selected_again(x: float, z: i64[N], y: i32[N]) -> f64:
    v2 = y > 1
    z = z[v2]
    y = y[v2]
    v5 = z > 1
    z, y = z[v5], y[v5]
    for j in range(1, 3):
        y = y[::2] + 1
        x += np.count_nonzero(v5)
    return x
