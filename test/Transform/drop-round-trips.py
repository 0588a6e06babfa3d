# What goes to another array and comes back as it was stays where it is.
# RUN: %appyc %s --stop-after=drop-round-trips --emit=ir -o - | FileCheck %s
# RUN: %appyc %s --remarks -o - 2>&1 >/dev/null | FileCheck %s --check-prefix=REMARK
import numpy as np


# REMARK: remark: only what the statements before it have changed is copied back [dead-store]
# REMARK: steps at a time in tiles
def stepped(steps: i64, u: f64[M, N]) -> f64[M, N]:
    for t in range(steps):
        v = u.copy()
        v[1:-1, 1:-1] = 0.5 * (u[:-2, 1:-1] + u[1:-1, 2:])
        u = v
    return u
# CHECK-LABEL: def stepped(
# CHECK: v: f64[M, N]
# CHECK-NEXT: v[i{{.*}} + 1, j{{.*}} + 1] = 0.5 *
# CHECK-NEXT: u_1[i{{.*}} + 1, j{{.*}} + 1] = v[i{{.*}} + 1, j{{.*}} + 1] for i{{.*}} < max(M - 2, 0), j{{.*}} < max(N - 2, 0)
# CHECK-NEXT: return


# Borders that are copied by hand, behind what they do not meet.
def borders(steps: i64, u: f64[N]):
    for t in range(steps):
        v = np.empty_like(u)
        v[1:-1] = 0.5 * (u[:-2] + u[2:])
        v[0] = u[0]
        v[-1] = u[-1]
        u[:] = v
# CHECK-LABEL: def borders(
# CHECK: v: f64[N]
# CHECK-NEXT: v[i{{.*}} + 1] =
# CHECK-NEXT: u[i{{.*}} + 1] = v[i{{.*}} + 1]
# CHECK-NOT: v[


# A copy over what was changed counts; so does a copy that is read away from its place, or behind the way back.
def kept(u: f64[N], w: f64[N]) -> f64:
    v = np.zeros_like(u)
    v[1:] = 0.5 * u[:-1]
    v[:2] = u[:2]
    u[:] = v
    x = w.copy()
    x[1:] = x[:-1] + w[1:]
    w[:] = x
    y = w.copy()
    y[1:] = 0.5 * w[:-1]
    w[:] = y
    return y.sum()
# CHECK-LABEL: def kept(
# CHECK: u[{{[ij_0-9]*}}] = v[{{[ij_0-9]*}}] for {{[ij_0-9]*}} < N
# CHECK: w[{{[ij_0-9]*}}] = x[{{[ij_0-9]*}}] for {{[ij_0-9]*}} < N
# CHECK: w[{{[ij_0-9]*}}] = y[{{[ij_0-9]*}}] for {{[ij_0-9]*}} < N
