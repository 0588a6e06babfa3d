# What the steps of a loop add to all elements of an array runs element by element; what a step makes for it is kept.
# RUN: %appyc %s --stop-after=collect-columns --emit=ir -w -o - | FileCheck %s
# RUN: %appyc %s -w --emit=fired | %where pass=collect-columns | FileCheck --check-prefix=FIRES %s
# FIRES: collect-columns: gradient sums{{ *$}}
import numpy as np


def sums(a: f64[M, N], p: f64[N], q: f64[N]):
    for r in range(a.shape[0]):
        w = 2.0 * r
        p += a[r] * w
        for j in range(a.shape[1]):
            q[j] = max(q[j], a[r, j])
# CHECK-LABEL: def sums
# CHECK: for [[I:.*]] in range(0, N, 1):
# CHECK-NEXT: for [[R:.*]] in range(0, M, 1):
# CHECK-NEXT: w{{.*}} = 2.0 * f64([[R]])
# CHECK-NEXT: p[[[I]]] = p[[[I]]] + a[[[R]], [[I]]] * w
# CHECK-NEXT: for [[J:.*]] in range(0, N, 1):
# CHECK-NEXT: for [[R:.*]] in range(0, M, 1):
# CHECK-NEXT: q[[[J]]] = a[


def gradient(x: f64[M, N], y: f64[M], w: f64[N], g: f64[K]):
    for i in range(x.shape[0]):
        z = 0.0
        for j in range(x.shape[1]):
            z += w[j] * x[i, j]
        p = np.exp(-z)
        for j in range(x.shape[1]):
            g[j] -= y[i] * x[i, j] * p
# CHECK-LABEL: def gradient
# CHECK: p_of_steps: f64[M]
# CHECK: for [[I:.*]] in range(0, M, 1):
# CHECK: p_of_steps[[[I]]] = p
# CHECK: if 0 < M:
# CHECK-NEXT: for [[J:.*]] in range(0, N, 1):
# CHECK-NEXT: for {{.*}} in range(0, M, 1):


# The next step reads what this one has added.
def descent(x: f64[M, N], y: f64[M], w: f64[N]):
    for i in range(x.shape[0]):
        z = 0.0
        for j in range(x.shape[1]):
            z += w[j] * x[i, j]
        for j in range(x.shape[1]):
            w[j] -= y[i] * x[i, j] * z
# CHECK-LABEL: def descent
# CHECK: for i in range(0, M, 1):
# CHECK-NEXT: z: f64 = 0.0


# Elements that steps share, or that move with them.
def moving(a: f64[M, N], p: f64[K]):
    for r in range(a.shape[0]):
        for j in range(a.shape[1]):
            p[r + j] += a[r, j]
    for r in range(a.shape[0]):
        for j in range(a.shape[1]):
            p[j // 2] += a[r, j]
# CHECK-LABEL: def moving
# CHECK-NOT: p_of_steps
