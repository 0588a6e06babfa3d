# What a name stands for behind a branch is changed where the branch changes it.
# RUN: %appyc %s --stop-after=drop-chosen-copies --emit=ir -o - | FileCheck %s
# RUN: %appyc %s -w --emit=fired | %where pass=drop-chosen-copies,find-best | FileCheck --check-prefix=FIRES %s
import numpy as np


# FIRES: drop-chosen-copies: best_row by_turns{{$}}
# FIRES: find-best: best_row{{$}}
def best_row(x: f64[N, M], f: f64[N]):
    best = np.inf
    g = np.zeros(x.shape[1])
    for i in range(x.shape[0]):
        if f[i] < best:
            best = f[i]
            g = x[i].copy()
    return g, best
# CHECK-LABEL: def best_row(
# CHECK: if f[{{.*}}] < best:
# CHECK-NEXT: best = f[{{.*}}]
# CHECK-NEXT: g[{{.*}}] = x[{{.*}}, {{.*}}] for
# CHECK-NEXT: result


# On each of several paths; what is read by elements alone.
def by_turns(x: f64[N, M], f: f64[N]):
    g = np.zeros(x.shape[1])
    for i in range(x.shape[0]):
        if f[i] < 0:
            g = g + x[i]
        elif f[i] < 1:
            g = x[i] * 2
    return g
# CHECK-LABEL: def by_turns(
# CHECK: if f[{{.*}}] < 0.0:
# CHECK-NEXT: g[[[I:.*]]] = g[[[I]]] + x[{{.*}}, [[I]]] for
# CHECK-NEXT: elif f[{{.*}}] < 1.0:
# CHECK-NEXT: g[{{.*}}] = x[{{.*}}, {{.*}}] * 2.0 for
# CHECK-NEXT: return


# What reads other elements than it sets needs the array as it was; what is asked for elsewhere stays.
def shifted(x: f64[N, M], f: f64[N], out: f64[N]):
    g = np.zeros(x.shape[1])
    for i in range(x.shape[0]):
        h = g
        if f[i] < 0:
            g = g[::-1] + x[i]
        out[i] = g[0] - h[0]
    return g
# CHECK-LABEL: def shifted(
# CHECK: else:
