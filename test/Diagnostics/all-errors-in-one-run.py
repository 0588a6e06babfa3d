# Errors of the front end, of names and of parallelism come in one run.
# RUN: not %appyc %s -o - 2>&1 | FileCheck %s
def f(n: i64, A: f64[N]):
    #pragma paralel for
    for i in range(n):
        A[i] = mask
# CHECK-DAG: :4:{{[0-9]+}}: error: unknown pragma `paralel`; did you mean `parallel`? [unknown-pragma]
# CHECK-DAG: :6:16: error: `mask` is not defined here [undefined-name]


def g(A: f64[N]):
    #pragma parallel for
    for i in range(1, A.shape[0]):
        A[i] = A[i - 1]
# CHECK-DAG: :13:5: error: loop `i` is declared parallel, {{.*}} iteration i=1 writes A[1], iteration i=2 reads it [loop-carried]
