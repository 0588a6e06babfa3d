# Elements that wait for their neighbours: tiles by diagonals, and in a tile by diagonals.
# RUN: %appyc %s --emit=ir --stop-after=block-wavefronts -o - | FileCheck %s
# RUN: %appyc %s -o %t.cu --remarks 2>&1 | FileCheck %s --check-prefix=WHY
from __future__ import annotations


# CHECK-LABEL: def waits(
# CHECK: for diagonal in range(0, tiles_down + tiles_across - 1, 1): # serial
# CHECK: for tile in {{.*}}: # proven, simd(32)
# CHECK: for t in range(0, 63, 1): # serial
# CHECK: simd for r in range(0, 32, 1): # proven
# WHY: block-wavefronts.py:[[@LINE+2]]:5: remark: tiles of 32 x 32 elements of `i` and `j` run by diagonals, as do the elements of each
def waits(a: f64[M, N]):
    for i in range(1, a.shape[0]):
        for j in range(1, a.shape[1]):
            a[i, j] += 0.5 * a[i - 1, j] + 0.25 * a[i, j - 1]


# One to the right in the row before: rows start one later each.
# CHECK-LABEL: def skewed(
# CHECK: columns: i64 = N + rows
# CHECK: for diagonal in
def skewed(a: f64[M, N]):
    for i in range(1, a.shape[0]):
        for j in range(1, a.shape[1] - 1):
            a[i, j] += 0.5 * a[i - 1, j + 1] + 0.25 * a[i, j - 1]


# Too far.
# CHECK-LABEL: def far(
# CHECK-NOT: diagonal
# CHECK: return
def far(a: f64[M, N]):
    for i in range(1, a.shape[0]):
        for j in range(1, a.shape[1] - 4):
            a[i, j] += 0.5 * a[i - 1, j + 4] + 0.25 * a[i, j - 1]


# What is folded under the condition of what is stored is folded behind.
# CHECK-LABEL: def squares(
# CHECK: for diagonal in
# CHECK: best = max(best, a[
def squares(a: i64[M, N], g: i64[M, N]):
    best = 0
    for i in range(1, a.shape[0]):
        for j in range(1, a.shape[1]):
            if g[i, j] > 0:
                a[i, j] = 1 + min(a[i - 1, j], a[i, j - 1], a[i - 1, j - 1])
                best = max(best, a[i, j])
    return best


# A band that moves with the rows.
# CHECK-LABEL: def band(
# CHECK: for diagonal in
# CHECK: if max(1, {{.*}} - w) <= {{.*}} and {{.*}} < min(N, {{.*}} + w):
def band(a: f64[M, N], w: i64):
    for i in range(1, a.shape[0]):
        for j in range(max(1, i - w), min(a.shape[1], i + w)):
            a[i, j] += 0.5 * a[i - 1, j] + 0.25 * a[i, j - 1]
