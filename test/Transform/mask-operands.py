# Products within limits that share an operand and the target become one product of a matrix with zeros.
# RUN: %appyc %s --stop-after=mask-operands --emit=ir -o - | FileCheck %s
# RUN: %appyc %s --disable-pass=mask-operands --emit=ir -o - | FileCheck --check-prefix=OFF %s
# RUN: %appyc %s --no-library --emit=ir -o - | FileCheck --check-prefix=OFF %s
# RUN: %appyc %s --remarks -o - 2>&1 >/dev/null | FileCheck --check-prefix=WHY %s
# RUN: %appyc %s --target=cpu -o - | FileCheck --check-prefix=CPU %s
# RUN: %appyc %kernels_matmul.py -w --emit=fired | %where pass=mask-operands | FileCheck --check-prefix=FIRES %s
# Not of whole numbers.
# FIRES: mask-operands: symmetric_not_finite symmetric_operand symmetric_right triangular_operands{{$}}
# OFF-NOT: masked
# CPU-NOT: masked
from __future__ import annotations
import numpy as np


def symmetric(C: f64[M, N], A: f64[M, M], B: f64[M, N], alpha: f64):
    for i in range(C.shape[0]):
        for j in range(C.shape[1]):
            C[:i, j] += alpha * B[i, j] * A[i, :i]
            C[i, j] += B[:i, j] @ (alpha * A[i, :i])
# WHY: mask-operands.py:[[@LINE-1]]:13: remark: what lies outside of the limits becomes 0, so that cuBLAS computes the product
# CHECK-LABEL: def symmetric(
# CHECK: masked[i, k] = (A[i, k] if k < M - 1 and k <= i - 1 else 0.0) + (A[k, i] if i < M - 1 and i <= k - 1 else 0.0)
# CHECK-NEXT: matmul product[r, c] = 1.0 * masked[r, k] * B[k, c]  for r < M, c < N, k < M  # library
# CHECK-NEXT: finite: bool = all(isfinite(B[k_1, j]) for k_1 < M, j < N)
# CHECK-NEXT: for i_1 in range(0, M, 1):  # proven
# CHECK-NEXT: for j_1 in range(0, N, 1):  # proven
# CHECK-NEXT: if finite and isfinite(alpha):
# CHECK-NEXT: C[i_1, j_1] = alpha * product[i_1, j_1] + C[i_1, j_1]
# CHECK-NEXT: else:
# CHECK: total{{.*}} + alpha * (A[


# One triangle alone stays with tiles; so do limits that concern the target.
def one_triangle(C: f64[N, M], L: f64[N, N], B: f64[N, M]):
    for i in range(C.shape[0]):
        C[i] = L[i, :i] @ B[:i]
# CHECK-LABEL: def one_triangle(
# CHECK-NOT: masked
