# Kernels of loops of the host may be started before the ones before them have ended, for which they wait.
# RUN: %appyc %s -o - --disable-pass=cluster-loops --disable-pass=tile-time | FileCheck %s
# RUN: %appyc %s -o - --disable-pass=cluster-loops --disable-pass=tile-time --disable-pass=overlap-launches | FileCheck --check-prefix=OFF %s
# RUN: %appyc %s -o - --disable-pass=cluster-loops --disable-pass=tile-time --remarks 2>&1 >/dev/null | FileCheck --check-prefix=WHY %s
# RUN: %appyc %s --emit=ir --disable-pass=cluster-loops --disable-pass=tile-time --stop-after=overlap-launches | FileCheck --check-prefix=IR %s
# RUN: printf '[relax."for t in range(steps):"]\noverlap = false\n' > %t.schedule
# RUN: %appyc %s -o - --disable-pass=cluster-loops --disable-pass=tile-time --schedule=%t.schedule | FileCheck --check-prefix=CHOSEN %s
# RUN: %appyc %s --target=cpu -o - | FileCheck --check-prefix=OFF %s
# RUN: %appyc %s --target=sequential -o /dev/null --no-wrapper
# OFF-NOT: {{launch_overlapping|wait_for_previous_kernel}}
import numpy as np


# CHECK:      inline void wait_for_previous_kernel() {
# CHECK-NEXT: #if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 900
# CHECK-NEXT: cudaGridDependencySynchronize();
# CHECK-NEXT: #endif
# CHECK:      void launch_overlapping(dim3 grid, dim3 threads, cudaStream_t stream, Arguments... arguments) {
# CHECK-NEXT: if (!is_code_of_90<kernel>()) {
# CHECK-NEXT: kernel<<<grid, threads, 0, stream>>>(arguments...);
def relax(steps: i64, a: f64[N, M], b: f64[N, M]):
    for t in range(steps):
        b[1:-1] = a[:-2] + a[2:]
        a[:, 1:-1] = 0.5 * b[:, 1:-1]
# CHECK-LABEL: __global__ void relax_kernel1(
# CHECK-NEXT: wait_for_previous_kernel();
# CHECK-NEXT: for (
# CHECK-LABEL: __global__ void relax_kernel2(
# CHECK-NEXT: wait_for_previous_kernel();
# CHECK-LABEL: int relax_host(
# CHECK:      grid.x > 0)
# CHECK-NEXT: launch_overlapping<relax_kernel1<index_t>>(grid, dim3(32, 8), stream, a, b, N, M);
# CHECK:      grid.x > 0)
# CHECK-NEXT: launch_overlapping<relax_kernel2<index_t>>(grid, dim3(32, 8), stream, a, b, N, M);
# WHY: overlap-launches.py:[[@LINE-13]]:5: remark: each launch of this loop may begin while the kernel before it ends (compute capability 9.0 and newer; about 0.3 us less a launch) [time-loop]
# IR: launch relax_kernel1[({{.*}}), (32, 8, 1), overlaps]:
# CHOSEN-LABEL: void relax_kernel1(
# CHOSEN-NEXT: for (
# CHOSEN-LABEL: int relax_host(
# CHOSEN:      relax_kernel1<index_t><<<grid, dim3(32, 8), 0, stream>>>(a, b, N, M);


# A nest of loops says so once; launches around it are as always, and wait for all before them.
def triangle(a: f64[N, N], s: f64[N]):
    a[:] = np.sqrt(a)
    for k in range(1, a.shape[0]):
        for t in range(100):
            a[k, 1:] = 0.5 * a[k - 1, 1:] + a[k, :-1]
    s[:] = 1.0 / a[-1]
# CHECK-LABEL: void triangle_kernel1(
# CHECK-NOT:   wait_for_previous_kernel
# CHECK-LABEL: void triangle_kernel2(
# CHECK:       wait_for_previous_kernel();
# CHECK-LABEL: void triangle_kernel4(
# CHECK-NOT:   wait_for_previous_kernel
# CHECK-LABEL: int triangle_host(
# CHECK:       triangle_kernel1<index_t><<<
# CHECK:       for (index_t k = 1;
# CHECK:       for (index_t t = 0;
# CHECK:       launch_overlapping<triangle_kernel2<index_t>>(
# CHECK:       launch_overlapping<triangle_kernel3<index_t>>(
# CHECK:       triangle_kernel4<index_t><<<
# WHY:         overlap-launches.py:[[@LINE-17]]:5: remark: each launch of this loop
# WHY-NOT:     overlap-launches.py:[[@LINE-18]]:9: remark: each launch of this loop


# The host looks at what the kernels make, and library calls are launched as always.
def until(A: f64[500, 500], B: f64[500, 500], least: f64):
    while A[0, 0] > least:
        B[:] = A @ A
        A[:] = 0.001 * B
# CHECK-LABEL: int until_host(
# CHECK:       while (
# CHECK:       cublas
# CHECK:       launch_overlapping<until_kernel{{[0-9]*}}<index_t{{.*}}>>(
# WHY:         overlap-launches.py:[[@LINE-7]]:5: remark: each launch of this loop
