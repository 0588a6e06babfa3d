//===- cublas.cuh - matrix products by cuBLAS ----------------------------------------------------------===//
#pragma once
#include "host_cuda.h"
#include "products.cuh"
#include <cublas_v2.h>

//@ cublas_check : fail
inline int cublas_check(cublasStatus_t status) {
  return status == CUBLAS_STATUS_SUCCESS ? int(Ok) : fail(RuntimeError, cublasGetStatusString(status));
}

//@ cublas_handle : check cublas_check
// The calling thread's handle for the current device, made at its first use.
inline int cublas_handle(cublasHandle_t& handle, cudaStream_t stream) {
  constexpr int devices = 64;
  thread_local cublasHandle_t handles[devices];
  int device = 0;
  if (const int status = check(cudaGetDevice(&device))) return status;
  if (device >= devices) return fail(RuntimeError, "too many devices");
  if (!handles[device])
    if (const int status = cublas_check(cublasCreate(&handles[device]))) return status;
  handle = handles[device];
  return cublas_check(cublasSetStream(handle, stream));
}

//@ cublas_f32
inline cublasStatus_t cublas_gemm(cublasHandle_t handle, cublasOperation_t a_op, cublasOperation_t b_op,
                                  int64_t m, int64_t n, int64_t k, const float* alpha, const float* a,
                                  int64_t lda, const float* b, int64_t ldb, const float* beta, float* c,
                                  int64_t ldc) {
  return cublasSgemm_64(handle, a_op, b_op, m, n, k, alpha, a, lda, b, ldb, beta, c, ldc);
}

//@ cublas_f64
inline cublasStatus_t cublas_gemm(cublasHandle_t handle, cublasOperation_t a_op, cublasOperation_t b_op,
                                  int64_t m, int64_t n, int64_t k, const double* alpha, const double* a,
                                  int64_t lda, const double* b, int64_t ldb, const double* beta, double* c,
                                  int64_t ldc) {
  return cublasDgemm_64(handle, a_op, b_op, m, n, k, alpha, a, lda, b, ldb, beta, c, ldc);
}

//@ cublas_c64 : Complex
inline cublasStatus_t cublas_gemm(cublasHandle_t handle, cublasOperation_t a_op, cublasOperation_t b_op,
                                  int64_t m, int64_t n, int64_t k, const Complex<float>* alpha,
                                  const Complex<float>* a, int64_t lda, const Complex<float>* b, int64_t ldb,
                                  const Complex<float>* beta, Complex<float>* c, int64_t ldc) {
  using Number = cuComplex;
  return cublasCgemm_64(handle, a_op, b_op, m, n, k, (const Number*)alpha, (const Number*)a, lda,
                        (const Number*)b, ldb, (const Number*)beta, (Number*)c, ldc);
}

//@ cublas_c128 : Complex
inline cublasStatus_t cublas_gemm(cublasHandle_t handle, cublasOperation_t a_op, cublasOperation_t b_op,
                                  int64_t m, int64_t n, int64_t k, const Complex<double>* alpha,
                                  const Complex<double>* a, int64_t lda, const Complex<double>* b,
                                  int64_t ldb, const Complex<double>* beta, Complex<double>* c, int64_t ldc) {
  using Number = cuDoubleComplex;
  return cublasZgemm_64(handle, a_op, b_op, m, n, k, (const Number*)alpha, (const Number*)a, lda,
                        (const Number*)b, ldb, (const Number*)beta, (Number*)c, ldc);
}

//@ cublas_triangle_f32
inline cublasStatus_t cublas_syrkx(cublasHandle_t handle, cublasFillMode_t part, cublasOperation_t op,
                                   int64_t n, int64_t k, const float* alpha, const float* a, int64_t lda,
                                   const float* b, int64_t ldb, const float* beta, float* c, int64_t ldc) {
  return cublasSsyrkx_64(handle, part, op, n, k, alpha, a, lda, b, ldb, beta, c, ldc);
}

//@ cublas_triangle_f64
inline cublasStatus_t cublas_syrkx(cublasHandle_t handle, cublasFillMode_t part, cublasOperation_t op,
                                   int64_t n, int64_t k, const double* alpha, const double* a, int64_t lda,
                                   const double* b, int64_t ldb, const double* beta, double* c, int64_t ldc) {
  return cublasDsyrkx_64(handle, part, op, n, k, alpha, a, lda, b, ldb, beta, c, ldc);
}

