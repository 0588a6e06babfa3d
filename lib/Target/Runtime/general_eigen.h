//===- general_eigen.h - eigenvalues of one complex matrix, by the host -----------------------------------===//
#pragma once
#include "decompositions.h"
#include "host.h"

//@ balance_matrix : largest_part scaled_by
// Powers of two by which a row is divided and its column multiplied, so that both are about as long.
inline void balance_matrix(Complex<double>* a, int64_t n, double* scales) {
  for (int64_t i = 0; i < n; ++i) scales[i] = 1;
  for (bool is_done = false; !is_done;) {
    is_done = true;
    for (int64_t i = 0; i < n; ++i) {
      double row = 0, column = 0;
      for (int64_t j = 0; j < n; ++j)
        if (j != i) {
          row += largest_part(a[i * n + j]);
          column += largest_part(a[j * n + i]);
        }
      if (row == 0 || column == 0) continue;
      const int exponent = (ilogb(row) - ilogb(column)) / 2;
      const double factor = ldexp(1.0, exponent);
      if (exponent == 0 || fabs(double(ilogb(scales[i]) + exponent)) > 500 ||
          column * factor + row / factor >= 0.95 * (column + row))
        continue;
      is_done = false;
      scales[i] *= factor;
      for (int64_t j = 0; j < n; ++j) a[i * n + j] = scaled_by(a[i * n + j], 1 / factor);
      for (int64_t j = 0; j < n; ++j) a[j * n + i] = scaled_by(a[j * n + i], factor);
    }
  }
}

//@ make_hessenberg : negligible complex_parts length_of number_of subtract_multiple
// By Householder's reflections of both sides; the rows of `basis`, if there are any, are the columns of their product.
inline void make_hessenberg(Complex<double>* a, int64_t n, Complex<double>* basis, Complex<double>* v) {
  for (int64_t i = 0; basis && i < n * n; ++i) basis[i] = {double(i % (n + 1) == 0), 0};
  for (int64_t k = 0; k + 2 < n; ++k) {
    const int64_t m = n - k - 1;
    for (int64_t j = 0; j < m; ++j) v[j] = a[(k + 1 + j) * n + k];
    if (length_of(v + 1, m - 1) < negligible) {
      for (int64_t i = k + 2; i < n; ++i) a[i * n + k] = {};
      continue;
    }
    const double last = -copysign(length_of(v, m), v[0].re);
    const Complex<double> first = v[0], of_last = {last, 0};
    const Complex<double> factor = (of_last - first) / of_last;
    v[0] = {1, 0};
    for (int64_t j = 1; j < m; ++j) v[j] = v[j] / (first - of_last);
    for (int64_t j = k; j < n; ++j) { // A -= conjugate(factor) v (v^H A)
      Complex<double> along{};
      for (int64_t i = 0; i < m; ++i) along = along + conjugate_of(v[i]) * a[(k + 1 + i) * n + j];
      along = along * conjugate_of(factor);
      for (int64_t i = 0; i < m; ++i) a[(k + 1 + i) * n + j] = a[(k + 1 + i) * n + j] - along * v[i];
    }
    for (int64_t i = 0; i < n; ++i) { // A -= factor (A v) v^H
      Complex<double>* const row = a + i * n + k + 1;
      Complex<double> along{};
      for (int64_t j = 0; j < m; ++j) along = along + row[j] * v[j];
      along = along * factor;
      for (int64_t j = 0; j < m; ++j) row[j] = row[j] - along * conjugate_of(v[j]);
    }
    for (int64_t j = 0; basis && j < n; ++j) {
      Complex<double> along{};
      for (int64_t i = 0; i < m; ++i) along = along + basis[(k + 1 + i) * n + j] * v[i];
      along = along * factor;
      for (int64_t i = 0; i < m; ++i)
        basis[(k + 1 + i) * n + j] = basis[(k + 1 + i) * n + j] - along * conjugate_of(v[i]);
    }
    for (int64_t i = k + 2; i < n; ++i) a[i * n + k] = {};
  }
}

//@ nearer_eigenvalue : complex_parts Complex complex_neg
// That of [[a, b], [c, d]] which is nearer to d.
inline Complex<double> nearer_eigenvalue(Complex<double> a, Complex<double> b, Complex<double> c,
                                         Complex<double> d) {
  const Complex<double> half = scaled_by(a - d, 0.5), product = b * c, square = half * half + product;
  if (square.re == 0 && square.im == 0) return d;
  // sqrt(square), on the side of `half`
  const double size = hypot(square.re, square.im);
  const double x = sqrt((size + fabs(square.re)) / 2), y = fabs(square.im) / (2 * x);
  Complex<double> root = square.re >= 0 ? Complex<double>{x, copysign(y, square.im)}
                                        : Complex<double>{y, copysign(x, square.im)};
  if (half.re * root.re + half.im * root.im < 0) root = -root;
  return d - product / (half + root);
}

//@ rotate_pair : complex_parts
// x, y = c * x + s * y, c * y - conjugate(s) * x, of elements `step` apart.
inline void rotate_pair(Complex<double>* x, Complex<double>* y, int64_t n, int64_t step, double c,
                        Complex<double> s) {
  for (int64_t j = 0; j < n * step; j += step) {
    const Complex<double> kept = x[j];
    x[j] = scaled_by(kept, c) + s * y[j];
    y[j] = scaled_by(y[j], c) - conjugate_of(s) * kept;
  }
}

