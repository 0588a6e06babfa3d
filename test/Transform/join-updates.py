# Updates of parts of what a sweep has stored run in the sweep, where they apply.
# RUN: %appyc %s --emit=ir --stop-after=join-updates -o - | FileCheck %s
# RUN: %appyc %s --emit=fired | %where pass=join-updates | FileCheck --check-prefix=FIRES %s
# FIRES: join-updates: filled laplacian{{$}}
import numpy as np


# CHECK-LABEL: def laplacian(
# CHECK: for j in range(0, M, 1): # proven
# CHECK-NEXT: out_element: f64 = 4.0 * p[i, j]
# CHECK-NEXT: if i >= 1:
# CHECK-NEXT: out_element = out_element - p[i - 1, j]
# CHECK-NEXT: if j < M - 1:
# CHECK-NEXT: out_element = out_element - p[i, j + 1]
# CHECK-NEXT: out[i, j] = out_element
# CHECK-NEXT: return
def laplacian(p: f64[N, M]):
    out = 4.0 * p
    out[1:, :] -= p[:-1, :]
    out[:, :-1] -= p[:, 1:]
    return out


# CHECK-LABEL: def filled(
# CHECK: c_element: f64 = 0.0
# CHECK-COUNT-2: if i
# CHECK: return
def filled(a: f64[N]):
    c = np.zeros(len(a))
    c[1:] += a[:-1]
    c[:-1] -= a[1:]
    return c


# A copy with its inner points is the step of a stencil; neighbours of the array itself have to wait.
# CHECK-LABEL: def apart(
# CHECK-NOT: _element
# CHECK: return
def apart(a: f64[N, M], d: f64[N, M]):
    c = a.copy()
    c[1:-1] += a[2:]
    d[:] = 2.0 * a
    d[1:] += d[:-1]
    return c


# Loops of one range are `fuse-loops`'.
# CHECK-LABEL: def alike(
# CHECK-NOT: _element
# CHECK: return
def alike(a: f64[N]):
    c = a + 1.0
    c *= 2.0
    return c
