# Arrays of three axes and more are read by a function of their own, where many subscripts say how they lie.
# RUN: %appyc %s -o - | FileCheck %s
# RUN: %appyc %S/../../examples/gramschmidt.py -o - | FileCheck --check-prefix=PARTS %s
import numpy as np


def smooth(a: f64[M, N, K], b: f64[M, N, K]):
    b[1:-1, 1:-1, 1:-1] = a[:-2, 1:-1, 1:-1] + a[2:, 1:-1, 1:-1] + a[1:-1, :-2, 1:-1]
# CHECK-LABEL: __global__ {{.*}}smooth_kernel(
# CHECK:      const auto at = [&](index_t i, index_t j, index_t k) {
# CHECK-NEXT:   return (i * N + j) * K + k;
# CHECK-NEXT: };
# CHECK:      b[at(i + 1, j + 1, k + 1)] = a[at(


# Those that lie otherwise have another.
def shorter(a: f64[M, N, K], c: f64[M, N - 2, K]):
    c[:] = a[:, :-2] + a[:, 1:-1] + a[:, 2:] + c
    c *= c
# CHECK-LABEL: __global__ {{.*}}shorter_kernel(
# CHECK: return (i * N + j) * K + k;
# CHECK: return (i * (N - 2) + j) * K + k;
# CHECK: c[at_c(i, j, k)] =


def twice(a: f64[M, N, K]):
    a *= 2.0
# CHECK-LABEL: __global__ {{.*}}twice_kernel(
# CHECK-NOT: const auto at

# The share of one of `chunks` parts: c * chunk is no more than the whole.
# PARTS-LABEL: __global__ void __launch_bounds__(512, 1) gramschmidt_
# PARTS: const index_t chunk = (M + chunks - 1) / chunks;
# PARTS: minimum((int64_t)c * chunk + chunk, M)
