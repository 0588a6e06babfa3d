# Several steps of a time loop run in one pass over memory, in tiles with proven halos.
# RUN: %appyc %s --disable-pass=steps-inside -w --emit=fired | %where pass=tile-time | FileCheck --check-prefix=FIRES %s
# RUN: %appyc %s --disable-pass=steps-inside -w --emit=ir | FileCheck %s
# RUN: %appyc %s --disable-pass=steps-inside -w --emit=stats | %lines | FileCheck --check-prefix=STATS %s
# RUN: %appyc %s --disable-pass=steps-inside -o - --remarks 2>&1 | FileCheck --check-prefix=REMARK %s
# RUN: %appyc %s --target=sequential -o /dev/null --no-wrapper
# FIRES: tile-time: by_copy driven in_turn pair relax scale shifted{{$}}
import numpy as np


# Three cells a step: one of b's half-step, two of a's. b comes whole from a, but for its ends.
def relax(steps: i64, a: f64[N], b: f64[N]):
    for t in range(1, steps):
        b[1:-1] = 0.33333 * (a[:-2] + a[1:-1] + a[2:])
        a[1:-1] = 0.33333 * (b[:-2] + b[1:-1] + b[2:])
# CHECK-LABEL: def relax(
# CHECK: for round in range(0, rounds, 1):  # serial, bind=graph
# CHECK-NEXT: launch relax_kernel[(min(max((N + 255) // 256, 1), 65535), 1, 1), (128, 1, 1), 1536 at once, overlaps](a, b, a_next, N, full, not_last)
# CHECK-NEXT: launch relax_kernel[(min(max((N + 255) // 256, 1), 65535), 1, 1), (128, 1, 1), 1536 at once, overlaps](a_next, b, a, N, full, not_last)
# CHECK: launch relax_kernel[{{.*}}](a, b, a_next, N, half, not_last)
# CHECK: launch relax_kernel[{{.*}}](a_next, b, a, N, other, last)
# CHECK-LABEL: kernel relax_kernel(
# CHECK-NEXT: for i_tile in range(0, N, 256):  # serial, bind=grid.x, apart(inside)
# CHECK: inside: bool = i_tile >= 129 and i_tile + 384 <= N - 1
# The ends that b keeps are loaded; strips meet in what they share of their first and last cells.
# CHECK: a_own[strip, k] = a[i] if inside or i >= 0 and i < N else 0.0
# CHECK-NEXT: if k < 1 or k >= 3:
# CHECK-NEXT: a_tile[k, strip] = a_own[strip, k]
# CHECK-NEXT: b_own[strip, k] = b[i] if not inside and (i >= 0 and i < N and not (i >= 1 and i < N - 1)) else 0.0
# CHECK: for step in range(0, full, 1):  # serial
# CHECK-NEXT: barrier(block)
# CHECK: (a_own[strip, k - 1] if k - 1 >= 0 else a_tile[k + 3, before]) + a_own[strip, k] + (a_own[strip, k + 1] if k + 1 < 4 else a_tile[k - 3, after])
# CHECK: barrier(block)
# CHECK: a_own[strip, k] = value{{.*}} if reached{{.*}} else a_own[strip, k]
# CHECK-NOT: barrier
# CHECK: if [[CELL:.*]] >= 128 and [[CELL]] < 384 and (inside or [[I:.*]] < N):
# CHECK-NEXT: a_next[[[I]]] = a_own[strip, k]
# CHECK-NEXT: if not_last != 0 and (inside or [[I]] >= 1 and [[I]] < N - 1):
# CHECK-NEXT: b[[[I]]] = b_own[strip, k]
# STATS: function: relax; kernels: 4; launches: 2; launches in host loops: 2;{{.*}} temporaries: 1;{{.*}} graphs: 1;
# STATS-NEXT: kernel: relax_kernel;{{.*}} shared bytes: 8192; barriers: 3;
# REMARK: :[[@LINE-29]]:5: remark: 64 steps at a time in tiles of 512 cells, halos of 128+128 among them


# Two sweeps that touch nothing of each other need no barrier between them.
def pair(steps: i64, a: f64[M, N], b: f64[M, N], c: f64[M, N]):
    for t in range(steps):
        a[1:, :] += c[1:, :] - c[:-1, :]
        b[:, 1:] += c[:, 1:] - c[:, :-1]
        c[:-1, :-1] += a[1:, :-1] + b[:-1, 1:]
