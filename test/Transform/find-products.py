# Sums of products over two matrices become matrix products, whatever they are written as; --no-library keeps cuBLAS out.
# RUN: %appyc %s --stop-after=find-products --emit=ir -o - | FileCheck %s
# RUN: %appyc %s --no-library --emit=ir -o - | FileCheck --check-prefix=OWN %s
# RUN: %appyc %s --disable-pass=find-products --emit=ir -o - | FileCheck --check-prefix=OFF %s
# RUN: %appyc %s --remarks -o - 2>&1 >/dev/null | FileCheck --check-prefix=WHY %s
# RUN: %appyc %s -o - | FileCheck --check-prefix=CODE %s
# RUN: %appyc %s --no-library -o - | FileCheck --check-prefix=OWNCODE %s
# RUN: %appyc %kernels_matmul.py -w --emit=fired | FileCheck --check-prefix=FIRED %s
# Rows that are made of earlier rows as they have become are no product.
# FIRED: substitution:
# FIRED-NOT: find-products
# FIRED: symmetric_integers:{{.*}} find-products
# CODE: // build: nvcc {{.*}} -lcublas
# OWNCODE-NOT: cublas
# OWN-NOT: # library
# OFF-NOT: matmul
from __future__ import annotations
import numpy as np


def gemm(alpha: f64, beta: f64, C: f64[M, N], A: f64[M, K], B: f64[K, N]):
    C[:] = alpha * A @ B + beta * C
# CHECK-LABEL: def gemm
# CHECK-NEXT: # sizes
# CHECK-NEXT: # writes
# CHECK-NEXT: matmul C[r, c] = alpha * A[r, k] * B[k, c] + beta * C[r, c]  for r < M, c < N, k < K  # library
# WHY: remark: a matrix product of M x K x N: cuBLAS computes it [product]
# CODE: scale_and_multiply<Update, double>(M, N, K, alpha, {A, K, 1}, {B, N, 1}, beta,


def as_loops(C: f64[M, N], A: f64[M, K], B: f64[N, K]):
    for i in range(A.shape[0]):
        for j in range(B.shape[0]):
            total = 0.0
            for k in range(A.shape[1]):
                total += A[i, k] * B[j, k]
            C[i, j] = total
# CHECK-LABEL: def as_loops
# CHECK: matmul C[r, c] = 1.0 * A[r, k] * B[c, k]  for r < M, c < N, k < K  # library


def triangle(beta: f64, C: f64[N, N], A: f64[N, M]):
    for i in range(A.shape[0]):
        C[i, :i + 1] *= beta
        for k in range(A.shape[1]):
            C[i, :i + 1] += A[i, k] * A[:i + 1, k]
# CHECK-LABEL: def triangle
# CHECK: matmul C[r, c] = 1.0 * A[r, k] * A[c, k] + beta * C[r, c]  for r < N, c < N, k < M, -r + c <= 0  # library
# CODE: Limits<1>{{[{][{][{]}}-1, 1, 0, 0}}}


def in_place(alpha: f64, A: f64[M, M], B: f64[M, N]):
    for i in range(B.shape[0]):
        for j in range(B.shape[1]):
            B[i, j] += np.dot(A[i + 1:, i], B[i + 1:, j])
    B *= alpha
# CHECK-LABEL: def in_place
# CHECK: matmul product[r, c] = 1.0 * A[1 + k, r] * B[1 + k, c]  for r < M, c < N, k < M - 1, r - k <= 0
# CHECK: B[i, j] = B[i, j] + product[i, j]
# An infinite alpha would make nan of an element and a product of unlike signs.
# CHECK-NEXT: B[i_1, j_1] = B[i_1, j_1] * alpha
# CHECK-NEXT: return


def bias(x: f64[M, K], w: f64[K, N], b: f64[N]) -> f64[M, N]:
    return np.maximum(np.exp(x) @ w + b, 0.0)
# CHECK-LABEL: def bias
# CHECK: operand[i, k] = exp(x[i, k])
# CHECK: matmul product[r, c] = 1.0 * operand[r, k] * w[k, c]
# CHECK: max(product[i_1, j] + b[j], 0.0)


def whole_numbers(A: i32[N, N], B: i32[N, N]) -> i32[N, N]:
    return A @ B
# CHECK-LABEL: def whole_numbers
# CHECK: matmul
# CHECK-NOT: # library
# WHY: tiles in shared memory compute it


# A sum of nothing is 0, and that times nan is nan: what multiplies the sum is no factor of its terms.
def of_sum(alpha: f64, C: f64[M, N], A: f64[M, K], B: f64[K, N]):
    C[:] = alpha * (A @ B) + C
# CHECK-LABEL: def of_sum
# CHECK: matmul C[r, c] = alpha * (A[r, k] * B[k, c]) + 1.0 * C[r, c]
# CODE: scale_and_multiply<Update, double, OfSum>(


def of_rows(w: f64[M], x: f64[N], C: f64[M, N], A: f64[M, K], B: f64[K, N]):
    C[:] = w[:, None] * (A @ B)
    C[:] += (x[0] * A) @ B
# CHECK-LABEL: def of_rows
# CHECK: matmul product[r, c] = 1.0 * A[r, k] * B[k, c]
# CHECK: C[i, j] = w[i] * product[i, j]
# CHECK: operand[i_1, k] = x[0] * A[i_1, k]
# CHECK: matmul C[r, c] = 1.0 * operand[r, k] * B[k, c] + 1.0 * C[r, c]


def small(A: f64[N, 3], B: f64[3, N]) -> f64[N, N]:
    return A @ B
# CHECK-LABEL: def small
# CHECK-NOT: matmul


def batches(A: f64[P, L, M, K], B: f64[P, L, N, K], C: f64[L, M, N]):
    for b in range(C.shape[0]):
        C[b] += A[0, b] @ B[0, b].T
    return np.einsum("abij,abkj->abik", A, B)
# CHECK-LABEL: def batches
# CHECK: for b in range(0, L, 1):
# CHECK-NEXT: matmul C[b, r, c] = 1.0 * A[0, b, r, k] * B[0, b, c, k] + 1.0 * C[b, r, c]  for r < M, c < N, k < K  # library
# CHECK: for i in range(0, P, 1):
# CHECK-NEXT: for j in range(0, L, 1):
# CHECK-NEXT: matmul result[i, j, r, c] = 1.0 * A[i, j, r, k] * B[i, j, c, k]  for r < M, c < N, k < K  # library
# OWN-LABEL: def batches
# OWN-NOT: matmul
# WHY: remark: a batch of matrix products of M x K x N: cuBLAS computes it [product]
# CODE: multiply_batch_by_cublas<Overwrite, double>(M, N, K, 1.0, {A, K, 1}, {B, 1, K}, 0.0,
# CODE-NEXT: {result, N, 1}, Batch{P * L, M * K, N * K, M * N}, stream)
