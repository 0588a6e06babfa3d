//===- decompositions.h - eigenvalues and singular values of one matrix ----------------------------------===//
// In double precision, of real and of complex numbers by the same text. Matrices are rows behind each other.
#pragma once
#include "complex.h"

//@ conjugate_of real_part size_of square_of largest_part scaled_by number_of
APPY_DEVICE double conjugate_of(double x) { return x; }
APPY_DEVICE double real_part(double x) { return x; }
APPY_DEVICE double size_of(double x) { return fabs(x); }
APPY_DEVICE double square_of(double x) { return x * x; }
APPY_DEVICE double largest_part(double x) { return fabs(x); }
APPY_DEVICE double scaled_by(double x, double factor) { return x * factor; }
APPY_DEVICE double number_of(double x, const double*) { return x; }

//@ complex_parts : Complex complex_add complex_sub complex_mul complex_div conjugate_of
APPY_DEVICE Complex<double> conjugate_of(Complex<double> z) { return {z.re, -z.im}; }
APPY_DEVICE double real_part(Complex<double> z) { return z.re; }
APPY_DEVICE double size_of(Complex<double> z) { return hypot(z.re, z.im); }
APPY_DEVICE double square_of(Complex<double> z) { return z.re * z.re + z.im * z.im; }
APPY_DEVICE double largest_part(Complex<double> z) { return fmax(fabs(z.re), fabs(z.im)); }
APPY_DEVICE Complex<double> scaled_by(Complex<double> z, double factor) {
  return {z.re * factor, z.im * factor};
}
APPY_DEVICE Complex<double> number_of(double x, const Complex<double>*) { return {x, 0}; }

//@ exchange_rows
template <class E> APPY_DEVICE void exchange_rows(E* x, E* y, int64_t n) {
  for (int64_t j = 0; j < n; ++j) {
    const E kept = x[j];
    x[j] = y[j];
    y[j] = kept;
  }
}

//@ take_scale negligible : largest_part scaled_by
// Divides the numbers by a power of two that is near to their largest, so that no square overflows; returns it. What is
// negligible then counts as zero: its reciprocal may have no double.
constexpr double negligible = 1e-290;
template <class E> APPY_DEVICE double take_scale(E* x, int64_t count) {
  double largest = 0;
  for (int64_t j = 0; j < count; ++j) largest = fmax(largest, largest_part(x[j]));
  if (largest == 0) return 1;
  const int exponent = ilogb(largest) < -1000 ? -1000 : ilogb(largest);
  for (int64_t j = 0; j < count; ++j) x[j] = scaled_by(x[j], ldexp(1.0, -exponent));
  return ldexp(1.0, exponent);
}

//@ inner_product sum_of_products : conjugate_of
// The sums of x[j] * conjugate(y[j]) and of x[j] * y[j], in parts that vectors of the processor hold.
template <class E> APPY_DEVICE E inner_product(const E* x, const E* y, int64_t n) {
  E sums[8] = {};
  int64_t j = 0;
  for (; j + 8 <= n; j += 8)
    for (int p = 0; p < 8; ++p) sums[p] = sums[p] + x[j + p] * conjugate_of(y[j + p]);
  for (; j < n; ++j) sums[0] = sums[0] + x[j] * conjugate_of(y[j]);
  return ((sums[0] + sums[1]) + (sums[2] + sums[3])) + ((sums[4] + sums[5]) + (sums[6] + sums[7]));
}
template <class E> APPY_DEVICE E sum_of_products(const E* x, const E* y, int64_t n) {
  E sums[8] = {};
  int64_t j = 0;
  for (; j + 8 <= n; j += 8)
    for (int p = 0; p < 8; ++p) sums[p] = sums[p] + x[j + p] * y[j + p];
  for (; j < n; ++j) sums[0] = sums[0] + x[j] * y[j];
  return ((sums[0] + sums[1]) + (sums[2] + sums[3])) + ((sums[4] + sums[5]) + (sums[6] + sums[7]));
}

//@ subtract_multiple
// x -= factor * y
template <class E> APPY_DEVICE void subtract_multiple(E* x, E factor, const E* y, int64_t n) {
  for (int64_t j = 0; j < n; ++j) x[j] = x[j] - factor * y[j];
}

//@ length_of : largest_part number_of square_of
template <class E> APPY_DEVICE double length_of(const E* x, int64_t n) {
  double largest = 0, sum = 0;
  for (int64_t j = 0; j < n; ++j) largest = fmax(largest, largest_part(x[j]));
  if (largest == 0) return 0;
  for (int64_t j = 0; j < n; ++j) sum += square_of(x[j] / number_of(largest, x));
  return largest * sqrt(sum);
}

