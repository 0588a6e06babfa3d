# A temporary read once is its value; one that costs a reduction or changes before it is read stays.
# RUN: %appyc %s --stop-after=forward-temporaries --emit=ir -o - | FileCheck %s
def chain(a: f64[N], b: f64[N]):
    t = a + b
    b[:] = t * 2.0
# CHECK-LABEL: def chain
# CHECK: b[i{{.*}}] = (a[i{{.*}}] + b[i{{.*}}]) * 2.0
# CHECK-NOT: t: f64


def changed(a: f64[N], b: f64[N]):
    t = a + 1.0
    a[:] = 0.0
    b[:] = t
# CHECK-LABEL: def changed
# CHECK: t: f64[N]
