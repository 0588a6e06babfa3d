"""Loops that workers share count their iterations where the step is none that 32 bits hold many times."""
# RUN: %appyc %s -w --emit=fired | %where pass=count-steps,count-open-steps | FileCheck --check-prefix=FIRES %s
# RUN: %appyc %s -o - -w --emit=ir --stop-after=count-steps | FileCheck %s
import numpy as np

# FIRES: count-steps: sparse{{ *$}}
# FIRES: count-open-steps: every tiles{{ *$}}


# CHECK-LABEL: def every
# CHECK: for t in range(0, (N - lo - 1) // s + 1 if s > 0 else {{.*}}, 1):
# CHECK-NEXT: k: i64 = lo + t * s
#appyc: def every(a: i64[N], lo: i64, s: i64)
def every(a, lo, s):
    if lo >= 0 and s > 0:
        for k in range(lo, len(a), s):
            a[k] += k


#appyc: def sparse(a: i64[N])
def sparse(a):
    for k in range(0, len(a), 4096):
        a[k] += k


# Few times a small number are no large one.
#appyc: def thirds(a: i64[N])
def thirds(a):
    for k in range(0, len(a), 3):
        a[k] += k


# What iterations make has room for as many as there are; loops right in it stay so, where both are mapped.
#appyc: def tiles(a: i64[M, N], s: i64, out: f64[M, N])
def tiles(a, s, out):
    for y in range(0, a.shape[0], s):
        for x in range(0, a.shape[1], s):
            count = np.zeros(300)
            for i in range(y, min(y + s, a.shape[0])):
                for j in range(x, min(x + s, a.shape[1])):
                    count[a[i, j]] += 1
            for i in range(y, min(y + s, a.shape[0])):
                for j in range(x, min(x + s, a.shape[1])):
                    out[i, j] = count[a[i, j]]
# CHECK-LABEL: def tiles
# CHECK: for t in range(0, {{.*}}, 1):  # proven, bind=grid
# CHECK-NEXT: for t_1 in range(0, {{.*}}, 1):  # proven
# CHECK-NEXT: y: i64 = t * s
# CHECK-NEXT: x: i64 = t_1 * s
