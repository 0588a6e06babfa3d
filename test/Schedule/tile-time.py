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
# CHECK-LABEL: __global__ void __launch_bounds__(128, 12) relax_kernel(
# CHECK-SAME: const double* __restrict__ a, double* __restrict__ b,
# CHECK-NEXT: double* __restrict__ a_next
# CHECK: for (index_t i_tile = (index_t)blockIdx.x * 256; i_tile < N; i_tile += (index_t)gridDim.x * 256) {
# CHECK-NEXT: double a_own[4];
# CHECK-NEXT: __shared__ double a_tile[512];
# CHECK-NEXT: double b_own[4];
# CHECK-NEXT: __shared__ double b_tile[512];
# CHECK-NEXT: const auto tile = [&](auto kind) {
# CHECK-NEXT: constexpr bool inside = decltype(kind)::value;
# CHECK-NEXT: const index_t strip = threadIdx.x;
# CHECK: const index_t i = i_tile + cell - 128;
# CHECK-NEXT: a_own[k] = inside || (i >= 0 && i < N) ? a[i] : 0.0;
# CHECK-NEXT: if (k < 1 || k >= 3)
# CHECK-NEXT: a_tile[k * 128 + strip] = a_own[k];
# CHECK-NEXT: b_own[k] = !inside && i >= 0 && i < N && !(i >= 1 && i < N - 1) ? b[i] : 0.0;
# CHECK-NEXT: if (!inside) {
# CHECK: for ({{.*}} < full; {{.*}}) {
# CHECK-NEXT: __syncthreads();
# CHECK-NEXT: #pragma unroll
# CHECK-NEXT: for (index_t k = 0; k < 4; ++k) {
# CHECK: const index_t before = strip - 1 >= 0 ? strip - 1 : strip + 127;
# CHECK-NEXT: const index_t after = strip + 1 < 128 ? strip + 1 : strip - 127;
# CHECK-NEXT: const bool reached = inside || (i >= 1 && i < N - 1);
# CHECK: const double value = rounded_product(0.33333,
# CHECK-NEXT: (k - 1 >= 0 ? a_own[k - 1] : a_tile[k * 128 + before + 384]) + a_own[k] +
# CHECK-NEXT: (k + 1 < 4 ? a_own[k + 1] : a_tile[k * 128 + after - 384]));
# CHECK-NEXT: b_own[k] = reached ? value : b_own[k];
# CHECK-NEXT: if (k < 1 || k >= 3)
# CHECK-NEXT: b_tile[k * 128 + strip] = b_own[k];
# CHECK: __syncthreads();
# CHECK: a_own[k] = reached ? value : a_own[k];
# CHECK-NOT: __syncthreads
# CHECK: if (cell >= 128 && cell < 384 && (inside || i < N)) {
# CHECK-NEXT: a_next[i] = a_own[k];
# CHECK-NEXT: if (not_last != 0 && (inside || (i >= 1 && i < N - 1)))
# CHECK-NEXT: b[i] = b_own[k];
# CHECK: if (i_tile >= 129 && i_tile + 384 <= N - 1)
# CHECK-NEXT: tile(Known<true>{});
# CHECK-NEXT: else
# CHECK-NEXT: tile(Known<false>{});
# CHECK-NOT: __global__
# CHECK-LABEL: int relax_host(
# CHECK: launch_overlapping<relax_kernel<index_t>>(grid, 128, stream, a, b, a_next, N, full, not_last);
# CHECK: launch_overlapping<relax_kernel<index_t>>(grid, 128, stream, a_next, b, a, N, full, not_last);
# CHECK: graphs.repeat(rounds, 2, step, stream,
# CHECK: launch_overlapping<relax_kernel<index_t>>(grid, 128, stream, a, b, a_next, N, half, not_last);
# CHECK: launch_overlapping<relax_kernel<index_t>>(grid, 128, stream, a_next, b, a, N, other, last);
# REMARK: :[[@LINE-51]]:5: remark: 64 steps at a time in tiles of 512 cells, halos of 128+128 among them


