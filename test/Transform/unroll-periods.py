# RUN: %appyc %s -w --emit=ir --stop-after=simplify -o - | FileCheck %s
# Steps that take turns by a remainder are written out, so that what takes turns has a name of its own in each.
import numpy as np


# CHECK-LABEL: def by_parity
# CHECK: for t in range(0, steps // 2, 1):
# CHECK-NOT: %
# CHECK: b[{{.*}}] = (a[
# CHECK: a[{{.*}}] = (b[
# CHECK: if steps > 0 and steps % 2 > 0:
# CHECK: b[{{.*}}] = (a[
# CHECK-NOT: a[{{.*}}] =
#appyc: def by_parity(a: f64[N], b: f64[N], steps: i64)
def by_parity(a, b, steps):
    for t in range(steps):
        if t % 2 == 0:
            for i in range(1, len(a) - 1):
                b[i] = (a[i - 1] + a[i + 1]) / 2
        else:
            for i in range(1, len(a) - 1):
                a[i] = (b[i - 1] + b[i + 1]) / 2


# CHECK-LABEL: def by_subscript
# CHECK: for t in range(0, (steps - 1) // 3, 1):
# CHECK: u[1, {{.*}}] = u[2, {{.*}}] + f64(t * 3 + 1)
# CHECK: u[2, {{.*}}] = u[0, {{.*}}] + f64(t * 3 + 2)
# CHECK: u[0, {{.*}}] = u[1, {{.*}}] + f64(t * 3 + 3)
#appyc: def by_subscript(u: f64[3, N], steps: i64)
def by_subscript(u, steps):
    for t in range(1, steps):
        for i in range(1, u.shape[1]):
            u[t % 3, i] = u[(t + 1) % 3, i - 1] + t


# Not where the steps may run in any order, or where a scalar goes on from one to another.
# CHECK-LABEL: def rows
# CHECK: i % 2
# CHECK: t % 2
#appyc: def rows(x: f64[2, N], y: f64[M, N]) -> f64
def rows(x, y):
    for i in range(y.shape[0]):
        for j in range(y.shape[1]):
            y[i, j] = x[i % 2, j]
    s = 0.0
    for t in range(y.shape[0]):
        for j in range(y.shape[1]):
            s = s * y[t, j] + x[t % 2, j]
    return s
