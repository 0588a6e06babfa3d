# A temporary of a few operations an element is computed again where it is read; dear, deep or changed ones stay.
# RUN: %appyc %s --stop-after=recompute-temporaries --emit=ir -o - | FileCheck %s
# RUN: %appyc %s --remarks -o - 2>&1 >/dev/null | FileCheck %s --check-prefix=REMARK
import numpy as np


# REMARK: `slope` is not stored: what reads it computes it again [fused]
def limited(a: f64[N], b: f64[N]):
    slope = (a[1:] - a[:-1]) * (a[1:] + 1.0)
    b[1:-1] = np.where(slope[1:] * slope[:-1] > 0.0, slope[1:], 0.0)
# CHECK-LABEL: def limited
# CHECK: slope: f64 = (a[i + 2] - a[i + 1]) * (a[i + 2] + 1.0)
# CHECK-NEXT: slope_1: f64 = (a[i + 1] - a[i]) * (a[i + 1] + 1.0)
# CHECK-NEXT: b[i + 1] = slope if slope * slope_1 > 0.0 else 0.0


# Twice the same point: one name. Names within names are shared too.
def curvature(a: f64[N], b: f64[N]):
    slope = (a[1:] - a[:-1]) * 0.5
    bend = (slope[1:] - slope[:-1]) * 0.5
    b[2:-1] = bend[1:] * bend[1:] + bend[:-1]
# CHECK-LABEL: def curvature
# CHECK-COUNT-3: slope{{(_[0-9])?}}: f64 =
# CHECK-NOT: slope{{.*}}: f64 =


def dear(a: f64[N], b: f64[N]):
    e = np.tanh(a)
    b[1:] = e[1:] * e[:-1]
# CHECK-LABEL: def dear
# CHECK: e[{{.*}}] = tanh


def deep(a: f64[N], x: f64[N], b: f64[M]):
    e = a * x + a - x * x
    for i in range(b.shape[0]):
        for j in range(a.shape[0]):
            b[i] += e[j]
# CHECK-LABEL: def deep
# CHECK: e[i] =


def changed(a: f64[N], b: f64[N]):
    slope = a[1:] - a[:-1]
    a[:] = 0.0
    b[1:-1] = slope[1:] * slope[:-1]
# CHECK-LABEL: def changed
# CHECK: slope[i] =


# The reader stores what the temporary was made of.
def in_place(a: f64[N]):
    slope = (a[1:] - a[:-1]) * (a[1:] + 1.0)
    a[1:-1] = slope[1:] * slope[:-1]
# CHECK-LABEL: def in_place
# CHECK: slope[i] =


# Out of range but for the condition: the element is not computed whatever the condition is.
def guarded(a: f64[N], b: f64[N]):
    slope = (a + 1.0) * a * a
    for i in range(a.shape[0]):
        b[i] = slope[i + 1] if i + 1 < a.shape[0] else 0.0
# CHECK-LABEL: def guarded
# CHECK: slope[i{{.*}}] =


# A function of f32 is quick on a GPU, and so is exp of f64 where the device is good at that; others are not.
def quick(x: f32[M, N], y: f32[M, N], z: f32[M, N]):
    powers = np.exp(x)
    z[:] = powers / np.sum(powers, axis=1, keepdims=True)
# CHECK-LABEL: def quick
# CHECK-NOT: powers[{{.*}}] =


def quick_too(x: f64[M, N], z: f64[M, N]):
    powers = np.exp(x)
    z[:] = powers / np.sum(powers, axis=1, keepdims=True)
# CHECK-LABEL: def quick_too
# CHECK-NOT: powers[{{.*}}] =


def slow(x: f64[M, N], z: f64[M, N]):
    powers = np.tanh(x)
    z[:] = powers / np.sum(powers, axis=1, keepdims=True)
# CHECK-LABEL: def slow
# CHECK: powers[{{.*}}] =
