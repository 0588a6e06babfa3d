# Checks stand where CPython would raise; loops with one are serial, and stop. What bounds prove needs none.
# RUN: %appyc %s --sanitize=bounds --target=cpu -o - --wrapper=/dev/null | FileCheck %s
# RUN: %appyc %s --sanitize=bounds -o - --wrapper=/dev/null | FileCheck --check-prefix=CUDA %s
# RUN: %appyc %s -o - --wrapper=/dev/null | FileCheck --check-prefix=PLAIN %s
from __future__ import annotations


def scatter(x: f64[:], k: i64[:], v: f64[:]):
    for i in range(v.shape[0]):
        v[i] = 2.0 * v[i]
    for i in range(k.shape[0]):
        x[k[i]] = 1.0


# CHECK: extern "C" int {{.*}}scatter(
# CHECK: #pragma omp parallel for
# CHECK-NEXT: for (int64_t i = 0; i < v_0; ++i)
# CHECK-NEXT: v[i] = 2.0 * v[i];
# CHECK-NOT: #pragma omp
# CHECK: for (int64_t i = 0; i < k_0; ++i) {
# CHECK: int64_t n = k[i];
# CHECK-NEXT: if (!(n >= -x_0 && n < x_0))
# CHECK-NEXT: return fail_with(IndexError, "line 12: index %lld is out of bounds for axis 0 of `x` with size %lld",
# CHECK-NOT: IndexError

# CUDA: fault[0] = 0;
# CUDA-NOT: threadIdx
# CUDA: for (index_t i = 0; i < k_0; ++i) {
# CUDA-NEXT: if (fault[0] == 0) {
# CUDA: if (!(n >= -x_0 && n < x_0)) {
# CUDA: fault[0] = 1;
# CUDA: if (fault[0] == 0)
# CUDA-NEXT: x[

# PLAIN-NOT: fail_with(IndexError
# PLAIN-NOT: fault
