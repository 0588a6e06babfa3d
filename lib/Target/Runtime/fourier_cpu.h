//===- fourier_cpu.h - discrete Fourier transforms of rows ---------------------------------------------===//
// Stockham's algorithm: a step for each factor of the length, between two buffers, so that the result is in order. A
// length with a large prime factor is a convolution of a length that has none (Bluestein).
#pragma once
#include "complex.h"
#include "host_cpu.h"

//@ Factors
// What a length is the product of: fours, and primes. `cost` is in proportion to the steps' operations.
struct Factors {
  int64_t all[64];
  int count = 0;
  double cost = 0;
  explicit Factors(int64_t n) {
    const double length = double(n);
    for (int64_t p = 4; n > 1; p = p == 4 ? 2 : p == 2 ? 3 : p + 2) {
      if (p > 4 && p * p > n) p = n;
      for (; n % p == 0; n /= p) {
        all[count++] = p;
        cost += length * double(p > 5 ? 3 * p : p); // those have no step of their own
      }
    }
  }
};

//@ convolution_length
// The least length from `least` on whose factors are 2, 3 and 5.
template <class = void> int64_t convolution_length(int64_t least) {
  for (int64_t n = least;; ++n) {
    int64_t rest = n;
    for (int64_t p : std::initializer_list<int64_t>{2, 3, 5})
      while (rest % p == 0) rest /= p;
    if (rest == 1) return n;
  }
}

//@ root_of_unity : Complex
// exp(sign * 2 pi i * k / n) for 0 <= k < n, of an angle of at most a quarter of pi.
template <class T> Complex<T> root_of_unity(int64_t k, int64_t n, int64_t sign) {
  const int64_t quarter = 4 * k / n, rest = 8 * k - 2 * n * quarter; // rest / n of an eighth turn
  const bool mirrored = rest > n;
  const double angle = 0.78539816339744830962 * (double(mirrored ? 2 * n - rest : rest) / double(n));
  const double x = mirrored ? sin(angle) : cos(angle), y = mirrored ? cos(angle) : sin(angle);
  const double re = quarter == 0 ? x : quarter == 1 ? -y : quarter == 2 ? -x : y;
  const double im = quarter == 0 ? y : quarter == 1 ? x : quarter == 2 ? -y : -x;
  return {T(re), T(double(sign) * im)};
}

