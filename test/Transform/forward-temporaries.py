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


# A temporary that is copied is made where it goes; what else reads it reads it there.
def chained(a: f64[N, M], c: f64[M, M]):
    for i in range(c.shape[0]):
        c[i, i:] = c[i:, i] = a[:, i] @ a[:, i:]
# CHECK-LABEL: def chained
# CHECK-NOT: t: f64
# CHECK: c[i, i + [[I:i_[0-9]+]]] = sum(a[k, i] * a[k, i + [[I]]] for k < N)
# CHECK-NEXT: c[i + [[J:i_[0-9]+]], i] = c[i, i + [[J]]]


# Not where elements meet in the first place, nor where that place changes before the last read.
def gathered(a: f64[N, M], k: i64[M], c: f64[N], d: f64[M]):
    c[k] = d[:] = a[:, 0] @ a
# CHECK-LABEL: def gathered
# CHECK: t: f64


def thrice(a: f64[N, M], c: f64[M], d: f64[M]):
    c[:] = c[::-1] = d[:] = a[:, 0] @ a
# CHECK-LABEL: def thrice
# CHECK: t: f64
