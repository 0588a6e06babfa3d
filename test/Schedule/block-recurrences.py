# Rows that sum over all rows before them run in blocks: a block's own rows by one worker, what it gives to later rows by all.
# RUN: %appyc %kernels_recurrences.py -w --emit=fired | %where pass=block-recurrences | FileCheck --check-prefix=FIRES %s
# RUN: %appyc %kernels_recurrences.py -w --emit=fired --target=cpu | %where pass=block-recurrences | FileCheck --check-prefix=NOT %s
# RUN: %appyc %s -w --emit=fired | %where pass=block-recurrences | FileCheck --check-prefix=NOT %s
# RUN: %appyc %kernels_recurrences.py --emit=stats --print-after=block-recurrences --remarks --diagnostics-file=%t.remarks -o %t.stats 2>%t.ir
# RUN: %lines %t.stats | FileCheck %s
# RUN: FileCheck --check-prefix=IR %s < %t.ir
# RUN: FileCheck --check-prefix=WHY %s < %t.remarks
# RUN: %appyc %kernels_recurrences.py -w --emit=ir | FileCheck --check-prefix=MAPPED %s
# RUN: %appyc %kernels_recurrences.py -w --target=sequential --stop-after=block-recurrences -o /dev/null --no-wrapper
# Not where the terms read what later rows write, what is written is read by other rows, or sizes are open.
# FIRES: block-recurrences: backward backward_by_columns backward_of_slices in_place index_of_row longest of_complex pairs result_is_index several solve solve_loops solve_open solve_open_same_sizes solve_special{{$}}
# NOT: block-recurrences:{{$}}

# One launch a block of rows. With a division a barrier more, before the rows run again where it cannot be prepared.
# CHECK: function: solve; kernels: 1; launches: 0; launches in host loops: 1;{{.*}} collectives: 2;{{.*}} temporaries: 1;
# CHECK: kernel: solve_kernel; launch: overlapping;{{.*}} shared bytes: 40449; barriers: 6; barriers of folds: 0
# CHECK: kernel: pairs_kernel; launch: overlapping;{{.*}} shared bytes: 21760; barriers: 4; barriers of folds: 0
# CHECK: function: reads_ahead; kernels: 1; launches: 1; launches in host loops: 0;

# The next 64 rows take what the block before left first: no load waits for another.
# IR-LABEL: def solve(
# IR: for first in range(0, N, 64):  # serial
# IR: for lane in range(0, 512, 1):  # proven, simd(512)
# IR-NEXT: row: i64 = min(first + lane // 8, N - 1)
# IR-NEXT: sums_row: f64 = sums[row] if lane % 8 == 0 else 0.0
# IR: L_tile[
# IR: part = part + (L[row, {{.*}} if first > 0 else 0.0)
# Eight rows at a time, by each lane for itself; nothing is stored until their results are there.
# IR: for i{{.*}} in range(0, rows, 8):  # serial, num_warps(1)
# IR: for lane{{.*}} in range(0, 32, 1):  # proven
# IR: exact: bool = True
# IR: for [[J:j.*]] in range(0, 8, 1):  # serial, unroll
# IR-NEXT: total{{.*}} = sums_here[[[I:.*]] + [[J]]]
# IR-NEXT: for e{{.*}} in range(0, 8, 1):  # serial, unroll
# IR-NEXT: if e{{.*}} < [[J]]:
# IR: value[[[J]]] =
# IR: ahead{{.*}} = ahead{{.*}} + L_tile[{{.*}}] * value[
# IR-NEXT: if {{.*}} >= [[I]] + 8:
# IR: if not exact:
# IR-NEXT: again[0] = True
# IR: if again[0]:
# IR-NEXT: for i{{.*}} in range(0, rows, 1):  # serial, num_warps(1)
# What the block before left is added to the rows behind, two rows at a time.
# IR: for [[R:.*]] in range(first + 64, N, 2):  # proven
# IR-NEXT: if first > 0:
# IR: for k in range(first - 64, first, 1):  # proven, sum(total{{.*}}), sum(total
# IR: if [[R]] + 1 < N:

# No division, and terms of two tiles: blocks of 32 rows.
# IR-LABEL: def pairs(
# IR: for first in range(0, N, 32):  # serial
# IR-NOT: exact
# IR-LABEL: def several(
# Where a row stores depends on what it computes: one row at a time.
# IR-LABEL: def result_is_index(
# IR: for first in range(0, N, 64):  # serial
# IR: for i{{.*}} in range(0, rows, 1):  # serial, num_warps(1)
# From the last row up: rows are counted from there.
# IR-LABEL: def backward(
# IR: for first in range(0, N, 64):  # serial
# IR: x[N - first - i{{.*}} - 1] = value

# The rows in the first block, by its first warp; what is left of the block before in the others.
# MAPPED-LABEL: kernel solve_kernel(
# MAPPED-NEXT: only the first block:
# MAPPED: only the first warp of a block:
# MAPPED-NEXT: for i{{.*}} in range(0, rows, 8):
# MAPPED: others:
# MAPPED-NEXT: for r{{.*}} in range(first + 64, N, 2):  # proven, bind=warp.x, first_block=1

# WHY: kernels_recurrences.py:[[#]]:5: remark: runs in blocks of 64 iterations
# WHY-NEXT: for i in range(x.shape[0]):
# WHY: runs beside the kernel of one block before it, in one launch
# WHY: remark: runs in blocks of 32 iterations
from __future__ import annotations
import numpy as np


# The order is asked for.
def asked_for(L: f64[N, N], x: f64[N]):
    #pragma sequential for
    for i in range(x.shape[0]):
        x[i] -= L[i, :i] @ x[:i]
