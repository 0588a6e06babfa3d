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

//@ reflect_row apply_reflection : length_of inner_product conjugate_of number_of negligible
// Householder's reflection I - factor * v * v^H that leaves the first number of a row only, which it returns; v takes the
// row's place.
template <class E> double reflect_row(E* v, int64_t n, E& factor) {
  const double length = length_of(v, n), last = -copysign(length, real_part(v[0]));
  const E first = conjugate_of(v[0]);
  factor = E{};
  if (length < negligible) return real_part(first);
  factor = (number_of(last, v) - first) / number_of(last, v);
  for (int64_t j = 1; j < n; ++j) v[j] = conjugate_of(v[j]) / (first - number_of(last, v));
  v[0] = number_of(1, v);
  return last;
}
template <class E> void apply_reflection(E* row, const E* v, int64_t n, E factor) {
  const E along = sum_of_products(row, v, n) * factor;
  for (int64_t j = 0; j < n; ++j) row[j] = row[j] - along * conjugate_of(v[j]);
}

//@ singular_by_triangle : singular_matrix reflect_row
// Of the lower triangle that reflections make of the matrix, with fewer and shorter rows to rotate. `v` has room for k * n
// numbers, `triangle` for k * k and `factors` for k.
template <class E>
bool singular_by_triangle(E* a, int64_t k, int64_t rows, int64_t n, double* values, E* turned,
                          bool has_vectors, E* v, E* triangle, E* factors) {
  const double scale = take_scale(a, k * n);
  for (int64_t i = 0; i < k * n; ++i) v[i] = a[i];
  for (int64_t i = 0; i < k; ++i) {
    for (int64_t j = 0; j < k; ++j) triangle[i * k + j] = j < i ? v[i * n + j] : E{};
    triangle[i * k + i] = number_of(reflect_row(v + i * n + i, n - i, factors[i]), v);
    for (int64_t r = i + 1; r < k; ++r) apply_reflection(v + r * n + i, v + i * n + i, n - i, factors[i]);
  }
  if (!singular_matrix(triangle, k, k, k, values, turned, has_vectors)) return false;
  for (int64_t i = 0; i < k; ++i) values[i] *= scale;
  if (!has_vectors) return true;
#pragma omp parallel for if (rows * n > 4096)
  for (int64_t r = 0; r < rows; ++r) {
    E* const row = a + r * n;
    for (int64_t j = 0; j < n; ++j)
      row[j] = r < k && j < k ? triangle[r * k + j] : number_of(r >= k && j == r, a);
    for (int64_t i = k - 1; i >= 0; --i)
      apply_reflection(row + i, v + i * n + i, n - i, conjugate_of(factors[i]));
  }
  return true;
}

//@ singular_rows : singular_by_triangle Temporary fail LinAlgError
template <class E>
int singular_rows(E* a, double* values, E* turned, int64_t count, int64_t k, int64_t rows, int64_t n,
                  int64_t has_vectors) {
  bool has_memory = true, converges = true;
#pragma omp parallel if (count > 1 && k > 1) reduction(&& : has_memory, converges)
  {
    const Temporary<E> work(k * (n + k + 1));
    has_memory = work.data;
#pragma omp for
    for (int64_t i = 0; i < count; ++i)
      if (has_memory)
        converges =
            singular_by_triangle(a + i * rows * n, k, rows, n, values + i * k, turned + i * k * k,
                                 has_vectors != 0, work.data, work.data + k * n, work.data + k * (n + k)) &&
            converges;
  }
  if (!has_memory) return fail(MemoryError, "out of memory");
  return converges ? int(Ok) : fail(LinAlgError, "SVD did not converge");
}

//@ complex_singular_rows : complex_parts singular_rows

//@ complex_pivot : Complex
inline double pivot_size(Complex<double> z) { return fabs(z.re) + fabs(z.im); }

//@ solve_columns : subtract_multiple exchange_rows number_of fail LinAlgError Temporary
inline double pivot_size(double x) { return fabs(x); }
// LU with the largest pivot of each column, as LAPACK chooses it; then all right sides.
template <class E> int solve_columns(E* a, E* x, int64_t count, int64_t n) {
  const Temporary<int64_t> pivots(n);
  if (!pivots.data) return fail(MemoryError, "out of memory");
  for (int64_t k = 0; k < n; ++k) {
    E* const own = a + k * n;
    int64_t p = k;
    for (int64_t i = k + 1; i < n; ++i)
      if (pivot_size(own[i]) > pivot_size(own[p])) p = i;
    pivots.data[k] = p;
    if (own[p] == number_of(0, a)) return fail(LinAlgError, "Singular matrix");
    exchange_rows(own + k, own + p, 1);
    for (int64_t i = k + 1; i < n; ++i) own[i] = own[i] / own[k];
#pragma omp parallel for if ((n - k) * (n - k) > 16384)
    for (int64_t j = k + 1; j < n; ++j) {
      E* const column = a + j * n;
      exchange_rows(column + k, column + p, 1);
      subtract_multiple(column + k + 1, column[k], own + k + 1, n - k - 1);
    }
  }
#pragma omp parallel for if (count > 1 && count * n * n > 16384)
  for (int64_t r = 0; r < count; ++r) {
    E* const own = x + r * n;
    for (int64_t k = 0; k < n; ++k) {
      exchange_rows(own + k, own + pivots.data[k], 1);
      subtract_multiple(own + k + 1, own[k], a + k * n + k + 1, n - k - 1);
    }
    for (int64_t k = n - 1; k >= 0; --k) {
      own[k] = own[k] / a[k * n + k];
      subtract_multiple(own, own[k], a + k * n, k);
    }
  }
  return Ok;
}

//@ complex_solve_columns : complex_parts complex_pivot complex_equal solve_columns

//@ cholesky_rows : inner_product real_part number_of fail LinAlgError
template <class E> int cholesky_rows(E* a, int64_t n) {
  for (int64_t k = 0; k < n; ++k) {
    E* const own = a + k * n;
    const double square = real_part(own[k]) - real_part(inner_product(own, own, k));
    if (!(square > 0)) return fail(LinAlgError, "Matrix is not positive definite");
    own[k] = number_of(sqrt(square), a);
#pragma omp parallel for if ((n - k) * k > 16384)
    for (int64_t i = k + 1; i < n; ++i)
      a[i * n + k] = (a[i * n + k] - inner_product(a + i * n, own, k)) / own[k];
  }
  return Ok;
}

//@ complex_cholesky_rows : complex_parts cholesky_rows

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