//@ cublas_triangle_c64 : Complex
inline cublasStatus_t cublas_syrkx(cublasHandle_t handle, cublasFillMode_t part, cublasOperation_t op,
                                   int64_t n, int64_t k, const Complex<float>* alpha, const Complex<float>* a,
                                   int64_t lda, const Complex<float>* b, int64_t ldb,
                                   const Complex<float>* beta, Complex<float>* c, int64_t ldc) {
  using Number = cuComplex;
  return cublasCsyrkx_64(handle, part, op, n, k, (const Number*)alpha, (const Number*)a, lda,
                         (const Number*)b, ldb, (const Number*)beta, (Number*)c, ldc);
}

//@ cublas_triangle_c128 : Complex
inline cublasStatus_t cublas_syrkx(cublasHandle_t handle, cublasFillMode_t part, cublasOperation_t op,
                                   int64_t n, int64_t k, const Complex<double>* alpha,
                                   const Complex<double>* a, int64_t lda, const Complex<double>* b,
                                   int64_t ldb, const Complex<double>* beta, Complex<double>* c,
                                   int64_t ldc) {
  using Number = cuDoubleComplex;
  return cublasZsyrkx_64(handle, part, op, n, k, (const Number*)alpha, (const Number*)a, lda,
                         (const Number*)b, ldb, (const Number*)beta, (Number*)c, ldc);
}

//@ cublas_pitch : Matrix
// The distance between rows or columns, whichever are contiguous; where there is one only, memory does not
// say it.
template <class T> int64_t cublas_pitch(Matrix<T> m, int64_t rows, int64_t columns) {
  const int64_t distance = m.column == 1 ? m.row : m.column, least = m.column == 1 ? columns : rows;
  return distance > least ? distance : least > 1 ? least : 1;
}

//@ multiply_by_cublas : Matrix Limits Update cublas_handle cublas_pitch
// c = alpha * a @ b + beta * c, where each matrix has contiguous rows or columns. cuBLAS counts by columns:
// it is given the transposed product.
template <Target use, class T>
int multiply_by_cublas(int64_t rows, int64_t columns, int64_t inner, T alpha, Matrix<const T> a,
                       Matrix<const T> b, T beta, Matrix<T> c, Limits<0> limits, cudaStream_t stream) {
  if (c.column != 1)
    return multiply_by_cublas<use, T>(columns, rows, inner, alpha, b.transposed(), a.transposed(), beta,
                                      c.transposed(), limits, stream);
  if (rows <= 0 || columns <= 0) return Ok;
  cublasHandle_t handle;
  if (const int status = cublas_handle(handle, stream)) return status;
  inner = inner > 0 ? inner : 0;
  const auto operation = [](Matrix<const T> m) { return m.column == 1 ? CUBLAS_OP_N : CUBLAS_OP_T; };
  return cublas_check(cublas_gemm(handle, operation(b), operation(a), columns, rows, inner, &alpha, b.data,
                                  cublas_pitch(b, inner, columns), a.data, cublas_pitch(a, rows, inner),
                                  &beta, c.data, cublas_pitch(c, rows, columns)));
}

//@ multiply_triangle_by_cublas : Matrix Limits Update cublas_handle cublas_pitch
// Likewise of one triangle of a square c with contiguous rows; a and b.transposed() are laid out alike.
template <Target use, class T>
int multiply_by_cublas(int64_t rows, int64_t, int64_t inner, T alpha, Matrix<const T> a, Matrix<const T> b,
                       T beta, Matrix<T> c, Limits<1> limits, cudaStream_t stream) {
  if (rows <= 0) return Ok;
  cublasHandle_t handle;
  if (const int status = cublas_handle(handle, stream)) return status;
  inner = inner > 0 ? inner : 0;
  const auto part =
      limits.all[0].row < 0 ? CUBLAS_FILL_MODE_UPPER : CUBLAS_FILL_MODE_LOWER; // of the transposed
  const auto op = a.column == 1 && b.row == 1 ? CUBLAS_OP_T : CUBLAS_OP_N;
  return cublas_check(cublas_syrkx(handle, part, op, rows, inner, &alpha, b.data,
                                   cublas_pitch(b, inner, rows), a.data, cublas_pitch(a, rows, inner), &beta,
                                   c.data, cublas_pitch(c, rows, rows)));
}

//@ scale_and_multiply : multiply
// Where a factor is 0, cuBLAS does not read what it stands before; NumPy's 0 * nan is nan.
template <Target use, class T, int limit_count>
int scale_and_multiply(int64_t rows, int64_t columns, int64_t inner, T alpha, Matrix<const T> a,
                       Matrix<const T> b, T beta, Matrix<T> c, Limits<limit_count> limits,
                       cudaStream_t stream) {
  if (alpha != 0 && (beta != 0 || use == Overwrite))
    return multiply_by_cublas<use, T>(rows, columns, inner, alpha, a, b, beta, c, limits, stream);
  multiply<use, T>(rows, columns, inner, alpha, a, b, beta, c, limits, stream);
  return Ok;
}
