//===- lapack_cpu.h - factorisations by LAPACK --------------------------------------------------------===//
// LAPACK counts by columns: of a matrix by rows it has the transpose.
#pragma once
#include "complex.h"
#include "host_cpu.h"

//@ LAPACKE_dsyevd
// What is used of LAPACK is declared here, as of BLAS.
extern "C" int LAPACKE_dsyevd(int layout, char job, char part, int n, double* a, int lda, double* w);

//@ LAPACKE_zheevd : Complex
extern "C" int LAPACKE_zheevd(int layout, char job, char part, int n, Complex<double>* a, int lda, double* w);

//@ LAPACKE_dgesdd
extern "C" int LAPACKE_dgesdd(int layout, char job, int m, int n, double* a, int lda, double* s, double* u,
                              int ldu, double* vt, int ldvt);

//@ LAPACKE_zgesdd : Complex
extern "C" int LAPACKE_zgesdd(int layout, char job, int m, int n, Complex<double>* a, int lda, double* s,
                              Complex<double>* u, int ldu, Complex<double>* vt, int ldvt);

//@ LAPACKE_zgeev : Complex
extern "C" int LAPACKE_zgeev(int layout, char left, char right, int n, Complex<double>* a, int lda,
                             Complex<double>* w, Complex<double>* vl, int ldvl, Complex<double>* vr,
                             int ldvr);

//@ LAPACKE_dgesv
extern "C" int LAPACKE_dgesv(int layout, int n, int count, double* a, int lda, int* pivots, double* b,
                             int ldb);

//@ LAPACKE_zgesv : Complex
extern "C" int LAPACKE_zgesv(int layout, int n, int count, Complex<double>* a, int lda, int* pivots,
                             Complex<double>* b, int ldb);

//@ LAPACKE_dpotrf
extern "C" int LAPACKE_dpotrf(int layout, char part, int n, double* a, int lda);

//@ LAPACKE_zpotrf : Complex
extern "C" int LAPACKE_zpotrf(int layout, char part, int n, Complex<double>* a, int lda);

//@ LAPACK_COL_MAJOR
enum { LAPACK_COL_MAJOR = 102, LAPACK_WORK_MEMORY_ERROR = -1010 };

//@ lapack_finite
// LAPACK may not return where a number is none.
template <class E> bool lapack_finite(const E* numbers, int64_t count) {
  const double* const parts = reinterpret_cast<const double*>(numbers);
  bool all = true;
  for (int64_t j = 0; j < count * int64_t(sizeof(E) / sizeof(double)); ++j)
    all = all && parts[j] - parts[j] == 0;
  return all;
}

//@ lapack_each : fail LinAlgError LAPACK_COL_MAJOR
// Calls `one` with the number of each of `count` matrices; it gives LAPACK's status.
template <class One> int lapack_each(int64_t count, int64_t n, const char* message, One one) {
  if (n > 2147483647) return fail(ValueError, "the matrix is too large for LAPACK");
  bool converges = true, has_memory = true;
#pragma omp parallel for if (count > 1 && n > 1) reduction(&& : converges, has_memory)
  for (int64_t i = 0; i < count; ++i) {
    const int status = one(i);
    has_memory = status > LAPACK_WORK_MEMORY_ERROR && has_memory;
    converges = status == 0 && converges;
  }
  if (!has_memory) return fail(MemoryError, "out of memory");
  return converges ? int(Ok) : fail(LinAlgError, message);
}

//@ lapack_complex_eigen : LAPACKE_zheevd LAPACK_COL_MAJOR
inline int lapack_eigen(char job, int n, Complex<double>* a, double* values) {
  return LAPACKE_zheevd(LAPACK_COL_MAJOR, job, 'U', n, a, n, values);
}

//@ lapack_eigen_rows : lapack_each lapack_finite LAPACKE_dsyevd
// The upper triangle by columns is the lower one by rows, of the conjugate matrix.
inline int lapack_eigen(char job, int n, double* a, double* values) {
  return LAPACKE_dsyevd(LAPACK_COL_MAJOR, job, 'U', n, a, n, values);
}
template <class E> int eigen_rows(E* a, double* values, int64_t count, int64_t n, int64_t has_vectors) {
  if (n <= 0) return Ok;
  return lapack_each(count, n, "Eigenvalues did not converge", [&](int64_t i) {
    for (int64_t r = 0; r < n; ++r)
      if (!lapack_finite(a + (i * n + r) * n, r + 1)) return 1;
    return lapack_eigen(has_vectors ? 'V' : 'N', int(n), a + i * n * n, values + i * n);
  });
}

//@ lapack_complex_eigen_rows : lapack_complex_eigen lapack_eigen_rows

