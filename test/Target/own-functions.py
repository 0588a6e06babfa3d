# Functions of the file that stay functions stand before what calls them, once, where they are needed.
# RUN: %appyc %s -o - | FileCheck %s
# RUN: %appyc %s --target=cpu -o - | FileCheck --check-prefix=CPU %s
# RUN: %appyc %s --target=cpu --stop-after=lower-to-loops -o - | FileCheck --check-prefix=CPU %s
from __future__ import annotations

import numpy as np

# CHECK: // A name of the support code's.
# CHECK-NEXT: __host__ __device__ inline double minimum_1(double x) {
# CHECK: // The distance from a sphere.
# CHECK-NEXT: __device__ inline double sphere(double x, double r) { return sqrt(x * x + 1.0) - r; }
# CHECK: __device__ inline double scene(double x) {
# CHECK: const double d = sphere(x, 1.0);
# CHECK: // if d < 0.5:
# CHECK-NEXT: if (d < 0.5) return -d;
# CHECK: return sphere(d, 0.5);
# CHECK-NOT: never
# CHECK: __global__ void march
# CPU: inline double sphere(double x, double r) {
# CPU: inline double scene(double x) {
# CPU-NOT: never


def sphere(x, r):
    """The distance from a sphere.

    Signed.
    """
    return np.sqrt(x * x + 1.0) - r


def scene(x):
    d = sphere(x, 1.0)
    if d < 0.5:
        return -d
    return sphere(d, 0.5)


def minimum(x):
    """A name of the support code's."""
    y = 0.5 * x
    z = y - 1.0
    y = z * z
    return y + x


def never(x):
    y = 0.5 * x
    z = y - 1.0
    y = z * z
    return y + x


def march(a: f64[N], h: float) -> float:
    for i in range(a.shape[0]):
        # CHECK: a[i] = scene(a[i]) + scene(2.0 * a[i]) + minimum_1(a[i]);
        # CPU: a[i] = scene(a[i]) + scene(2.0 * a[i]) + minimum_1(a[i]);
        a[i] = scene(a[i]) + scene(2.0 * a[i]) + minimum(a[i])
        unused = never(a[i])
    # CHECK: *result_out = minimum_1(h);
    return minimum(h)
