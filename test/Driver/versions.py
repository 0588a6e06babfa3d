# Sizes that the types leave open: where equal ones change how the work is arranged, a version for them is chosen at the call.
# RUN: %appyc %s -o - | FileCheck %s
# RUN: %appyc %s -o - | FileCheck --check-prefix=REST %s
# RUN: %appyc %s --target=cpu -o - | FileCheck --check-prefix=CPU %s
# RUN: %appyc %s --emit=ir -o - | FileCheck --check-prefix=IR %s
# RUN: %appyc %s --remarks -o - 2>&1 >/dev/null | FileCheck --check-prefix=WHY %s
# RUN: %appyc %s --no-versions -o - --remarks 2>&1 | FileCheck --check-prefix=OFF %s
# RUN: %appyc %s --target=sequential --stop-after=lower-to-loops -o /dev/null --no-wrapper
# RUN: %appyc %kernels_versions.py --emit=ir --remarks 2>&1 | FileCheck --check-prefix=SCALAR %s
# A scalar that an array's size is cut at.
# SCALAR: another version runs where n == data_1: 1 matrix product
# SCALAR: # of named_by_scalar where data_1 == n
# OFF-NOT: same_sizes
# OFF-NOT: [versioned]
from __future__ import annotations
import numpy as np


def triangle(c: f64[:, :], a: f64[:, :]):
    for i in range(a.shape[0]):
        for k in range(a.shape[1]):
            c[i, :i + 1] += a[i, k] * a[:i + 1, k]
# WHY: versions.py:[[@LINE-4]]:5: remark: another version runs where c_0 == c_1 == a_0: 1 matrix product, instead of 2 kernels [versioned]
# WHY: remark: a matrix product of c_0 x a_1 x c_0 within limits: cuBLAS computes it [product]
# IR: def triangle(c: f64[c_0, c_1], a: f64[a_0, a_1]):
# IR: # of triangle where c_1 == c_0 and a_0 == c_0
# IR-NEXT: def triangle(c: f64[c_0, c_0], a: f64[c_0, a_1]):
# IR-NEXT: # entry triangle_same_sizes
# IR: matmul
# CHECK: // build: nvcc {{.*}} -lcublas
# CHECK-LABEL: extern "C" int {{.*}}_triangle(
# CHECK: if (c_1 == c_0 && a_0 == c_0) {
# CHECK: multiply_by_cublas<Update, double>(c_0, c_0, a_1, 1.0, {a, a_1, 1}, {a, 1, a_1},
# CHECK: return with_index_type({{[{][{]}}c_0, c_1}, {a_0, a_1}}, [&](auto zero) {
# CHECK-NEXT: using index_t = decltype(zero);
# CHECK-NOT: _triangle_workspace(
# CPU-LABEL: extern "C" int {{.*}}_triangle(
# CPU: if (c_1 == c_0 && a_0 == c_0) return triangle_same_sizes(c, a, c_0, c_1, a_0, a_1);


# Nothing gained: no version for equal sizes. One of another kind: where an axis of one element meets a longer one.
def added(a: f64[:, :], b: f64[:, :]):
    a[:] = a + b
# CHECK-NOT: added_same_sizes
# CHECK-LABEL: extern "C" int appyc_{{.*}}added(
# CHECK: if (!(a_0 == b_0 && a_1 == b_1)) {
# CHECK-NEXT: return with_index_type({{[{][{]}}a_0, a_1}, {b_0, b_1}}, [&](auto zero) {
# CHECK-NOT: added_same_sizes


# Named sizes are what their names say.
def named(c: f64[N, M], a: f64[K, L]):
    for i in range(a.shape[0]):
        for k in range(a.shape[1]):
            c[i, :i + 1] += a[i, k] * a[:i + 1, k]
# CHECK-NOT: named_same_sizes


# Never of one size.
def frame(inner: f64[:], outer: f64[:]):
    inner[:] = outer[2:] - outer[:-2]
# CHECK-NOT: frame_same_sizes


# Other calls, of which NumPy refuses most, all go to the one program that is right wherever an axis is stretched.
def relax(steps: i64, a: f64[:, :], b: f64[:, :]):
    for t in range(steps):
        b[1:-1, 1:-1] = a[:-2, 1:-1] + a[2:, 1:-1]
        a[1:-1, 1:-1] = b[1:-1, :-2] + b[1:-1, 2:]
# REST-LABEL: void __launch_bounds__(384, 3) relax_same_sizes_kernel(
# REST-LABEL: extern "C" int {{.*}}_relax(
# REST: return refuse_store(
# REST: relax_b<index_t>
# REST-NOT: relax_stretched


# A scalar goes with what reads it, and a new array's elements where the check behind them leaves none; what is checked before stays.
def means(x: f64[:], w: f64[:], n: i64) -> f64[:]:
    top = w.max()
    out = np.ones(n)
    for i in range(n):
        out[i] = x[(top * i <= w) & (w < top * (i + 1))].mean()
    return out
# REST-LABEL: extern "C" int {{.*}}_means(
# REST: return refuse_empty(
# REST-NOT: <<<
# REST: return refuse_mask(
# REST-NOT: <<<
# REST: return check(cudaGetLastError());


# No scalar that ends behind a size where both are equal.
def nearest(x: f64[:], k: i64) -> f64[:]:
    return x[np.argsort(x)[1:k + 1]]
# REST-NOT: nearest_same_sizes


# Floats that are told from sizes bound no elements.
def clipped(x: f64[:, :], m: i64) -> f64[:, :]:
    return np.maximum(x, 1.0 * m)
# REST-LABEL: extern "C" int {{.*}}_clipped(
