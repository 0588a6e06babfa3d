//===- blas_cpu.h - matrix products by BLAS ------------------------------------------------------------===//
#pragma once
#include "complex.h"
#include "products_cpu.h"

//@ cblas_sgemm
// What is used of BLAS is declared here, with numbers for its enumerations: programs need no header of it.
extern "C" void cblas_sgemm(int order, int a_op, int b_op, int m, int n, int k, float alpha, const float* a,
                            int lda, const float* b, int ldb, float beta, float* c, int ldc);

//@ cblas_dgemm
extern "C" void cblas_dgemm(int order, int a_op, int b_op, int m, int n, int k, double alpha, const double* a,
                            int lda, const double* b, int ldb, double beta, double* c, int ldc);

//@ cblas_cgemm
extern "C" void cblas_cgemm(int order, int a_op, int b_op, int m, int n, int k, const void* alpha,
                            const void* a, int lda, const void* b, int ldb, const void* beta, void* c,
                            int ldc);

//@ cblas_zgemm
extern "C" void cblas_zgemm(int order, int a_op, int b_op, int m, int n, int k, const void* alpha,
                            const void* a, int lda, const void* b, int ldb, const void* beta, void* c,
                            int ldc);

//@ CblasRowMajor CblasNoTrans CblasTrans
// CBLAS_ORDER and CBLAS_TRANSPOSE.
enum { CblasRowMajor = 101, CblasNoTrans = 111, CblasTrans = 112 };

//@ blas_f32 : cblas_sgemm CblasRowMajor
inline void blas_gemm(int a_op, int b_op, int m, int n, int k, float alpha, const float* a, int lda,
                      const float* b, int ldb, float beta, float* c, int ldc) {
  cblas_sgemm(CblasRowMajor, a_op, b_op, m, n, k, alpha, a, lda, b, ldb, beta, c, ldc);
}

//@ blas_f64 : cblas_dgemm CblasRowMajor
inline void blas_gemm(int a_op, int b_op, int m, int n, int k, double alpha, const double* a, int lda,
                      const double* b, int ldb, double beta, double* c, int ldc) {
  cblas_dgemm(CblasRowMajor, a_op, b_op, m, n, k, alpha, a, lda, b, ldb, beta, c, ldc);
}

//@ blas_c64 : Complex cblas_cgemm CblasRowMajor
inline void blas_gemm(int a_op, int b_op, int m, int n, int k, Complex<float> alpha, const Complex<float>* a,
                      int lda, const Complex<float>* b, int ldb, Complex<float> beta, Complex<float>* c,
                      int ldc) {
  cblas_cgemm(CblasRowMajor, a_op, b_op, m, n, k, &alpha, a, lda, b, ldb, &beta, c, ldc);
}

//@ blas_c128 : Complex cblas_zgemm CblasRowMajor
inline void blas_gemm(int a_op, int b_op, int m, int n, int k, Complex<double> alpha,
                      const Complex<double>* a, int lda, const Complex<double>* b, int ldb,
                      Complex<double> beta, Complex<double>* c, int ldc) {
  cblas_zgemm(CblasRowMajor, a_op, b_op, m, n, k, &alpha, a, lda, b, ldb, &beta, c, ldc);
}

//@ multiply_by_blas : Matrix Limits Update multiply CblasRowMajor
// c = alpha * a @ b + beta * c, where each matrix has contiguous rows or columns and no factor that is used is 0. What
// BLAS cannot count is made without it.
template <Target use, class T, Scale scale = OfTerms>
void multiply_by_blas(int64_t rows, int64_t columns, int64_t inner, T alpha, Matrix<const T> a,
                      Matrix<const T> b, T beta, Matrix<T> c, Limits<0> limits) {
  if (c.column != 1)
    return multiply_by_blas<use, T, scale>(columns, rows, inner, alpha, b.transposed(), a.transposed(), beta,
                                           c.transposed(), limits);
  if (rows <= 0 || columns <= 0) return;
  // The distance between rows of `length` elements; where there is one only, memory does not say it.
  const auto pitch = [](int64_t distance, int64_t length) {
    return distance > length ? distance : length > 1 ? length : 1;
  };
  const bool a_rows = a.column == 1, b_rows = b.column == 1; // contiguous
  const int64_t m = rows, n = columns, k = inner > 0 ? inner : 0;
  const int64_t lda = a_rows ? pitch(a.row, k) : pitch(a.column, m),
                ldb = b_rows ? pitch(b.row, n) : pitch(b.column, k), ldc = pitch(c.row, n);
  for (const int64_t number : {m, n, k, lda, ldb, ldc})
    if (number > 2147483647)
      return multiply<use, T, scale>(rows, columns, inner, alpha, a, b, beta, c, limits);
  blas_gemm(a_rows ? CblasNoTrans : CblasTrans, b_rows ? CblasNoTrans : CblasTrans, int(m), int(n), int(k),
            alpha, a.data, int(lda), b.data, int(ldb), beta, c.data, int(ldc));
}