# Two sweeps that touch nothing of each other need no barrier between them.
def pair(steps: i64, a: f64[M, N], b: f64[M, N], c: f64[M, N]):
    for t in range(steps):
        a[1:, :] += c[1:, :] - c[:-1, :]
        b[:, 1:] += c[:, 1:] - c[:, :-1]
        c[:-1, :-1] += a[1:, :-1] + b[:-1, 1:]
# CHECK-LABEL: __global__ void __launch_bounds__(256, 3) pair_kernel(
# CHECK: __shared__ double a_tile[2048];
# CHECK: for ({{.*}} < full; {{.*}}) {
# CHECK-NEXT: __syncthreads();
# CHECK: const double value = a_own[k] +
# CHECK-NEXT: (c_own[k] - (k - 1 >= 0 ? c_own[k - 1] : c_tile[above * 64 + column]));
# CHECK: if (k < 1)
# CHECK-NEXT: a_tile[row * 64 + column] = a_own[k];
# CHECK-NOT: __syncthreads
# CHECK: const double value = b_own[k] + (c_own[k] - c_tile[row * 64 + before]);
# CHECK-NEXT: b_own[k] = reached ? value : b_own[k];
# CHECK-NEXT: b_tile[row * 64 + column] = b_own[k];
# CHECK: __syncthreads
# CHECK: ((k + 1 < 8 ? a_own[k + 1] : a_tile[below * 64 + column]) + b_tile[row * 64 + after]);
# CHECK-NOT: __syncthreads
# CHECK: if (i_tile >= 2 && i_tile + 31 <= M - 1 && j_tile >= 2 && j_tile + 63 <= N - 1)
# CHECK-LABEL: int pair_host(


# A row is set by the threads that loaded it: the one barrier is between it and what reads other cells.
def driven(a: f64[M, N], b: f64[M, N], source: f64[T]):
    for t in range(source.shape[0]):
        b[0, :] = source[t]
        b[1:, :] -= a[1:, :] - a[:-1, :]
        a[:-1, :] -= b[1:, :] - b[:-1, :]
# CHECK-LABEL: __global__ void __launch_bounds__(384, 3) driven_kernel(
# CHECK: for ({{.*}} < full; {{.*}}) {
# CHECK-NOT: __syncthreads
# CHECK: if (!inside && i == 0 && j >= 0 && j < N) {
# CHECK: b_own[k] = source[t];
# CHECK: __syncthreads
# CHECK: const double value = b_own[k] -
# CHECK: __syncthreads
# CHECK: const double value = a_own[k] -
# CHECK-NOT: __syncthreads
# CHECK: if (row >= 11 && row < 37 && (inside || (i < M && j < N))) {
# CHECK: if (i_tile >= 12 && i_tile + 37 <= M - 1 && j_tile + 64 <= N)
# CHECK-LABEL: int driven_host(


# A thread meets only its own cells: no barriers, nothing shared. What is beside the arrays is not read behind its end.
def scale(steps: i64, a: f64[N], b: f64[N]):
    for t in range(steps):
        a[:] = a * b + t
# CHECK-LABEL: __global__ void __launch_bounds__(128, 16) scale_kernel(
# CHECK: double a_own[4];
# CHECK-NOT: __shared__
# CHECK-NOT: __syncthreads
# CHECK: if (inside || (i >= 0 && i < N)) {
# CHECK: a_own[k] = a_own[k] * b[i] + (double)t;
# CHECK-LABEL: int scale_host(


# One loop writes at two distances: the second array is in shared memory alone.
def shifted(steps: i64, a: f64[N], b: f64[N], c: f64[N]):
    for t in range(steps):
        for i in range(1, len(a) - 1):
            b[i] = 0.5 * a[i - 1]
            c[i + 1] = 0.25 * a[i]
        a[2:-1] = b[2:-1] + c[3:]
# CHECK-LABEL: __global__ void __launch_bounds__(128, 10) shifted_kernel(
# CHECK-NOT: c_own
# CHECK: c_tile[{{.*}}] = !inside && i >= 0
# CHECK: if (cell + 1 < 512 && reached)
# CHECK-NEXT: c_tile[
# CHECK-LABEL: int shifted_host(


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


# REMARK: :142:5: remark: no tiles of several steps: a subscript is not an index and a small constant
# REMARK: :151:5: remark: no tiles of several steps: no step needs the one before
