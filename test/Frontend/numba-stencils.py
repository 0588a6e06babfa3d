# How far a stencil reaches is read from its subscripts, or said.
# RUN: not %appyc %s -fsyntax-only 2>&1 | FileCheck %s
from numba import stencil


@stencil
def untold(u, k):
    # CHECK-DAG: :[[#@LINE+1]]:14: error: how far this subscript of a stencil reaches is not known; say it, `@stencil(neighborhood=((-1, 1), (0, 2)))`
    return u[k]


# CHECK-DAG: :[[#@LINE+1]]:10: error: `@stencil` takes `cval=`, `neighborhood=` and `standard_indexing=`
@stencil(boundary="wrap")
def wrapped(u):
    return u[1]


@stencil
def wide(u):
    return u[0, 0, 0, 0, 1]


def of_vectors(a: f64[N], k: i64):
    return untold(a, k) + wrapped(a)


def of_five(a: f64[N, N, N, N, N]):
    # CHECK-DAG: :[[#@LINE+1]]:12: error: {{.*}}a stencil sees an array of one to four axes; write a loop
    return wide(a)


def applied(a: f64[N]):
    # CHECK-DAG: :[[#@LINE+1]]:12: error: {{.*}}decorate the function with it: `@stencil` above its `def`
    return stencil(lambda u: u[1])(a)