//@ lapack_complex_singular : LAPACKE_zgesdd LAPACK_COL_MAJOR
inline int lapack_singular(char job, int m, int n, Complex<double>* a, double* values, Complex<double>* u,
                           Complex<double>* vt) {
  return LAPACKE_zgesdd(LAPACK_COL_MAJOR, job, m, n, a, m, values, u, m, vt, n);
}

//@ lapack_singular_rows : lapack_each lapack_finite LAPACKE_dgesdd Temporary
// The transposes of the transpose's results are the others', by rows.
inline int lapack_singular(char job, int m, int n, double* a, double* values, double* u, double* vt) {
  return LAPACKE_dgesdd(LAPACK_COL_MAJOR, job, m, n, a, m, values, u, m, vt, n);
}
template <class E>
int singular_rows(E* a, double* values, E* turned, int64_t count, int64_t k, int64_t rows, int64_t n,
                  int64_t has_vectors) {
  if (n <= 0) return Ok;
  return lapack_each(count, n, "SVD did not converge", [&](int64_t i) {
    E* const own = a + i * rows * n;
    for (int64_t j = 0; k == 0 && j < rows * n; ++j) own[j] = E{double(j % (n + 1) == 0)};
    if (k == 0) return 0;
    if (!lapack_finite(own, k * n)) return 1;
    const Temporary<E> given(k * n); // which is destroyed
    if (!given.data) return int(LAPACK_WORK_MEMORY_ERROR);
    for (int64_t j = 0; j < k * n; ++j) given.data[j] = own[j];
    return lapack_singular(!has_vectors ? 'N'
                           : rows > k   ? 'A'
                                        : 'S',
                           int(n), int(k), given.data, values + i * k, own, turned + i * k * k);
  });
}

//@ lapack_complex_singular_rows : lapack_complex_singular lapack_singular_rows

//@ lapack_complex_general_eigen_rows : lapack_each lapack_finite LAPACKE_zgeev Temporary
inline int general_eigen_rows(Complex<double>* a, Complex<double>* values, int64_t count, int64_t n,
                              int64_t has_vectors) {
  if (n <= 0) return Ok;
  return lapack_each(count, n, "Eigenvalues did not converge", [&](int64_t i) {
    Complex<double>* const own = a + i * n * n;
    const Temporary<Complex<double>> given(n * n);
    if (!given.data) return int(LAPACK_WORK_MEMORY_ERROR);
    if (!lapack_finite(own, n * n)) return 1;
    for (int64_t r = 0; r < n; ++r)
      for (int64_t c = 0; c < n; ++c) given.data[c * n + r] = own[r * n + c];
    return LAPACKE_zgeev(LAPACK_COL_MAJOR, 'N', has_vectors ? 'V' : 'N', int(n), given.data, int(n),
                         values + i * n, nullptr, int(n), own, int(n));
  });
}

//@ lapack_complex_solve : LAPACKE_zgesv LAPACK_COL_MAJOR
inline int lapack_solve(int n, int count, Complex<double>* a, int* pivots, Complex<double>* x) {
  return LAPACKE_zgesv(LAPACK_COL_MAJOR, n, count, a, n, pivots, x, n);
}

//@ lapack_solve_columns : lapack_each LAPACKE_dgesv Temporary
inline int lapack_solve(int n, int count, double* a, int* pivots, double* x) {
  return LAPACKE_dgesv(LAPACK_COL_MAJOR, n, count, a, n, pivots, x, n);
}
template <class E> int solve_columns(E* a, E* x, int64_t count, int64_t n) {
  if (n <= 0 || count <= 0) return Ok;
  return lapack_each(1, n > count ? n : count, "Singular matrix", [&](int64_t) {
    const Temporary<int> pivots(n);
    return pivots.data ? lapack_solve(int(n), int(count), a, pivots.data, x) : int(LAPACK_WORK_MEMORY_ERROR);
  });
}

//@ lapack_complex_solve_columns : lapack_complex_solve lapack_solve_columns

//@ lapack_complex_cholesky : LAPACKE_zpotrf LAPACK_COL_MAJOR
inline int lapack_cholesky(int n, Complex<double>* a) {
  return LAPACKE_zpotrf(LAPACK_COL_MAJOR, 'U', n, a, n);
}

//@ lapack_cholesky_rows : lapack_each LAPACKE_dpotrf
// The lower triangle by rows is the upper one by columns, of the conjugate matrix: of U^H U there, L = U^T here.
inline int lapack_cholesky(int n, double* a) { return LAPACKE_dpotrf(LAPACK_COL_MAJOR, 'U', n, a, n); }
template <class E> int cholesky_rows(E* a, int64_t n) {
  if (n <= 0) return Ok;
  return lapack_each(1, n, "Matrix is not positive definite",
                     [&](int64_t) { return lapack_cholesky(int(n), a); });
}

//@ lapack_complex_cholesky_rows : lapack_complex_cholesky lapack_cholesky_rows
