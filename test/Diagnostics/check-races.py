# --check-races leaves to the compiler what it can decide.
# RUN: not %appyc %s --check-races -o - 2>&1 | FileCheck %s
def live_out(x: f64[M], k: i64[N]) -> f64:
    t = 0.0
    #pragma parallel for
    for i in range(k.shape[0]):
        t = x[k[i]]
    return t
# CHECK: :6:5: error: `t` is assigned in the parallel loop `i` and read after it: no one value is left [live-out]


def recurrence(x: f64[M]):
    #pragma simd
    for i in range(1, x.shape[0]):
        x[i] = x[i - 1] + 1.0
# CHECK: :14:5: error: loop `i` is declared simd, but its iterations depend on one another
