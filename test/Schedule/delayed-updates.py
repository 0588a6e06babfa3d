# Steps that change all elements behind them, as steps that sum up what all earlier ones do: then they run in panels or blocks.
# RUN: %appyc %kernels_delayed.py -w --emit=fired | %where pass=block-panels | FileCheck --check-prefix=PANELS %s
# RUN: %appyc %kernels_delayed.py -w --emit=fired | %where pass=block-recurrences | FileCheck --check-prefix=BLOCKS %s
# RUN: %appyc %kernels_delayed.py --remarks --diagnostics-file=%t.remarks --print-after=block-panels --emit=stats -o %t.stats 2>%t.ir
# RUN: %lines %t.stats | FileCheck %s
# RUN: FileCheck --check-prefix=IR %s < %t.ir
# RUN: FileCheck --check-prefix=WHY %s < %t.remarks
# PANELS: block-panels: cholesky_lower cholesky_outer lu_by_rows lu_outer many_columns many_rows two_factors{{$}}
# BLOCKS: block-recurrences: solve_columns solve_up{{$}}

# Both triangles sum the same products: one for a panel. Right sides need no block on the diagonal.
# CHECK: function: cholesky_outer; kernels: 3;{{.*}} temporaries: 1;{{.*}} library calls: 1
# CHECK: function: cholesky_lower; kernels: 2;{{.*}} temporaries: 1;{{.*}} library calls: 1
# CHECK: function: lu_outer; kernels: 3;{{.*}} temporaries: 2;{{.*}} library calls: 2
# CHECK: function: many_rows; kernels: 1;{{.*}} temporaries: 1;{{.*}} library calls: 1

# The last panel may have fewer steps than the elements of right sides go through.
# IR-LABEL: def many_rows(
# IR: for first in range(0, N, 32):  # serial
# IR-NEXT: matmul sums[{{.*}} for r < K, c < min(32, N - first), k < first
# IR-NEXT: for [[I:.*]] in range(0, K, 1):  # proven
# IR: sums_here[{{.*}}] = sums[{{.*}}, [[I]]] if first + {{.*}} < N else 0.0
# IR: if first + [[S:.*]] < N:

# WHY: kernels_delayed.py:24:5: remark: runs in panels of 32 iterations
# WHY: kernels_delayed.py:24:5: remark: what each step does to all elements behind it waits for their own steps, which sum it up