//@ make_tridiagonal : negligible inner_product subtract_multiple length_of number_of
// Householder's reflections I - factor * v * v^H of both sides of a Hermitian matrix, by which it becomes a real
// tridiagonal one. Of each step k the vector is left in row k. As LAPACK's xxxTRD, so that vectors have its signs.
template <class E>
APPY_DEVICE void make_tridiagonal(E* a, int64_t n, double* diagonal, double* beside, E* factors, E* work) {
  for (int64_t i = 0; i < n; ++i) {
    a[i * n + i] = number_of(real_part(a[i * n + i]), a);
    for (int64_t j = i + 1; j < n; ++j) a[i * n + j] = conjugate_of(a[j * n + i]);
  }
  for (int64_t k = 0; k < n; ++k) {
    diagonal[k] = real_part(a[k * n + k]);
    beside[k] = 0;
    factors[k] = E{};
    if (k + 1 == n) break;
    E* const v = a + k * n + k + 1; // first the column below the diagonal, of which the row has the conjugate
    const int64_t m = n - k - 1;
    for (int64_t j = 0; j < m; ++j) v[j] = conjugate_of(v[j]);
    const E first = v[0];
    const double length = length_of(v, m), rest = length_of(v + 1, m - 1);
    const bool is_real = largest_part(first - number_of(real_part(first), v)) == 0;
    if (rest < negligible && is_real) beside[k] = real_part(first);
    if (length < negligible || (rest < negligible && is_real)) continue;
    const double last = -copysign(length, real_part(first));
    const E factor = factors[k] = (number_of(last, v) - first) / number_of(last, v);
    const E divisor = first - number_of(last, v);
    for (int64_t j = 1; j < m; ++j) v[j] = v[j] / divisor;
    v[0] = number_of(1, v);
    beside[k] = last;
    // w = factor * A v - factor / 2 * (that^H v) * v;  A -= v w^H + w v^H
    for (int64_t i = 0; i < m; ++i) {
      work[i] = factor * sum_of_products(a + (k + 1 + i) * n + k + 1, v, m);
    }
    subtract_multiple(work, scaled_by(factor * inner_product(v, work, m), 0.5), v, m);
    for (int64_t i = 0; i < m; ++i) {
      E* const row = a + (k + 1 + i) * n + k + 1;
      for (int64_t j = 0; j < m; ++j)
        row[j] = row[j] - v[i] * conjugate_of(work[j]) - work[i] * conjugate_of(v[j]);
    }
  }
}

//@ gather_reflections : inner_product number_of conjugate_of subtract_multiple
// The conjugate transpose of the product of the reflections, in their place.
template <class E> APPY_DEVICE void gather_reflections(E* a, int64_t n, const E* factors) {
  for (int64_t k = n - 2; k >= -1; --k) {
    for (int64_t j = k + 2; j < n; ++j) a[(k + 1) * n + j] = a[j * n + k + 1] = E{};
    a[(k + 1) * n + k + 1] = number_of(1, a);
    if (k < 0 || largest_part(factors[k]) == 0) continue;
    const E* const v = a + k * n + k + 1;
    for (int64_t i = k + 1; i < n; ++i) {
      E* const row = a + i * n + k + 1;
      const E along = sum_of_products(row, v, n - k - 1) * conjugate_of(factors[k]);
      for (int64_t j = 0; j < n - k - 1; ++j) row[j] = row[j] - along * conjugate_of(v[j]);
    }
  }
}

//@ rotate_rows : scaled_by
// x, y = c * x - s * phase * y, s * x + c * phase * y
template <class E> APPY_DEVICE void rotate_rows(E* x, E* y, int64_t n, double c, double s, E phase) {
  for (int64_t j = 0; j < n; ++j) {
    const E kept = x[j], turned = phase * y[j];
    x[j] = scaled_by(kept, c) - scaled_by(turned, s);
    y[j] = scaled_by(kept, s) + scaled_by(turned, c);
  }
}

//@ solve_pair
// The eigenvalues of a symmetric matrix of two rows, the larger in size first, and the first's vector (c, s): LAPACK's DLAEV2.
APPY_DEVICE void solve_pair(double& first, double beside, double& second, double& c, double& s) {
  const double sum = first + second, difference = first - second, twice = 2 * beside;
  const double larger = fabs(first) > fabs(second) ? first : second;
  const double smaller = fabs(first) > fabs(second) ? second : first;
  const double root = hypot(difference, twice);
  const bool is_negative = sum < 0;
  first = 0.5 * (is_negative ? sum - root : sum + root);
  second = sum == 0 ? -0.5 * root : larger / first * smaller - beside / first * beside;
  const double along = difference >= 0 ? difference + root : difference - root;
  if (fabs(along) > fabs(twice)) {
    const double slope = -twice / along;
    s = 1 / sqrt(1 + slope * slope);
    c = slope * s;
  } else if (twice == 0) {
    c = 1;
    s = 0;
  } else {
    const double slope = -along / twice;
    c = 1 / sqrt(1 + slope * slope);
    s = slope * c;
  }
  if (is_negative == (difference >= 0)) return;
  const double kept = c;
  c = -s;
  s = kept;
}

