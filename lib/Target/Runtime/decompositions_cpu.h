//===- decompositions_cpu.h - eigenvalues and singular values of batches of matrices ---------------------===//
#pragma once
#include "decompositions.h"
#include "general_eigen.h"
#include "host_cpu.h"

//@ eigen_rows : eigen_matrix Temporary fail LinAlgError
template <class E> int eigen_rows(E* a, double* values, int64_t count, int64_t n, int64_t has_vectors) {
  bool has_memory = true, converges = true;
#pragma omp parallel if (count > 1 && n > 1) reduction(&& : has_memory, converges)
  {
    const Temporary<double> beside(n);
    const Temporary<E> work(2 * n);
    has_memory = beside.data && work.data;
#pragma omp for
    for (int64_t i = 0; i < count; ++i)
      if (has_memory)
        converges =
            eigen_matrix(a + i * n * n, n, values + i * n, beside.data, work.data, has_vectors != 0) &&
            converges;
  }
  if (!has_memory) return fail(MemoryError, "out of memory");
  return converges ? int(Ok) : fail(LinAlgError, "Eigenvalues did not converge");
}

//@ complex_eigen_rows : complex_parts eigen_rows

//@ singular_rows : singular_matrix fail LinAlgError
template <class E>
int singular_rows(E* a, double* values, E* turned, int64_t count, int64_t k, int64_t rows, int64_t n,
                  int64_t has_vectors) {
  bool converges = true;
#pragma omp parallel for if (count > 1 && k > 1) reduction(&& : converges)
  for (int64_t i = 0; i < count; ++i)
    converges =
        singular_matrix(a + i * rows * n, k, rows, n, values + i * k, turned + i * k * k, has_vectors != 0) &&
        converges;
  return converges ? int(Ok) : fail(LinAlgError, "SVD did not converge");
}

//@ complex_singular_rows : complex_parts singular_rows

//@ complex_general_eigen_rows : general_eigen_matrix Temporary fail LinAlgError
inline int general_eigen_rows(Complex<double>* a, Complex<double>* values, int64_t count, int64_t n,
                              int64_t has_vectors) {
  bool has_memory = true, converges = true;
#pragma omp parallel if (count > 1 && n > 1) reduction(&& : has_memory, converges)
  {
    const Temporary<double> scales(n);
    const Temporary<Complex<double>> work(2 * n * n + n);
    has_memory = scales.data && work.data;
#pragma omp for
    for (int64_t i = 0; i < count; ++i)
      if (has_memory)
        converges = general_eigen_matrix(a + i * n * n, n, values + i * n, work.data, scales.data,
                                         has_vectors != 0) &&
                    converges;
  }
  if (!has_memory) return fail(MemoryError, "out of memory");
  return converges ? int(Ok) : fail(LinAlgError, "Eigenvalues did not converge");
}
