# Slice bounds keep NumPy's exact rules and lose them only where the plain form means the same for every size.
# RUN: %appyc %s --stop-after=forward-temporaries --emit=ir -o - | FileCheck %s
import numpy as np

def inner(a: f64[N], b: f64[N]):
    b[1:-1] = a[2:] - a[:-2]
# CHECK-LABEL: def inner
# CHECK: b[i + 1] = a[i + 2] - a[i]  for i < max(N - 2, 0)


def first(a: f64[N]) -> f64:
    return np.sum(a[:5])
# CHECK-LABEL: def first
# CHECK: k < min(5, N)


def reverse(a: f64[N], b: f64[N]):
    b[:] = a[::-1]
# CHECK-LABEL: def reverse
# CHECK: b[i] = a[N - i - 1]  for i < N


def around(a: f64[N], k: i64) -> f64:
    return a[k]
# CHECK-LABEL: def around
# CHECK: a[k + N if k < 0 else k]
