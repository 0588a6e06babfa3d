# What only unread variables are computed from is not declared either: nvcc would warn of it.
# RUN: %appyc %s -o - | FileCheck %s
# RUN: %appyc %s --target=cpu -o - | FileCheck %s
def sums(a: f64[N], d: int):
    i = 0
    while i < 5:
        a[0] += before(i, d)
        i += 1
    return i


# CHECK: while (i < 5) {
# CHECK-NEXT: // a[0] += before(i, d)
# CHECK-NEXT: a[0] += 2.0;
def before(i, d):
    count = d
    count += i
    i = count - 1
    count = i + count
    return 2.0
