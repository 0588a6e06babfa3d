# What only unread variables are computed from is not declared either: nvcc would warn of it.
# RUN: %appyc %s -o - | FileCheck %s
# RUN: %appyc %s --target=cpu -o - | FileCheck --check-prefixes=CHECK,CPU %s
def sums(a: f64[N], d: int):
    i = 0
    while i < 5:
        a[0] += before(i, d)
        i += 1
    return i


# CHECK: // a[0] += before(i, d)
# CHECK-NEXT: {{i.*}} < 5; ++{{i.*}}) a{{.*}} += 2.0;
def before(i, d):
    count = d
    count += i
    i = count - 1
    count = i + count
    return 2.0


# An accumulator that nothing reads.
def unread_sum(a: f32[:, :]):
    for i in range(a.shape[0]):
        s = 0.0
        for j in range(a.shape[1]):
            s = s + 0.25


# CPU-NOT: 0.25
