# Steps of which each slice of a matrix takes what the step's own one has become: one launch, a block for each slice, which
# keeps it on chip; the step's owner posts the step, the others wait for it.
# RUN: %appyc %kernels_owners.py -w --emit=fired --disable-pass=block-panels | %where pass=owner-computes | FileCheck --check-prefix=FIRES %s
# RUN: %appyc %kernels_owners.py -w --emit=fired --target=cpu | %where pass=owner-computes | FileCheck --check-prefix=NOT %s
# RUN: %appyc %kernels_owners.py --emit=stats --print-after=owner-computes --remarks --diagnostics-file=%t.remarks -o %t.stats 2>%t.ir
# RUN: %lines %t.stats | FileCheck %s
# RUN: FileCheck --check-prefix=IR %s < %t.ir
# RUN: FileCheck --check-prefix=WHY %s < %t.remarks
# RUN: %appyc %kernels_owners.py -w --target=sequential --stop-after=owner-computes -o /dev/null --no-wrapper
# RUN: printf '[orthonormal."for k in range(A.shape[1]):"]\nlaunch = "steps"\nlanes = 64\n' > %t.steps
# RUN: %appyc %kernels_owners.py -w --emit=stats --schedule=%t.steps | %lines | FileCheck --check-prefix=STEPS %s
# RUN: printf '[eliminated."for k in range(A.shape[0]):"]\nlaunch = "resident"\nlanes = 64\n' > %t.resident
# RUN: %appyc %s -w --emit=fired | %where pass=owner-computes | FileCheck --check-prefix=NOT %s
# RUN: %appyc %s -w --emit=ir --schedule=%t.resident | FileCheck --check-prefixes=CHOSEN,LANES %s
# RUN: %appyc %s -w --emit=ir --schedule=%t.resident --disable-pass=batch-lanes | FileCheck --check-prefixes=CHOSEN,ONE %s
# Not where the owner of the next step has not waited in this one, a slice reads another one, or what all read is overwritten.
# FIRES: owner-computes: by_rows eliminated eliminated_with_temporary eliminated_with_temporary_same_sizes factorised factorised_symmetric from_the_second orthonormal orthonormal_but_last orthonormal_in_place reads_an_earlier_step reflected repeated slices_of_planes turned_within two_arrays upper_part_of_new{{$}}
# NOT: owner-computes:{{$}}

# Two arrays are published or kept: Q's columns in memory, slice by slice, A's on chip. No barrier but those of the sums.
# CHECK: function: orthonormal; kernels: 6; launches: 0; launches in host loops: 6;
# CHECK: kernel: orthonormal_A_Q_R; launch: resident;{{.*}} shared bytes: M * 8; barriers: 0; barriers of folds: 2;
# STEPS: function: orthonormal;
# STEPS-NOT: launch: resident
# STEPS: function: orthonormal_in_place

# IR-LABEL: def orthonormal(
# IR: at_once: i64 = resident_blocks(128, 1024, (M * 8 + 15) // 16 * 16)
# IR-NEXT: if at_once > 0:
# IR: Q_slices: f64[N, M]
# IR: for wave in range(0, (N + at_once - 1) // at_once, 1):  # serial
# IR-NEXT: first: i64 = wave * at_once
# IR-NEXT: end: i64 = min(first + at_once, N)
# IR-NEXT: for [[J:.*]] in range(first, end, 1):  # proven, simd(128), resident
# IR-NEXT: A_own: f64[M]  # on chip
# IR: A_own[[[I:.*]]] = A[[[I]], [[J]]]
# IR: if [[J]] == first and first > 0:
# IR-NEXT: post(progress, first - 1)
# IR: for k in range(0, N, 1):  # serial
# IR-NEXT: if [[J]] == k:
# IR: Q_slices[k, [[I:.*]]] = A_own[[[I]]] / R_element
# IR-NEXT: post(progress, k)
# IR-NEXT: if k + 1 <= [[J]]:
# IR-NEXT: wait(progress, k)
# IR: A_own[[[I:.*]]] = A_own[[[I]]] - Q_slices[k, [[I]]] * total
# IR: A[[[I:.*]], [[J]]] = A_own[[[I]]]
# IR: Q[[[I:.*]], [[J]]] = Q_slices[[[J]], [[I]]]
# IR-NEXT: else:
# IR-NEXT: for k{{.*}} in range(0, N, 1):  # serial

# WHY: kernels_owners.py:[[#]]:5: remark: all steps in one launch where the device runs a block for each `j` at once, and for as many as it does in turn: it keeps its part of `A` on chip, publishes its part of `Q`, and waits in each step for one other block [time-loop]
# WHY: remark: lanes take 4 iterations of `k` at a time [parallelised]
from __future__ import annotations


# A step is one launch in any case, which takes no longer than to wait: only where the schedule says so.
def eliminated(A: f64[N, N]):
    for k in range(A.shape[0]):
        for i in range(k + 1, A.shape[0]):
            factor = A[i, k] / A[k, k]
            for j in range(k, A.shape[0]):
                A[i, j] -= factor * A[k, j]
# CHOSEN: launch eliminated_A[(min(max(end - first, 1), 65535), 1, 1), (64, 1, 1), 1024 at once, resident]
# CHOSEN: post(progress, [[K:[a-z_0-9]+]])
# CHOSEN: wait(progress, [[K]])
# CHOSEN-NEXT: factor: f64 = A_own[[[K]]] / A_slices[[[K]], [[K]]]
# Lanes take four iterations at a time, so that their loads come at once.
# LANES: for [[FIRST:.*]] in range([[K]], N, 256):  # serial
# LANES-NEXT: for [[R:[a-z_0-9]+]] in range(0, 4, 1):  # serial, unroll
# LANES-NEXT: [[J:[a-z_0-9]+]]: i64 = [[FIRST]] + [[R]] * 64 + threadIdx.x
# LANES-NEXT: if [[J]] < N:
# LANES-NEXT: A_own[[[J]]] = A_own[[[J]]] - factor
# ONE: for [[J:[a-z_0-9]+]] in range([[K]], N, 1):  # proven, bind=thread.x
# ONE-NEXT: A_own[[[J]]] = A_own[[[J]]] - factor
