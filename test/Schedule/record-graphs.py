# Serial loops of launches become CUDA graphs: a few iterations where all are alike, else the whole loop.
# RUN: %appyc %s -o - --disable-pass=cluster-loops --disable-pass=tile-time | FileCheck %s
# RUN: %appyc %s -o - --disable-pass=cluster-loops --disable-pass=record-graphs --disable-pass=tile-time | FileCheck --check-prefix=OFF %s
# RUN: %appyc %s -o - --disable-pass=cluster-loops --disable-pass=tile-time --remarks 2>&1 | FileCheck --check-prefix=REMARK %s
# OFF-NOT: Graphs
import numpy as np


def relax(steps: i64, a: f64[N], b: f64[N]):
    for t in range(steps):
        b[1:-1] = a[:-2] + a[2:]
        a[1:-1] = 0.5 * b[1:-1]
# CHECK-LABEL: relax_host
# CHECK: const auto step = [&](cudaStream_t stream) {
# CHECK: launch_overlapping<relax_kernel1<index_t>>(grid, 256, stream, a, b, N);
# CHECK: };
# CHECK-NEXT: static Graphs graphs;
# CHECK-NEXT: graphs.repeat(steps, 2, step, stream, a, b, N);
# REMARK: {{.*}}:[[@LINE-9]]:5: remark: 2 launches an iteration of `t`: a CUDA graph of some iterations is recorded and replayed (about 1.1 us a launch) [time-loop]


def sources(steps: i64, a: f64[N], f: f64[T]):
    for t in range(f.shape[0]):
        a[:] = 0.5 * a + f[t]
# CHECK-LABEL: sources_host
# CHECK: const auto launches = [&](cudaStream_t stream) {
# CHECK-NEXT: for (index_t t = 0; t < T; ++t) {
# CHECK: graphs.replay(T, 1, launches, stream, a, f, N, T);
# REMARK: {{.*}}:[[@LINE-6]]:5: remark: 1 launch an iteration of `t`: recorded as one CUDA graph for each set of arguments, as they depend on the index [time-loop]


# The device looks at the values, so the launches are alike.
def until(a: f64[N]) -> f64:
    total = 0.0
    for t in range(1000):
        a[:] = 0.5 * a
        if a[0] < 0.1:
            total += a[0]
    return total
# CHECK-LABEL: until_host
# CHECK: graphs.repeat(1000, 2, step, stream,


# A loop whose launches are others in each iteration of the one around it.
def triangle(a: f64[N, N]):
    for k in range(1, a.shape[0]):
        for t in range(100):
            a[k, 1:] = 0.5 * a[k - 1, 1:] + a[k, :-1]
# CHECK-LABEL: triangle_host
# CHECK-NOT: graphs
# CHECK: cudaGetLastError


# Launches in a row, and the check among them, which says the same in front.
def normalised(n: i64, a: f64[N], b: f64[N]):
    total = np.sum(a)
    b[:] = np.zeros(n)[0]
    b[1:] = a[:-1] / total
# CHECK-LABEL: int normalised_host
# CHECK:      if (n < 0)
# CHECK-NEXT: return fail_with(ValueError,
# CHECK-NEXT: const auto launches = [&](cudaStream_t stream) {
# CHECK:      launch_overlapping<normalised_kernel1<index_t>>(grid, 256, stream, a, total_partial,
# CHECK:      };
# CHECK-NEXT: static Graphs graphs;
# CHECK-NEXT: graphs.replay(1, 3, launches, stream, a, b, total_partial, total_device, N, chunks, chunk);
# REMARK: {{.*}}:[[@LINE-11]]:5: remark: 3 launches in a row: recorded as a CUDA graph for each set of arguments, which the host starts in less time [time-loop]


# What has been written before a check is there when it fails; two launches are none to record.
def writes_first(n: i64, a: f64[N], b: f64[N]):
    a[:] = 0.0
    b[:] = np.zeros(n)[0]
# CHECK-LABEL: int writes_first_host
# CHECK:      writes_first_kernel1<index_t><<<
# CHECK:      return fail_with(ValueError,
# CHECK-NOT:  graphs
# CHECK:      cudaGetLastError


# A scalar of the host that comes from before and changes on the way: a graph would keep its values.
def changes(n: i64, a: f64[N], b: f64[N]):
    x = n * 2.0
    a[:] = a + x
    total = np.sum(a)
    x = x + 1.0
    b[:] = a[::-1] * x + total
# CHECK-LABEL: int changes_host
# CHECK:      changes_kernel3<index_t><<<
# CHECK-NOT:  graphs
# CHECK:      cudaGetLastError
