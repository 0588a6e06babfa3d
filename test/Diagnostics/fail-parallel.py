# A wrong annotation is an error with its reason.
# RUN: not %appyc %s -o - 2>&1 | FileCheck %s
def carried(a: f64[N]) -> f64:
    last = 0.0
    #pragma parallel for
    for i in range(a.shape[0]):
        last = a[i] - 2.0 * last
    return last
# CHECK: :6:5: error: loop `i` is declared parallel, but `last` carries a value from one iteration to the next [loop-carried]


def live_out(a: f64[N]) -> f64:
    t = 0.0
    #pragma parallel for
    for i in range(a.shape[0]):
        t = a[i]
    return t
# CHECK: :15:5: error: `t` is assigned in the parallel loop `i` and read after it: no one value is left [live-out]


def in_place(a: f64[M, N]):
    #pragma parallel for
    for i in range(1, a.shape[0] - 1):
        for j in range(a.shape[1]):
            a[i, j] = a[i - 1, j] + a[i + 1, j]
# CHECK: :23:5: error: loop `i` is declared parallel, but its iterations depend on one another: iteration i=


def recurrence(a: f64[N], b: f64[M]):
    #pragma parallel for
    for i in range(b.shape[0]):
        #pragma simd
        for j in range(1, a.shape[0]):
            a[j] = a[j - 1] + 1.0
# CHECK: error: loop `j` is declared simd
