# Above each kernel stand what it computes and how it is mapped; of several, each is called after the arrays that it writes.
# RUN: %appyc %s -o - | FileCheck %s
# RUN: sed 's/^import numpy as np/import numpy as np\n\n\ndef before(a: f64[N]):\n    return a + 1.0\n\n/' %s > %t.py && %appyc %t.py -o - | FileCheck --check-prefix=NAMES %s
import numpy as np


def alone(a: f64[N]):
    a[:] = a * 2.0
# CHECK:      // a[:] = a * 2.0
# CHECK-NEXT: // A thread for each i.
# CHECK-NEXT: template <class index_t> __global__ void alone_kernel(
# CHECK-NOT:  // a[:] = a * 2.0
# NAMES: __global__ void alone_kernel(


# A sum ends in a kernel that reads what others have left; what the caller does not see has its own name.
def scaled(a: f64[M, N], b: f64[M, N]):
    total = np.sum(a)
    b[:] = a / total
    a[0, :] = b[0, :] * 2.0
# CHECK:      // total = np.sum(a)
# CHECK-NEXT: // A block for each c, whose lanes share
# CHECK:      __global__ void scaled_total_partial(
# CHECK:      __global__ void scaled_total(
# CHECK:      // b[:] = a / total
# CHECK:      __global__ void scaled_b(
# CHECK:      // a[0, :] = b[0, :] * 2.0
# CHECK:      __global__ void scaled_a(
# NAMES: __global__ void scaled_total_partial(
# NAMES: __global__ void scaled_total(
# NAMES: __global__ void scaled_b(
# NAMES: __global__ void scaled_a(


# Several lines.
def fused(a: f64[N], b: f64[N], c: f64[N], d: f64[N]):
    for i in range(a.shape[0]):
        t = a[i] + b[i]
        c[i] = t * t
        d[i] = t
    for i in range(1, a.shape[0]):
        a[i] = b[i - 1]
        b[i] = c[i]
# CHECK:      // Lines {{[0-9]+}} to {{[0-9]+}}: c and d.
# CHECK-NEXT: // A thread for each i.
# CHECK:      __global__ void fused_c_d(