//@ solve_block : rotate_rows number_of solve_pair
// Of a block of a tridiagonal matrix, from the end on that is smaller: d[k] and d[k + way] have `beside` between them.
template <class E>
APPY_DEVICE bool solve_block(double* d, double* e, int64_t n, int64_t begin, int64_t end, E* rows,
                             int64_t& steps) {
  const int64_t way = fabs(d[end]) < fabs(d[begin]) ? -1 : 1;
  const int64_t last = way > 0 ? end : begin;
  double* const beside = way > 0 ? e : e - 1;
  for (int64_t l = way > 0 ? begin : end; (last - l) * way >= 0;) {
    int64_t m = l;
    while (m != last && beside[m] * beside[m] >
                            1.232595164407831e-32 * fabs(d[m]) * fabs(d[m + way]) + 2.2250738585072014e-308)
      m += way;
    if (m != last) beside[m] = 0;
    double c = 1, s = 1, p = 0;
    if (m == l + way) {
      double* const pair = d + (l < m ? l : m);
      solve_pair(pair[0], beside[l], pair[1], c, s);
      beside[l] = 0;
      E* const row = rows ? rows + (pair - d) * n : rows;
      if (rows) rotate_rows(row + n, row, n, c, s, number_of(1, rows));
    }
    if (m == l || m == l + way) {
      l = m + way;
      continue;
    }
    if (steps-- == 0) return false;
    double g = (d[l + way] - d[l]) / (2 * beside[l]), r = hypot(g, 1.0);
    g = d[m] - d[l] + beside[l] / (g + copysign(r, g));
    for (int64_t i = m - way; (i - l) * way >= 0; i -= way) {
      const double f = s * beside[i], b = c * beside[i];
      r = f == 0 ? g : g == 0 ? fabs(f) : copysign(hypot(f, g), g);
      c = f == 0 ? 1 : g == 0 ? 0 : g / r;
      s = f == 0 ? 0 : g == 0 ? copysign(1.0, f) : f / r;
      if (i != m - way) beside[i + way] = r;
      g = d[i + way] - p;
      const double turn = (d[i] - g) * s + 2 * c * b;
      p = s * turn;
      d[i + way] = g + p;
      g = c * turn - b;
      if (rows) rotate_rows(rows + i * n, rows + (i + way) * n, n, c, s, number_of(1, rows));
    }
    d[l] -= p;
    beside[l] = g;
  }
  return true;
}

//@ solve_tridiagonal : solve_block
// The eigenvalues of a real symmetric tridiagonal matrix, by the implicit QL or QR method; its rotations are applied to pairs
// of rows where there are any. As LAPACK's DSTEQR, so that vectors have its signs. False if it does not converge.
template <class E> APPY_DEVICE bool solve_tridiagonal(double* d, double* e, int64_t n, E* rows) {
  int64_t steps = 30 * n;
  for (int64_t begin = 0; begin < n;) {
    int64_t end = begin;
    while (end + 1 < n && fabs(e[end]) > sqrt(fabs(d[end])) * sqrt(fabs(d[end + 1])) * 1.1102230246251565e-16)
      ++end;
    e[end] = 0; // `e` has room for n
    if (!solve_block(d, e, n, begin, end, rows, steps)) return false;
    begin = end + 1;
  }
  return true;
}

//@ eigen_matrix : take_scale make_tridiagonal gather_reflections solve_tridiagonal exchange_rows
// `beside` and `work` have room for n and 2 * n.
template <class E>
APPY_DEVICE bool eigen_matrix(E* a, int64_t n, double* values, double* beside, E* work, bool has_vectors) {
  for (int64_t i = 0; i < n; ++i) // what is above the diagonal is not read
    for (int64_t j = i + 1; j < n; ++j) a[i * n + j] = E{};
  const double scale = take_scale(a, n * n);
  make_tridiagonal(a, n, values, beside, work, work + n);
  if (has_vectors) gather_reflections(a, n, work);
  if (!solve_tridiagonal(values, beside, n, has_vectors ? a : nullptr)) return false;
  for (int64_t i = 0; i < n; ++i) {
    int64_t least = i;
    for (int64_t j = i + 1; j < n; ++j)
      if (values[j] < values[least]) least = j;
    if (least == i) continue;
    exchange_rows(values + i, values + least, 1);
    if (has_vectors) exchange_rows(a + i * n, a + least * n, n);
  }
  for (int64_t i = 0; i < n; ++i) values[i] *= scale;
  return true;
}

