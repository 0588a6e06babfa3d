# NEP 50: Python's own numbers take the array's dtype, NumPy's scalars do not.
# RUN: %appyc %s --stop-after=forward-temporaries --emit=ir -o - | FileCheck %s
def weak(a: f32[N], s: float) -> f32[N]:
    return a * s + 1.5
# CHECK-LABEL: def weak
# CHECK-SAME: -> f32[N]


def strong(a: f32[N], s: f64) -> f64[N]:
    return a * s
# CHECK-LABEL: def strong
# CHECK-SAME: -> f64[N]


def mixed(a: i64[N], b: u64[N]) -> f64[N]:
    return a + b
# CHECK-LABEL: def mixed
# CHECK: f64(a[i]) + f64(b[i])
