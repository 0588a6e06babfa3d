# `*t` among the items of a tuple or call stands for the items of the tuple `t`.
# RUN: not %appyc %s -o - 2>&1 | FileCheck %s
def good(a: f64[N], c: i64):
    y = (a, c)
    return c, *y
# CHECK-NOT: error


def of_an_array(a: f64[N], c: i64):
    return c, *a
# CHECK: :10:{{[0-9]+}}: error: the numbers of this list differ in kind, as Python's int and float do; convert each when it is put in


def alone(a: f64[N]):
    return *a
# CHECK: :15:12: error: `*` here is not translated; write the values out one by one
