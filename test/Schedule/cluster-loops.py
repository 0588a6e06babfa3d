# Loops of the host whose steps do little: one launch of one block or of one cluster of blocks.
# RUN: %appyc %s -o - --disable-pass=tile-time | FileCheck %s
# RUN: %appyc %s -o - --disable-pass=tile-time --disable-pass=cluster-loops | FileCheck --check-prefix=OFF %s
# RUN: %appyc %s -o - --disable-pass=tile-time --remarks 2>&1 >/dev/null | FileCheck --check-prefix=WHY %s
# RUN: %appyc %s --emit=ir --disable-pass=tile-time --stop-after=cluster-loops | FileCheck --check-prefix=IR %s
# RUN: printf '[relax."for t in range(steps):"]\nlaunch = "cluster"\n' > %t.schedule
# RUN: %appyc %s -o - --disable-pass=tile-time --schedule=%t.schedule | FileCheck --check-prefix=CHOSEN %s
# RUN: %appyc %s --target=cpu -o - | FileCheck --check-prefix=CPU %s
# OFF-NOT: cluster_barrier
# CPU-NOT: cluster_barrier
import numpy as np


# Both loops count along one axis; arrays that are written are not __restrict__. The host counts.
def relax(steps: i64, a: f64[N, M], b: f64[N, M]):
    for t in range(steps):
        b[:, 1:] = a[:, :-1]
        a[1:, :] = b[:-1, :]
# CHECK-LABEL: __global__ void __launch_bounds__(512, 1) relax_kernel1(double* a, double* b,
# CHECK:      for (index_t t = 0; t < steps; ++t) {
# CHECK-NEXT: cluster_barrier();
# CHECK:      for (index_t position = (index_t)blockIdx.x * blockDim.x + threadIdx.x;
# CHECK:      const index_t i = position / maximum(M - 1, 1);
# CHECK-NEXT: const index_t j = position % maximum(M - 1, 1);
# CHECK:      b[i * M + j + 1] = a[i * M + j];
# CHECK:      cluster_barrier();
# CHECK:      a[(i + 1) * M + j] = b[i * M + j];
# CHECK:      const int64_t touched =
# CHECK:      if (touched <= 16384)
# CHECK-NEXT: relax_kernel1<index_t><<<1, 512, 0, stream>>>(a, b, steps, N, M);
# CHECK-NEXT: else if (touched <= 131072) {
# CHECK-NEXT: launch_cluster<relax_kernel1<index_t>>(16, 512, stream, a, b, steps, N, M);
# CHECK:      launch_overlapping<relax_kernel2<index_t>>(grid, dim3(32, 8), stream
# CHECK:      graphs.repeat(steps, 2, step, stream
# WHY: cluster-loops.py:[[@LINE-19]]:5: remark: all steps in one launch where a step touches few elements: of one block up to 16384, of one cluster of 16 blocks up to 131072 [time-loop]
# CHOSEN-LABEL: int relax_host(
# CHOSEN-NOT: touched
# CHOSEN: launch_cluster<relax_kernel<index_t>>(16, 512, stream, a, b, steps, N, M);
# IR: launch relax_kernel1[(1, 1, 1), (512, 1, 1), 512 at once]:
# IR: launch relax_kernel1[(16, 1, 1), (512, 1, 1), 512 at once, one cluster]:


# A block's iteration is a warp's; and c waits for nothing.
def power(steps: i64, A: f64[200, 200], x: f64[200], c: f64[200]):
    for t in range(steps):
        y = A @ x
        c[:] = c * 0.5
        x[:] = y / y[0]
# CHECK-LABEL: power_kernel(const double* __restrict__ A, double* x, double* c,
# CHECK:      for (index_t t = 0; t < steps; ++t) {
# CHECK-NEXT: cluster_barrier();
# CHECK:      total = warp_reduce<Sum>(total);
# CHECK:      if (threadIdx.x % 32 == 0)
# CHECK:      cluster_barrier();
# CHECK:      c[i] *= 0.5;
# CHECK-NOT:  cluster_barrier
# CHECK:      y[i] / y[0]
# CHECK-LABEL: int power_host(
# WHY: all steps in one launch of one cluster of 16 blocks: a step touches about


# Rows whose lengths change from step to step: a warp each, so that nobody divides. At most so much: known before.
def lu(A: f64[N, N]):
    for k in range(A.shape[0]):
        A[k + 1:, k + 1:] -= A[k + 1:, k:k + 1] * A[k, k + 1:]
# CHECK-LABEL: lu_kernel1(double* A
# CHECK: for (index_t i = ((index_t)blockIdx.x * blockDim.x + threadIdx.x) / 32;
# CHECK: for (index_t j = (index_t)threadIdx.x % 32; j < N - k - 1; j += 32)
# CHECK-LABEL: int lu_host(
# CHECK: const int64_t touched = {{.*}}N - 1{{.*}}


# One thread does it: beside launches that wait for it, it counts nothing.
def alone(steps: i64, a: f64[1000]):
    for t in range(steps):
        for i in range(1, 1000):
            a[i] += a[i - 1]
        a[:] = a * 0.5
# CHECK-LABEL: alone_kernel{{.*}}(double* a
# CHECK: if (blockIdx.x == 0 && threadIdx.x == 0)
# WHY: all steps in one launch of one block: a step touches about 2000 elements, predicted 0.4 us instead of 2.3


# Too much for one cluster.
def large(steps: i64, a: f64[1000, 1000], b: f64[1000, 1000]):
    for t in range(steps):
        b[:] = a * 0.5
        a[:] = b + 1.0
# CHECK-LABEL: large_host
# CHECK-NOT: launch_cluster
# WHY: its steps are launches of their own: a step touches about 4000000 elements, of which one cluster takes up to 65536 [time-loop]
