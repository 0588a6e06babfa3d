# Pragmas belong to the next statement of their class in the block; anything else is an error.
# RUN: not %appyc %s -o - 2>&1 | FileCheck %s
def f(n: i64, a: f64[n]):
    #pragma parallel for
    a[0] = 1.0
    #pragma atomic
    for i in range(n):
        a[i] = 2.0
    #pragma parallel for
    #pragma simd
    for i in range(n):
        a[i] = 3.0
    #pragma simd
# CHECK-DAG: :4:{{.*}} error: {{.*}} [stray-pragma]
# CHECK-DAG: :6:{{.*}} error: {{.*}} [stray-pragma]
# CHECK-DAG: error: {{.*}} [duplicate-pragma]
# CHECK-DAG: :13:{{.*}} error: {{.*}} [stray-pragma]