//@ Steps : Complex complex_add complex_sub complex_mul Temporary Factors root_of_unity
// The transform of rows of one length, a step for each factor.
template <class T> struct Steps {
  int64_t length;
  T sign;
  Factors factors;
  Temporary<Complex<T>> roots; // of the steps, in the order of their use; behind them those of all factors

  Steps(int64_t n, int64_t direction) : length(n), sign(T(direction)), factors(n), roots(count_roots()) {
    if (!roots.data) return;
    Complex<T>* next = roots.data;
    int64_t left = n;
    for (int f = 0; f < factors.count; left /= factors.all[f++]) {
      const int64_t p = factors.all[f], m = left / p;
#pragma omp parallel for if (left > 4096)
      for (int64_t k = 0; k < m; ++k)
        for (int64_t r = 1; r < p; ++r) next[k * (p - 1) + r - 1] = root_of_unity<T>(k * r, left, direction);
      next += m * (p - 1);
    }
    for (int f = 0; f < factors.count; next += factors.all[f++])
      for (int64_t k = 0; k < factors.all[f]; ++k) next[k] = root_of_unity<T>(k, factors.all[f], direction);
  }
  int64_t count_roots() const {
    int64_t count = 0, left = length;
    for (int f = 0; f < factors.count; left /= factors.all[f++])
      count += left / factors.all[f] * (factors.all[f] - 1) + factors.all[f];
    return count;
  }
  int64_t scratch() const { return length; }

  // Multiplied by sign * i.
  Complex<T> turned(Complex<T> z) const { return {-sign * z.im, sign * z.re}; }
  static Complex<T> scaled(Complex<T> z, T factor) { return {z.re * factor, z.im * factor}; }

  // to[r] = the sum of from[j * m] * exp(sign * 2 pi i * j * r / p), times w[r - 1]; neighbours are `s` apart.
  void step2(const Complex<T>* from, Complex<T>* to, int64_t m, int64_t s, const Complex<T>* w) const {
    for (int64_t q = 0; q < s; ++q) {
      const Complex<T> a = from[q], b = from[q + s * m];
      to[q] = a + b;
      to[q + s] = (a - b) * w[0];
    }
  }
  void step3(const Complex<T>* from, Complex<T>* to, int64_t m, int64_t s, const Complex<T>* w) const {
    const T height = T(0.86602540378443864676);
    for (int64_t q = 0; q < s; ++q) {
      const Complex<T> a = from[q], b = from[q + s * m], c = from[q + 2 * s * m];
      const Complex<T> sum = b + c, middle = a - scaled(sum, T(0.5)), side = scaled(turned(b - c), height);
      to[q] = a + sum;
      to[q + s] = (middle + side) * w[0];
      to[q + 2 * s] = (middle - side) * w[1];
    }
  }
  void step4(const Complex<T>* from, Complex<T>* to, int64_t m, int64_t s, const Complex<T>* w) const {
    for (int64_t q = 0; q < s; ++q) {
      const Complex<T> a = from[q], b = from[q + s * m], c = from[q + 2 * s * m], d = from[q + 3 * s * m];
      const Complex<T> even = a + c, odd = b + d, middle = a - c, side = turned(b - d);
      to[q] = even + odd;
      to[q + s] = (middle + side) * w[0];
      to[q + 2 * s] = (even - odd) * w[1];
      to[q + 3 * s] = (middle - side) * w[2];
    }
  }
  void step5(const Complex<T>* from, Complex<T>* to, int64_t m, int64_t s, const Complex<T>* w) const {
    const T cos1 = T(0.30901699437494742410), sin1 = T(0.95105651629515357212);
    const T cos2 = T(-0.80901699437494742410), sin2 = T(0.58778525229247312917);
    for (int64_t q = 0; q < s; ++q) {
      const Complex<T> a = from[q], b = from[q + s * m], c = from[q + 2 * s * m], d = from[q + 3 * s * m],
                       e = from[q + 4 * s * m];
      const Complex<T> outer = b + e, inner = c + d, over = turned(b - e), under = turned(c - d);
      const Complex<T> middle1 = a + scaled(outer, cos1) + scaled(inner, cos2),
                       middle2 = a + scaled(outer, cos2) + scaled(inner, cos1),
                       side1 = scaled(over, sin1) + scaled(under, sin2),
                       side2 = scaled(over, sin2) - scaled(under, sin1);
      to[q] = a + outer + inner;
      to[q + s] = (middle1 + side1) * w[0];
      to[q + 2 * s] = (middle2 + side2) * w[1];
      to[q + 3 * s] = (middle2 - side2) * w[2];
      to[q + 4 * s] = (middle1 - side1) * w[3];
    }
  }
  void step(int64_t p, const Complex<T>* from, Complex<T>* to, int64_t m, int64_t s, const Complex<T>* w,
            const Complex<T>* of_factor) const {
    for (int64_t r = 0; r < p; ++r)
      for (int64_t q = 0; q < s; ++q) {
        Complex<T> sum = from[q];
        for (int64_t j = 1, at = r; j < p; ++j, at = at + r < p ? at + r : at + r - p)
          sum = sum + from[q + j * s * m] * of_factor[at];
        to[q + r * s] = r == 0 ? sum : sum * w[r - 1];
      }
  }

  // In place; `other` has room for as many numbers.
  void transform(Complex<T>* row, Complex<T>* other) const {
    Complex<T>*from = row, *to = other;
    const Complex<T>* w = roots.data;
    const Complex<T>* of_factor = roots.data + count_roots();
    for (int f = 0; f < factors.count; ++f) of_factor -= factors.all[f];
    int64_t m = length, s = 1;
    for (int f = 0; f < factors.count; ++f) {
      const int64_t p = factors.all[f];
      m /= p;
      for (int64_t k = 0; k < m; ++k, w += p - 1) {
        const Complex<T>* x = from + s * k;
        Complex<T>* y = to + s * p * k;
        if (p == 2)
          step2(x, y, m, s, w);
        else if (p == 3)
          step3(x, y, m, s, w);
        else if (p == 4)
          step4(x, y, m, s, w);
        else if (p == 5)
          step5(x, y, m, s, w);
        else
          step(p, x, y, m, s, w, of_factor);
      }
      of_factor += p;
      s *= p;
      Complex<T>* const done = to;
      to = from;
      from = done;
    }
    if (from != row) memcpy(row, from, size_t(length) * sizeof(*row));
  }
};

