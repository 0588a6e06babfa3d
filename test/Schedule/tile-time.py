# Several steps of a time loop run in one pass over memory, in tiles with proven halos.
# RUN: %appyc %s -o - | FileCheck %s
# RUN: %appyc %s -o - --disable-pass=tile-time | FileCheck --check-prefix=OFF %s
# RUN: %appyc %s -o - --remarks 2>&1 | FileCheck --check-prefix=REMARK %s
# RUN: %appyc %s --target=sequential -o /dev/null --no-wrapper
# OFF-NOT: __shared__
import numpy as np


# Three cells a step: one of b's half-step, two of a's. b comes whole from a, but for its ends.
def relax(steps: i64, a: f64[N], b: f64[N]):
    for t in range(1, steps):
        b[1:-1] = 0.33333 * (a[:-2] + a[1:-1] + a[2:])
        a[1:-1] = 0.33333 * (b[:-2] + b[1:-1] + b[2:])
# CHECK-LABEL: __global__ void relax_kernel(
# CHECK-SAME: const double* __restrict__ a, double* __restrict__ b,
# CHECK-NEXT: double* __restrict__ a_next
# CHECK: for (index_t i_tile = (index_t)blockIdx.x * 256; i_tile < N; i_tile += (index_t)gridDim.x * 256) {
# CHECK-NEXT: __shared__ double a_tile[384];
# CHECK-NEXT: __shared__ double b_tile[384];
# CHECK: a_tile[cell] = a[i];
# CHECK-NEXT: if (!(i >= 1 && i < N - 1))
# CHECK-NEXT: b_tile[cell] = b[i];
# CHECK: for ({{.*}} < full; {{.*}}) {
# CHECK-NEXT: __syncthreads();
# CHECK-NEXT: for (index_t cell = threadIdx.x; cell < 382; cell += blockDim.x) {
# CHECK-NEXT: const index_t i = i_tile + cell - 64;
# CHECK-NEXT: if (i >= 0 && i < N - 2) {
# CHECK: b_tile[cell + 1] = 0.33333 * (a_tile[cell] + a_tile[cell + 1] + a_tile[cell + 2]);
# CHECK: __syncthreads();
# CHECK: a_tile[cell + 1] = 0.33333 * (b_tile[cell] + b_tile[cell + 1] + b_tile[cell + 2]);
# CHECK: __syncthreads();
# CHECK: for (index_t cell = 64 + (index_t)threadIdx.x; cell < 320; cell += blockDim.x) {
# CHECK: a_next[i] = a_tile[cell];
# CHECK-NEXT: if (not_last != 0 && i >= 1 && i < N - 1)
# CHECK-NEXT: b[i] = b_tile[cell];
# CHECK-NOT: __global__
# CHECK-LABEL: int relax_host(
# CHECK: relax_kernel<index_t><<<grid, 384, 0, stream>>>(a, b, a_next, N, full, not_last);
# CHECK: relax_kernel<index_t><<<grid, 384, 0, stream>>>(a_next, b, a, N, full, not_last);
# CHECK: graphs.repeat(rounds, 2, step, stream,
# CHECK: relax_kernel<index_t><<<grid, 384, 0, stream>>>(a, b, a_next, N, half, not_last);
# CHECK: relax_kernel<index_t><<<grid, 384, 0, stream>>>(a_next, b, a, N, other, last);
# REMARK: :[[@LINE-32]]:5: remark: 32 steps at a time in tiles of 384 cells, halos of 64+64 among them


# Two sweeps that touch nothing of each other need no barrier between them.
def pair(steps: i64, a: f64[M, N], b: f64[M, N], c: f64[M, N]):
    for t in range(steps):
        a[1:, :] += c[1:, :] - c[:-1, :]
        b[:, 1:] += c[:, 1:] - c[:, :-1]
        c[:-1, :-1] += a[1:, :-1] + b[:-1, 1:]
# CHECK-LABEL: __global__ void pair_kernel(
# CHECK: __shared__ double a_tile[2048];
# CHECK: a_tile[row * 64 + column + 64] +=
# CHECK-NOT: __syncthreads
# CHECK: b_tile[row * 64 + column + 1] +=
# CHECK: __syncthreads
# CHECK: c_tile[row * 64 + column] +=
# CHECK: __syncthreads
# CHECK-LABEL: int pair_host(


# A row is set by the threads that loaded it: the one barrier is between it and what reads other cells.
def driven(a: f64[M, N], b: f64[M, N], source: f64[T]):
    for t in range(source.shape[0]):
        b[0, :] = source[t]
        b[1:, :] -= a[1:, :] - a[:-1, :]
        a[:-1, :] -= b[1:, :] - b[:-1, :]
# CHECK-LABEL: __global__ void driven_kernel(
# CHECK: for ({{.*}} < full; {{.*}}) {
# CHECK-NOT: __syncthreads
# CHECK: b_tile[row * 64 + column] = source[t];
# CHECK: __syncthreads
# CHECK: b_tile[row * 64 + column + 64] -=
# CHECK: __syncthreads
# CHECK: a_tile[row * 64 + column] -=
# CHECK: __syncthreads
# CHECK-NEXT: for (index_t row = 7 + (index_t)threadIdx.y;
# CHECK-LABEL: int driven_host(


# A thread meets only its own cells: no barriers.
def scale(steps: i64, a: f64[N], b: f64[N]):
    for t in range(steps):
        a[:] = a * b + t
# CHECK-LABEL: __global__ void scale_kernel(
# CHECK: __shared__ double a_tile
# CHECK-NOT: __syncthreads
# CHECK-LABEL: int scale_host(


# The subscript depends on the data: no halo is enough.
def lookup(steps: i64, a: f64[N], b: f64[N], where: i64[N]):
    for t in range(steps):
        b[1:] = a[:-1] + a[where[1:]]
        a[1:] = b[1:]
# CHECK-LABEL: int lookup_host(
# CHECK-NOT: full


# No step needs the one before.
def repeat(steps: i64, a: f64[N], b: f64[N]):
    for t in range(steps):
        b[1:] = a[:-1] + t
# CHECK-LABEL: int repeat_host(
# CHECK-NOT: full


# REMARK: :95:5: remark: no tiles of several steps: a subscript is not an index and a small constant
# REMARK: :104:5: remark: no tiles of several steps: no step needs the one before