//@ make_orthogonal : negligible inner_product size_of real_part rotate_rows
// Rotates pairs of the k rows of length n until all are orthogonal (Hestenes), and so the rows of `turned`, if there are any.
// `squares` has room for those of their lengths. False if it does not converge.
template <class E> APPY_DEVICE bool make_orthogonal(E* x, int64_t k, int64_t n, double* squares, E* turned) {
  const double small = 2.220446049250313e-16 * sqrt(double(n));
  for (int sweep = 0; sweep < 60; ++sweep) {
    bool is_done = true;
    for (int64_t p = 0; p < k; ++p) squares[p] = real_part(inner_product(x + p * n, x + p * n, n));
    for (int64_t p = 0; p < k; ++p)
      for (int64_t q = p + 1; q < k; ++q) {
        E *const a = x + p * n, *const b = x + q * n;
        const E product = inner_product(a, b, n);
        const double size = size_of(product);
        if (size <= small * sqrt(squares[p]) * sqrt(squares[q]) || size < negligible) continue;
        is_done = false;
        const double cotangent = (squares[q] - squares[p]) / (2 * size);
        const double t = copysign(1 / (fabs(cotangent) + hypot(cotangent, 1.0)), cotangent);
        const double c = 1 / sqrt(1 + t * t);
        const E phase = product / number_of(size, x);
        rotate_rows(a, b, n, c, t * c, phase);
        if (turned) rotate_rows(turned + p * k, turned + q * k, k, c, t * c, phase);
        squares[p] = fmax(squares[p] - t * size, 0.0);
        squares[q] = fmax(squares[q] + t * size, 0.0);
      }
    if (is_done) return true;
  }
  return false;
}

//@ complete_rows : inner_product subtract_multiple length_of number_of
// Rows that are orthonormal with those before `first`, and with each other.
template <class E> APPY_DEVICE void complete_rows(E* x, int64_t first, int64_t rows, int64_t n) {
  for (int64_t i = first; i < rows; ++i) {
    E* const made = x + i * n;
    for (int64_t j = 0; j < n; ++j) made[j] = E{};
    for (int64_t r = 0; r < i; ++r) // how much of each unit vector the rows have
      for (int64_t j = 0; j < n; ++j) made[j] = made[j] + number_of(square_of(x[r * n + j]), x);
    int64_t least = 0;
    for (int64_t j = 1; j < n; ++j)
      if (real_part(made[j]) < real_part(made[least])) least = j;
    for (int64_t j = 0; j < n; ++j) made[j] = number_of(j == least, x);
    for (int pass = 0; pass < 2; ++pass)
      for (int64_t r = 0; r < i; ++r)
        subtract_multiple(made, inner_product(made, x + r * n, n), x + r * n, n);
    const double length = length_of(made, n);
    for (int64_t j = 0; j < n; ++j) made[j] = scaled_by(made[j], 1 / length);
  }
}

//@ singular_matrix : take_scale make_orthogonal exchange_rows complete_rows conjugate_of
template <class E>
APPY_DEVICE bool singular_matrix(E* a, int64_t k, int64_t rows, int64_t n, double* values, E* turned,
                                 bool has_vectors) {
  const double scale = take_scale(a, k * n);
  for (int64_t i = 0; has_vectors && i < k * k; ++i) turned[i] = number_of(i % (k + 1) == 0, a);
  if (!make_orthogonal(a, k, n, values, has_vectors ? turned : nullptr)) return false;
  for (int64_t i = 0; i < k; ++i) values[i] = length_of(a + i * n, n);
  int64_t rank = 0;
  for (int64_t i = 0; i < k; ++i) {
    int64_t most = i;
    for (int64_t j = i + 1; j < k; ++j)
      if (values[j] > values[most]) most = j;
    if (most != i) {
      exchange_rows(values + i, values + most, 1);
      exchange_rows(a + i * n, a + most * n, n);
      if (has_vectors) exchange_rows(turned + i * k, turned + most * k, k);
    }
    rank += values[i] > sqrt(negligible) * double(n);
  }
  if (has_vectors) {
    for (int64_t i = 0; i < rank; ++i)
      for (int64_t j = 0; j < n; ++j) a[i * n + j] = a[i * n + j] / number_of(values[i], a);
    complete_rows(a, rank, rows, n);
    for (int64_t i = 0; i < k; ++i)
      for (int64_t j = 0; j <= i; ++j) {
        const E kept = conjugate_of(turned[i * k + j]);
        turned[i * k + j] = conjugate_of(turned[j * k + i]);
        turned[j * k + i] = kept;
      }
  }
  for (int64_t i = 0; i < k; ++i) values[i] *= scale;
  return true;
}