//@ Chirp : Steps convolution_length
// Bluestein: with j * k = (j * j + k * k - (j - k) * (j - k)) / 2 a transform of any length is a convolution.
template <class T> struct Chirp {
  int64_t length;
  Steps<T> inner;
  Temporary<Complex<T>> chirp, spectrum; // exp(sign * pi i * k * k / length); the transform of its conjugate

  Chirp(int64_t n, int64_t direction)
      : length(n), inner(convolution_length(2 * n - 1), -1), chirp(n), spectrum(2 * inner.length) {
    if (!inner.roots.data || !chirp.data || !spectrum.data) return;
    for (int64_t k = 0, square = 0; k < n; square = (square + 2 * k + 1) % (2 * n), ++k)
      chirp.data[k] = root_of_unity<T>(square, 2 * n, direction);
    for (int64_t k = 0; k < inner.length; ++k) spectrum.data[k] = {0, 0};
    for (int64_t k = 0; k < n; ++k)
      spectrum.data[k] =
          spectrum.data[(inner.length - k) % inner.length] = {chirp.data[k].re, -chirp.data[k].im};
    inner.transform(spectrum.data, spectrum.data + inner.length);
  }
  int64_t scratch() const { return 2 * inner.length; }

  void transform(Complex<T>* row, Complex<T>* padded) const {
    for (int64_t k = 0; k < inner.length; ++k)
      padded[k] = k < length ? row[k] * chirp.data[k] : Complex<T>{0, 0};
    inner.transform(padded, padded + inner.length);
    // The way back is forth between two conjugations.
    for (int64_t k = 0; k < inner.length; ++k) {
      const Complex<T> product = padded[k] * spectrum.data[k];
      padded[k] = {product.re, -product.im};
    }
    inner.transform(padded, padded + inner.length);
    const T scale = T(1) / T(inner.length);
    for (int64_t k = 0; k < length; ++k)
      row[k] = Complex<T>{padded[k].re * scale, -padded[k].im * scale} * chirp.data[k];
  }
};

//@ transform_each : Status fail Temporary
template <class Plan, class T>
int transform_each(const Plan& plan, bool is_made, Complex<T>* rows, int64_t count) {
  bool has_memory = is_made;
#pragma omp parallel if (count > 1 && double(count) * plan.length > 4096)
  {
    const Temporary<Complex<T>> scratch(plan.scratch());
    if (!scratch.data) {
#pragma omp atomic write
      has_memory = false;
    }
#pragma omp for
    for (int64_t r = 0; r < count; ++r)
      if (is_made && scratch.data) plan.transform(rows + r * plan.length, scratch.data);
  }
  return has_memory ? int(Ok) : fail(MemoryError, "out of memory");
}

//@ complex_transform_rows : Steps Chirp transform_each
template <class T> int transform_rows(Complex<T>* data, int64_t rows, int64_t length, int64_t sign) {
  if (rows <= 0 || length <= 1) return Ok;
  if (Factors(length).cost > 3 * Factors(convolution_length(2 * length - 1)).cost) {
    const Chirp<T> plan(length, sign);
    return transform_each(plan, plan.inner.roots.data && plan.chirp.data && plan.spectrum.data, data, rows);
  }
  const Steps<T> plan(length, sign);
  return transform_each(plan, plan.roots.data != nullptr, data, rows);
}
