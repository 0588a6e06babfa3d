# Elements that sum products over all earlier columns run in panels: a matrix product, a tile on chip, elements behind it.
# RUN: %appyc %kernels_panels.py -w --emit=fired | %where pass=block-panels | FileCheck --check-prefix=FIRES %s
# RUN: %appyc %kernels_panels.py -w --emit=fired --target=cpu | %where pass=block-panels | FileCheck --check-prefix=NOT %s
# RUN: %appyc %s -w --emit=fired | %where pass=block-panels | FileCheck --check-prefix=NOT %s
# RUN: %appyc %kernels_panels.py --emit=stats --print-after=block-panels --remarks --diagnostics-file=%t.remarks -o %t.stats 2>%t.ir
# RUN: %lines %t.stats | FileCheck %s
# RUN: FileCheck --check-prefix=IR %s < %t.ir
# RUN: FileCheck --check-prefix=WHY %s < %t.remarks
# RUN: %appyc %kernels_panels.py -w --emit=stats --no-library | %lines | FileCheck --check-prefix=TILES %s
# RUN: %appyc %kernels_panels.py -w --target=sequential --stop-after=block-panels -o /dev/null --no-wrapper
# FIRES: block-panels: cholesky cholesky_in_steps from_second lu symmetric_of_complex{{$}}
# NOT: block-panels:{{$}}

# The panel's own elements in one block, three barriers a column; those behind it without any. Two parts of LU: two products.
# CHECK: function: cholesky; kernels: 2; launches: 0; launches in host loops: 2;{{.*}} temporaries: 1;{{.*}} library calls: 1
# CHECK-NEXT: kernel: cholesky_A; launch: overlapping;{{.*}} shared bytes: 16640; barriers: 3; barriers of folds: 0
# CHECK-NEXT: kernel: cholesky_A_1; launch: overlapping;{{.*}} shared bytes: 0; barriers: 0; barriers of folds: 0
# CHECK: function: lu; kernels: 3; launches: 0; launches in host loops: 3;{{.*}} temporaries: 2;{{.*}} library calls: 2
# CHECK-NEXT: kernel: lu_A; launch: overlapping;{{.*}} shared bytes: 24832; barriers: 3;
# TILES: function: cholesky; kernels: 2;{{.*}} library calls: 0
# TILES-NOT: library calls: {{[1-9]}}

# What a column gives to later ones is added as soon as it is done; nothing above the diagonal is written.
# IR-LABEL: def cholesky(
# IR: for first in range(0, N, 32):  # serial
# IR-NEXT: matmul sums[{{.*}} for r < N - first, c < min(32, N - first), k < first
# IR: A_tile: f64[32, 33]  # on chip
# IR: for s in range(0, rows, 1):  # serial
# IR: A_tile[s, s] = sqrt(
# IR: for r in range(0, 32, 1):  # proven
# IR-NEXT: if r > s and r < rows:
# IR: for [[C:.*]] in range(0, 1024, 1):  # proven
# IR-NEXT: if s < [[C]] // 32
# IR-NEXT: sums_here[{{.*}}] = sums_here[{{.*}}] + A_tile[{{.*}}, s] * A_tile[{{.*}}, s]
# IR: if [[C:.*]] % 32 <= [[C]] // 32 and first + [[C]] // 32 < N:
# IR-NEXT: A[first + [[C]] // 32, first + [[C]] % 32] = A_tile[
# IR: for i in range(first + 32, N, 1):  # proven
# IR: A[i, first + [[S:.*]]] = [[VALUE:.*]]
# IR: if [[S]] < [[C:.*]]:
# IR-NEXT: sums_here{{.*}} + [[VALUE]] * A[first + [[C]], first + [[S]]]
# IR-LABEL: def cholesky_in_steps(

# WHY: kernels_panels.py:[[#]]:5: remark: runs in panels of 32 iterations
# WHY-NEXT: for j in range(A.shape[0]):
from __future__ import annotations
import numpy as np


# The text asks for order.
def asked_for(A: f64[N, N]):
    #pragma sequential for
    for j in range(A.shape[0]):
        A[j, j] = np.sqrt(A[j, j] - A[j, :j] @ A[j, :j])
        for i in range(j + 1, A.shape[0]):
            A[i, j] = (A[i, j] - A[i, :j] @ A[j, :j]) / A[j, j]
