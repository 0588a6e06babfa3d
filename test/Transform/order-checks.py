# Checks stand where CPython would raise; loops with one are serial, and stop. What bounds prove needs none.
# RUN: %appyc %s --sanitize=bounds --target=cpu --emit=ir | FileCheck %s
# RUN: %appyc %s --sanitize=bounds --emit=ir -w | FileCheck --check-prefix=CUDA %s
# RUN: %appyc %s --emit=ir -w | FileCheck --check-prefix=PLAIN %s
from __future__ import annotations


def scatter(x: f64[:], k: i64[:], v: f64[:]):
    for i in range(v.shape[0]):
        v[i] = 2.0 * v[i]
    for i in range(k.shape[0]):
        x[k[i]] = 1.0


# CHECK: for i in range(0, v_0, 1):  # proven
# CHECK-NEXT: v[i] = 2.0 * v[i]
# CHECK-NEXT: for [[I:i.*]] in range(0, k_0, 1):  # serial
# CHECK-NEXT: n: i64 = k[[[I]]]
# CHECK-NEXT: require n >= -x_0 and n < x_0, IndexError, "index %lld is out of bounds for axis 0 of `x` with size %lld", n, x_0
# CHECK-NEXT: x[n + x_0 if n < 0 else n] = 1.0
# CHECK-NOT: IndexError

# CUDA: launch scatter_x[(1, 1, 1), (1, 1, 1)](
# CUDA-LABEL: kernel scatter_x(
# CUDA: fault[0] = 0
# CUDA: for i{{.*}} in range(0, k_0, 1):  # serial
# CUDA-NEXT: if fault[0] == 0:
# CUDA: if not (n >= -x_0 and n < x_0):
# CUDA: fault[0] = 1
# CUDA: if fault[0] == 0:
# CUDA-NEXT: x[

# PLAIN-NOT: IndexError
# PLAIN-NOT: fault
