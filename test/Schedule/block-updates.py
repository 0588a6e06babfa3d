# A square updated by its own row and column each step takes 32 steps in one pass: the tiles on them first.
# RUN: %appyc %kernels_updates.py -w --emit=fired | %where pass=block-updates | FileCheck --check-prefix=FIRES %s
# RUN: %appyc %kernels_updates.py -w --emit=fired --target=cpu | %where pass=block-updates | FileCheck --check-prefix=NOT %s
# RUN: %appyc %s -w --emit=fired | %where pass=block-updates | FileCheck --check-prefix=NOT %s
# RUN: %appyc %kernels_updates.py --emit=stats --print-after=block-updates --remarks --diagnostics-file=%t.remarks -o %t.stats 2>%t.ir
# RUN: %lines %t.stats | FileCheck %s
# RUN: FileCheck --check-prefix=IR %s < %t.ir
# RUN: FileCheck --check-prefix=WHY %s < %t.remarks
# RUN: %appyc %kernels_updates.py -w --target=sequential --stop-after=block-updates -o /dev/null --no-wrapper
# Not where what is read is of another step, or the square grows smaller.
# FIRES: block-updates: by_columns by_rows complex_both guarded in_order_early in_order_late inside outer_products reached shortest shortest_open_same_sizes{{$}}
# NOT: block-updates:{{$}}

# The tile where rows and columns meet, with one barrier a step; the other tiles of the rows and columns; the rest of the square.
# CHECK: function: shortest; kernels: 3; launches: 0; launches in host loops: 3;{{.*}} temporaries: 2;{{.*}} graphs: 1;
# CHECK-NEXT: kernel: shortest_path;{{.*}} shared bytes: 8448; barriers: 1;
# CHECK-NEXT: kernel: shortest_path_1;{{.*}} shared bytes: 8448; barriers: 2;
# CHECK-NEXT: kernel: shortest_path_2;{{.*}} shared bytes: 16640; barriers: 1;

# Each cell in a register, lines passed on when they are made.
# IR-LABEL: def shortest(
# IR: for first in range(0, N, 32):  # serial
# IR: path_own: i32[1024, 1]  # on chip
# IR: for s in range(0, min(32, N - first), 1):  # serial
# IR: path_own[lane, 0] = min(path_own[lane, 0], column_here[s, lane // 32] + row_here[s, lane % 32])
# IR-NEXT: if lane % 32 == s + 1:
# IR-NEXT: column_here[s + 1, lane // 32] = path_own[lane, 0]
# IR: for side in range(0, 2, 1):  # proven
# IR: if side == 0:
# IR: rows[{{.*}}, base + lane % 32] = line_here[
# IR: else:
# IR: columns[base + {{.*}}, lane % 32] = line_here[
# All other elements, 8 x 2 a lane.
# IR: value: i32[8, 2]  # on chip
# IR: for [[S:.*]] in range(0, min(32, N - first), 1):  # serial
# IR: value[r, c] = min(value[r, c], columns_tile[[[S]], {{.*}} + rows_tile[[[S]], {{.*}})

# Loops in order: both lines as they are, and as they become; each cell makes what it reads behind or below them anew.
# IR-LABEL: def in_order_late(
# IR: corner_after: f64 =
# IR: column_now: f64 = in_column if first + lane % 32 <= first + s else
# IR: columns_tile[{{.*}}] = columns_1[{{.*}}] if {{.*}} > first + 32 else columns[

# WHY: kernels_updates.py:[[#]]:5: remark: runs in blocks of 32 iterations
# WHY-NEXT: for k in range(path.shape[0]):
from __future__ import annotations
import numpy as np


# The order is asked for.
def asked_for(a: f64[N, N]):
    #pragma sequential for
    for k in range(a.shape[0]):
        a[:] = np.minimum(a, a[:, k, None] + a[k])