# CHECK-LABEL: kernel pair_kernel(
# CHECK: inside: bool = i_tile >= 2 and i_tile + 31 <= M - 1 and j_tile >= 2 and j_tile + 63 <= N - 1
# CHECK: for step in range(0, full, 1):  # serial
# CHECK-NEXT: barrier(block)
# CHECK: a_own[strip, column, k] = value
# CHECK-NOT: barrier
# CHECK: b_tile[{{.*}}, column] = b_own[strip, column, k]
# CHECK: barrier(block)
# CHECK: a_tile[below, column]) + b_tile[{{.*}}, after]
# CHECK-NOT: barrier
# STATS: kernel: pair_kernel;{{.*}} shared bytes: 49152; barriers: 3;


# A row is set by the threads that loaded it: the one barrier is between it and what reads other cells.
def driven(a: f64[M, N], b: f64[M, N], source: f64[T]):
    for t in range(source.shape[0]):
        b[0, :] = source[t]
        b[1:, :] -= a[1:, :] - a[:-1, :]
        a[:-1, :] -= b[1:, :] - b[:-1, :]
# CHECK-LABEL: kernel driven_kernel(
# CHECK: for step in range(0, full, 1):  # serial
# CHECK-NOT: barrier
# CHECK: if not inside and ([[I:.*]] == 0 and [[J:.*]] >= 0 and [[J]] < N):
# CHECK-NEXT: b_own[strip, column, k] = source[t]
# CHECK: barrier(block)
# CHECK: b_own[strip, column, k] = value if reached
# CHECK: barrier(block)
# CHECK: a_own[strip, column, k] = value
# CHECK-NOT: barrier
# CHECK: if [[ROW:.*]] >= 11 and [[ROW]] < 37 and (inside or
# STATS: kernel: driven_kernel;{{.*}} barriers: 3;


# A thread meets only its own cells: no barriers, nothing shared. What is beside the arrays is not read behind its end.
def scale(steps: i64, a: f64[N], b: f64[N]):
    for t in range(steps):
        a[:] = a * b + t
# CHECK-LABEL: kernel scale_kernel(
# CHECK: if inside or [[I:.*]] >= 0 and [[I]] < N:
# CHECK-NEXT: a_own[strip, k] = a_own[strip, k] * b[[[I]]] + f64(t)
# STATS: kernel: scale_kernel;{{.*}} shared bytes: 0; barriers: 0;


# One loop writes at two distances: the second array is in shared memory alone.
def shifted(steps: i64, a: f64[N], b: f64[N], c: f64[N]):
    for t in range(steps):
        for i in range(1, len(a) - 1):
            b[i] = 0.5 * a[i - 1]
            c[i + 1] = 0.25 * a[i]
        a[2:-1] = b[2:-1] + c[3:]
# CHECK-LABEL: kernel shifted_kernel(
# CHECK-NOT: c_own
# CHECK: c_tile[k, strip] = c[i] if not inside and
# CHECK: if [[CELL:.*]] + 1 < 512 and reached:
# CHECK-NEXT: c_tile[


# The subscript depends on the data: no halo is enough.
def lookup(steps: i64, a: f64[N], b: f64[N], where: i64[N]):
    for t in range(steps):
        b[1:] = a[:-1] + a[where[1:]]
        a[1:] = b[1:]
# REMARK: :[[@LINE-3]]:5: remark: no tiles of several steps: a subscript is not an index and a small constant


# No step needs the one before.
def repeat(steps: i64, a: f64[N], b: f64[N]):
    for t in range(steps):
        b[1:] = a[:-1] + t
# REMARK: :[[@LINE-2]]:5: remark: no tiles of several steps: no step needs the one before


# Arrays that change places are where they were after two steps; an odd step is by itself.
def in_turn(steps: i64, a: f64[N], b: f64[N]):
    for t in range(steps):
        b[1:-1] = 0.33333 * (a[:-2] + a[1:-1] + a[2:])
        a, b = b, a
# CHECK-LABEL: def in_turn(
# CHECK: pairs: i64 = max(steps, 0) // 2
# CHECK: launch in_turn_b[{{.*}}](a, b, a_next,
# CHECK: if odd < steps:
# CHECK-NEXT: launch in_turn_b_1[{{.*}}](a, b, N)
# CHECK-NEXT: a, b = b, a


# What a step makes for itself is on chip alone.
def by_copy(steps: i64, a: f64[M, N]):
    for t in range(steps):
        before = a.copy()
        a[1:-1, 1:-1] = 0.5 * (before[1:-1, :-2] + before[1:-1, 2:])
# CHECK-LABEL: def by_copy(
# CHECK-NOT: right_side
# CHECK: launch by_copy_kernel[{{.*}}](a, a_next, M, N, full)
# CHECK-LABEL: kernel by_copy_kernel(
# CHECK: right_side_own[strip, column, k] = 0.0
