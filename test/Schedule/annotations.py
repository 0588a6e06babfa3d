# --annotate writes the pragmas that the automatic mapping amounts to; --remarks prints them.
# RUN: %appyc %s --annotate - | FileCheck %s
# RUN: %appyc %s -fsyntax-only --remarks 2>&1 | FileCheck %s --check-prefix=REMARK
# RUN: %appyc %s --annotate %t.py && %appyc %t.py --annotate - | diff %t.py -
# RUN: not %appyc %s --annotate %t.py --target=cpu 2>&1 | FileCheck %s --check-prefix=CPU
# CPU: error: --annotate writes what --target=cuda finds
import numpy as np


def rows(a: f64[M, N], s: f64[M]):
    for i in range(a.shape[0]):
        total = 0.0
        for j in range(a.shape[1]):
            total += a[i, j]
        s[i] = total
# CHECK: def rows
# CHECK-NEXT: {{^    }}#pragma parallel for{{$}}
# CHECK-NEXT: for i in
# CHECK-NEXT: total
# CHECK-NEXT: {{^        }}#pragma simd{{$}}
# CHECK-NEXT: for j in
# REMARK: annotations.py:[[#@LINE-11]]:5: remark: as if annotated by `#pragma parallel for` [annotation]
# REMARK: annotations.py:[[#@LINE-10]]:9: remark: as if annotated by `#pragma simd` [annotation]


# A loop that stays serial gets none; a thread runs all of an inner loop without one.
def steps(T: i64, a: f64[N], b: f64[N, 3]):
    for t in range(T):
        for i in range(1, a.shape[0]):
            for k in range(3):
                b[i, k] = a[i - 1] + k
        for i in range(a.shape[0]):
            a[i] = b[i, 0]
# CHECK: def steps
# CHECK-NEXT: for t
# CHECK-NEXT: {{^        }}#pragma parallel for{{$}}
# CHECK-NEXT: for i
# CHECK: #pragma parallel for simd
# CHECK-NEXT: for i


# Bounds are written as the target has them, by names that the function has.
def arrays(A: f64[:, :], x: f64[:], B: f64[M, N]):
    M, columns = B.shape
    y = A @ x
    B[1:-1, 2:columns] = A[1:-1, 2:columns] + y[1:-1, None]
    largest = np.max(A[0])
    B[0] = largest
# CHECK: def arrays
# CHECK: {{^    }}#pragma :A.shape[0]=>parallel :A.shape[1]=>reduce(sum)
# CHECK-NEXT: y = A @ x
# CHECK-NEXT: {{^    }}#pragma 1:M-1=>parallel 2:columns=>parallel
# CHECK: {{^    }}#pragma :A.shape[1]=>reduce(max)
# CHECK-NEXT: largest
# CHECK-NEXT: {{^    }}#pragma :columns=>parallel


# What is written by hand stays; a line of several statements has no place for a pragma.
def mixed(a: f64[N], b: f64[N]):
    #pragma parallel for
    for i in range(a.shape[0]): a[i] = 2.0 * b[i]
    a[1:] = 0.0; b[:] = 1.0
# CHECK: def mixed
# CHECK-NEXT: #pragma parallel for
# CHECK-NEXT: for i
# CHECK-NEXT: {{^    }}#pragma 1:a.shape[0]=>parallel
# CHECK-NEXT: a[1:] = 0.0; b[:] = 1.0