//@ make_triangular : complex_parts nearer_eigenvalue rotate_pair
// By the QR method with single shifts; `basis` as above. False if it does not converge.
inline bool make_triangular(Complex<double>* a, int64_t n, Complex<double>* basis) {
  const double small = 1.1102230246251565e-16;
  double norm = 0;
  for (int64_t i = 0; i < n * n; ++i) norm = fmax(norm, largest_part(a[i]));
  int step = 0;
  for (int64_t last = n - 1; last > 0;) {
    int64_t first = last;
    for (; first > 0; --first) {
      double beside = size_of(a[(first - 1) * n + first - 1]) + size_of(a[first * n + first]);
      if (beside == 0) beside = norm;
      if (size_of(a[first * n + first - 1]) <= small * beside) break;
    }
    if (first > 0) a[first * n + first - 1] = {};
    if (first == last) {
      --last;
      step = 0;
      continue;
    }
    if (++step > 90) return false;
    Complex<double> shift = nearer_eigenvalue(a[(last - 1) * n + last - 1], a[(last - 1) * n + last],
                                              a[last * n + last - 1], a[last * n + last]);
    if (step % 10 == 0) // an exceptional one
      shift = a[last * n + last] + Complex<double>{0.75 * size_of(a[last * n + last - 1]), 0};
    for (int64_t k = first; k < last; ++k) {
      const int64_t from = k > first ? k - 1 : k;
      const Complex<double> x = k > first ? a[k * n + k - 1] : a[k * n + k] - shift,
                            y = a[(k + 1) * n + from];
      const double x_size = size_of(x), size = hypot(x_size, size_of(y));
      if (size < negligible) continue;
      // [c, s; -conjugate(s), c] takes (x, y) to (r, 0)
      const double c = x_size / size;
      const Complex<double> phase = x_size > 0 ? x / Complex<double>{x_size, 0} : Complex<double>{1, 0};
      const Complex<double> s = phase * conjugate_of(y) / Complex<double>{size, 0};
      rotate_pair(a + k * n + from, a + (k + 1) * n + from, n - from, 1, c, s);
      if (k > first) a[(k + 1) * n + k - 1] = {};
      const int64_t rows = (k + 2 < last ? k + 2 : last) + 1;
      rotate_pair(a + k, a + k + 1, rows, n, c, conjugate_of(s));
      if (basis) rotate_pair(basis + k * n, basis + (k + 1) * n, n, 1, c, conjugate_of(s));
    }
  }
  return true;
}

//@ triangular_vectors : complex_parts length_of
// The eigenvectors of what `a` was triangular of, row by row; `v` has room for one.
inline void triangular_vectors(const Complex<double>* a, int64_t n, const Complex<double>* basis,
                               const double* scales, Complex<double>* v, Complex<double>* rows) {
  double norm = 0;
  for (int64_t i = 0; i < n * n; ++i) norm = fmax(norm, largest_part(a[i]));
  const double least = norm > 0 ? 2.220446049250313e-16 * norm : 1;
  for (int64_t k = 0; k < n; ++k) {
    v[k] = {1, 0};
    for (int64_t i = k - 1; i >= 0; --i) {
      Complex<double> sum{};
      for (int64_t j = i + 1; j <= k; ++j) sum = sum + a[i * n + j] * v[j];
      Complex<double> apart = a[k * n + k] - a[i * n + i];
      if (largest_part(apart) < least) apart = {least, 0}; // as if they were that much apart
      v[i] = sum / apart;
      if (const double size = largest_part(v[i]); size > 1e100)
        for (int64_t j = i; j <= k; ++j) v[j] = scaled_by(v[j], 1 / size);
    }
    Complex<double>* const made = rows + k * n;
    for (int64_t i = 0; i < n; ++i) made[i] = {};
    for (int64_t j = 0; j <= k; ++j)
      for (int64_t i = 0; i < n; ++i) made[i] = made[i] + v[j] * basis[j * n + i];
    for (int64_t i = 0; i < n; ++i) made[i] = scaled_by(made[i], scales[i]);
    const double length = length_of(made, n);
    int64_t most = 0;
    for (int64_t i = 0; i < n; ++i) {
      made[i] = scaled_by(made[i], 1 / length);
      if (square_of(made[i]) > square_of(made[most])) most = i;
    }
    const Complex<double> turn = scaled_by(conjugate_of(made[most]), 1 / size_of(made[most]));
    for (int64_t i = 0; i < n; ++i) made[i] = made[i] * turn;
    made[most].im = 0;
  }
}

//@ general_eigen_matrix : take_scale balance_matrix make_hessenberg make_triangular triangular_vectors
// `work` has room for 2 * n * n + n numbers, `scales` for n.
inline bool general_eigen_matrix(Complex<double>* rows, int64_t n, Complex<double>* values,
                                 Complex<double>* work, double* scales, bool has_vectors) {
  Complex<double>*const a = work, *const v = work + n * n, *const basis = has_vectors ? v + n : nullptr;
  const double scale = take_scale(rows, n * n);
  for (int64_t i = 0; i < n * n; ++i) a[i] = rows[i];
  balance_matrix(a, n, scales);
  make_hessenberg(a, n, basis, v);
  if (!make_triangular(a, n, basis)) return false;
  for (int64_t i = 0; i < n; ++i) values[i] = scaled_by(a[i * n + i], scale);
  if (has_vectors) triangular_vectors(a, n, basis, scales, v, rows);
  return true;
}
