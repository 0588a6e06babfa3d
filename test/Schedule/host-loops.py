# Passes on loops of the host find them under branches, in other loops, downward, beside statements of others; and in loops of few parallel
# iterations, which the host then runs one by one.
# RUN: %appyc %kernels_nests.py -w --emit=fired | %where pass=block-recurrences,block-panels,block-updates,fuse-columns,owner-computes,interchange-loops,find-products,mask-operands | FileCheck %s
# RUN: %appyc %kernels_nests.py --emit=ir --stop-after=block-recurrences --remarks --diagnostics-file=%t.remarks | FileCheck --check-prefix=IR %s
# RUN: FileCheck --check-prefix=WHY %s < %t.remarks
# RUN: %appyc %s -w --emit=fired | FileCheck --check-prefix=ASKED %s
# RUN: %appyc %kernels_nests.py -w --target=sequential --stop-after=owner-computes -o /dev/null --no-wrapper
# Not where what stands beside or between reads and changes what the loop does (solve_and_use, between).
# CHECK: block-recurrences: leading_blocks solve_again solve_and_carry solve_batch solve_columns solve_if solve_two solve_until{{$}}
# CHECK-NEXT: block-panels: cholesky_batch cholesky_free_batch cholesky_if lu_down solve_columns{{$}}
# CHECK-NEXT: block-updates: lower_corner mirrored shortest_batch shortest_down shortest_down_up shortest_middle shortest_shifted{{$}}
# CHECK-NEXT: fuse-columns: rank_one_batch rank_ones_same_sizes{{$}}
# CHECK-NEXT: owner-computes: orthogonal_batch orthogonal_free_batch{{$}}
# CHECK-NEXT: interchange-loops: lu_down of_itself_down{{$}}
# CHECK-NEXT: find-products: product_down scaled_and_summed_down sums_down symmetric_again symmetric_down triangle_down{{$}}
# CHECK-NEXT: mask-operands: symmetric_again{{$}}

# IR-LABEL: def solve_batch(
# IR: if B <= 8:
# IR-NEXT: for p in range(0, B, 1):  # serial
# IR: for first in range(0, N, 64):
# IR: else:
# IR-NEXT: for p in range(0, B, 1):  # proven
# IR-NOT: first
# IR: {{^}}def 
# IR-LABEL: def solve_two(
# IR: for first in range(0, N, 64):
# IR: for i{{.*}} in range(0, N, 1):  # proven
# IR-NEXT: other[
# IR: for first{{.*}} in range(0, N, 64):
# WHY: kernels_nests.py:[[#]]:5: remark: the host runs loop `p` where it has at most 8 iterations [time-loop]
# WHY-NEXT: for p in range(L.shape[0]):


# The text wants this order.
# ASKED-NOT: block-
def as_asked(L: f64[N, N], x: f64[N], reps: i64):
    #pragma sequential for
    for rep in range(reps):
        for i in range(x.shape[0]):
            x[i] = (x[i] - L[i, :i] @ x[:i]) / L[i, i]
