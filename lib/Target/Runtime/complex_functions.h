//===- complex_functions.h - NumPy's functions of complex numbers --------------------------------------===//
#pragma once
#include "arithmetic.h"

//@ complex_to_bool : Complex
template <class T> APPY_DEVICE bool complex_to_bool(Complex<T> z) { return z.re != 0 || z.im != 0; }

//@ conjugate : Complex
template <class T> APPY_DEVICE Complex<T> conjugate(Complex<T> z) { return {z.re, -z.im}; }

//@ complex_is_nan : Complex
template <class T> APPY_DEVICE bool complex_is_nan(Complex<T> z) { return z.re != z.re || z.im != z.im; }

//@ complex_is_inf : Complex
template <class T> APPY_DEVICE bool complex_is_inf(Complex<T> z) {
  return std::fabs(z.re) == INFINITY || std::fabs(z.im) == INFINITY;
}

//@ complex_is_finite : Complex
template <class T> APPY_DEVICE bool complex_is_finite(Complex<T> z) {
  return std::fabs(z.re) < INFINITY && std::fabs(z.im) < INFINITY;
}

//@ complex_abs : Complex
template <class T> APPY_DEVICE T complex_abs(Complex<T> z) { return std::hypot(z.re, z.im); }

//@ complex_sign : complex_abs
// z / |z|; 0 for 0.
template <class T> APPY_DEVICE Complex<T> complex_sign(Complex<T> z) {
  const T size = complex_abs(z);
  if (size == 0) return {0, 0};
  if (size != INFINITY) return {z.re / size, z.im / size};
  const bool inf_re = std::fabs(z.re) == INFINITY, inf_im = std::fabs(z.im) == INFINITY;
  if (inf_re && inf_im) return {NAN, NAN};
  return {inf_re ? std::copysign(T(1), z.re) : T(0), inf_im ? std::copysign(T(1), z.im) : T(0)};
}

//@ complex_rint : Complex
template <class T> APPY_DEVICE Complex<T> complex_rint(Complex<T> z) {
  return {std::rint(z.re), std::rint(z.im)};
}

//@ complex_exp : Complex
template <class T> APPY_DEVICE Complex<T> complex_exp(Complex<T> z) {
  const T size = std::exp(z.re);
  if (z.im == 0 || (size == 0 && !(std::fabs(z.im) < INFINITY))) return {size, size == 0 ? T(0) : z.im};
  if (z.re == T(INFINITY) && !(std::fabs(z.im) < INFINITY)) return {size, T(NAN)};
  return {size * std::cos(z.im), size * std::sin(z.im)};
}

//@ complex_log : Complex
template <class T> APPY_DEVICE Complex<T> complex_log(Complex<T> z) {
  return {std::log(std::hypot(z.re, z.im)), std::atan2(z.im, z.re)};
}

//@ complex_sqrt : Complex
// Of |re| and |im| without cancellation; the result's real part is not negative.
template <class T> APPY_DEVICE Complex<T> complex_sqrt(Complex<T> z) {
  if (z.re == 0 && z.im == 0) return {0, z.im};
  if (std::fabs(z.im) == INFINITY) return {T(INFINITY), z.im};
  if (z.re == T(INFINITY)) return {z.re, z.im == z.im ? std::copysign(T(0), z.im) : z.im};
  if (z.re == T(-INFINITY)) return {z.im == z.im ? T(0) : z.im, std::copysign(T(INFINITY), z.im)};
  const T scale =
      std::fabs(z.re) > T(1e30) || std::fabs(z.im) > T(1e30) ? T(0.25) : T(1); // keeps |z| + |re| finite
  const T re = z.re * scale, im = z.im * scale;
  const T root = std::sqrt((std::hypot(re, im) + std::fabs(re)) / 2);
  const T other = std::fabs(im) / (2 * root), back = scale == 1 ? T(1) : T(2);
  if (re >= 0) return {root * back, std::copysign(other * back, z.im)};
  return {other * back, std::copysign(root * back, z.im)};
}

//@ complex_sinh : Complex
template <class T> APPY_DEVICE Complex<T> complex_sinh(Complex<T> z) {
  if (z.im == 0) return {std::sinh(z.re), z.im};
  return {std::sinh(z.re) * std::cos(z.im), std::cosh(z.re) * std::sin(z.im)};
}

//@ complex_cosh : Complex
template <class T> APPY_DEVICE Complex<T> complex_cosh(Complex<T> z) {
  if (z.im == 0) return {std::cosh(z.re), z.re * z.im};
  return {std::cosh(z.re) * std::cos(z.im), std::sinh(z.re) * std::sin(z.im)};
}

//@ complex_tanh : Complex
template <class T> APPY_DEVICE Complex<T> complex_tanh(Complex<T> z) {
  if (std::fabs(z.re) > 22) { // sinh and cosh are equal here
    const T small = 4 * std::exp(-2 * std::fabs(z.re)) * std::sin(z.im) * std::cos(z.im);
    return {std::copysign(T(1), z.re), small == small ? small : T(0)};
  }
  const T t = std::tan(z.im), s = std::sinh(z.re), c = std::sqrt(1 + s * s), beta = 1 + t * t,
          below = 1 + beta * s * s;
  return {beta * c * s / below, t / below};
}

//@ complex_sin : complex_sinh
template <class T> APPY_DEVICE Complex<T> complex_sin(Complex<T> z) {
  const Complex<T> w = complex_sinh(Complex<T>{-z.im, z.re});
  return {w.im, -w.re};
}

//@ complex_cos : complex_cosh
template <class T> APPY_DEVICE Complex<T> complex_cos(Complex<T> z) {
  return complex_cosh(Complex<T>{-z.im, z.re});
}

//@ complex_tan : complex_tanh
template <class T> APPY_DEVICE Complex<T> complex_tan(Complex<T> z) {
  const Complex<T> w = complex_tanh(Complex<T>{-z.im, z.re});
  return {w.im, -w.re};
}

//@ complex_asinh : complex_sqrt
// Kahan's formulas: exact signs on the branch cuts.
template <class T> APPY_DEVICE Complex<T> complex_asinh(Complex<T> z) {
  const Complex<T> p = complex_sqrt(Complex<T>{1 - z.im, z.re}),
                   q = complex_sqrt(Complex<T>{1 + z.im, -z.re});
  return {std::asinh(p.re * q.im - p.im * q.re) * -1, std::atan2(z.im, p.re * q.re - p.im * q.im)};
}

//@ complex_asin : complex_asinh
template <class T> APPY_DEVICE Complex<T> complex_asin(Complex<T> z) {
  const Complex<T> w = complex_asinh(Complex<T>{-z.im, z.re});
  return {w.im, -w.re};
}

//@ complex_acos : complex_sqrt
template <class T> APPY_DEVICE Complex<T> complex_acos(Complex<T> z) {
  const Complex<T> p = complex_sqrt(Complex<T>{1 - z.re, -z.im}),
                   q = complex_sqrt(Complex<T>{1 + z.re, z.im});
  return {2 * std::atan2(p.re, q.re), std::asinh(q.re * p.im - q.im * p.re)};
}

//@ complex_acosh : complex_sqrt
template <class T> APPY_DEVICE Complex<T> complex_acosh(Complex<T> z) {
  const Complex<T> p = complex_sqrt(Complex<T>{z.re - 1, z.im}), q = complex_sqrt(Complex<T>{z.re + 1, z.im});
  return {std::asinh(p.re * q.re + p.im * q.im), 2 * std::atan2(p.im, q.re)};
}

//@ complex_atanh : Complex
template <class T> APPY_DEVICE Complex<T> complex_atanh(Complex<T> z) {
  const T square = z.im * z.im, left = 1 - z.re, right = 1 + z.re;
  return {std::log1p(4 * z.re / (left * left + square)) / 4, std::atan2(2 * z.im, left * right - square) / 2};
}

//@ complex_atan : complex_atanh
template <class T> APPY_DEVICE Complex<T> complex_atan(Complex<T> z) {
  const Complex<T> w = complex_atanh(Complex<T>{-z.im, z.re});
  return {w.im, -w.re};
}

//@ complex_log2 : complex_log
template <class T> APPY_DEVICE Complex<T> complex_log2(Complex<T> z) {
  const Complex<T> w = complex_log(z);
  return {w.re * T(1.4426950408889634), w.im * T(1.4426950408889634)};
}

//@ complex_log10 : complex_log
template <class T> APPY_DEVICE Complex<T> complex_log10(Complex<T> z) {
  const Complex<T> w = complex_log(z);
  return {w.re * T(0.4342944819032518), w.im * T(0.4342944819032518)};
}

//@ complex_log1p : Complex
template <class T> APPY_DEVICE Complex<T> complex_log1p(Complex<T> z) {
  return {std::log(std::hypot(z.re + 1, z.im)), std::atan2(z.im, z.re + 1)};
}

//@ complex_expm1 : Complex
template <class T> APPY_DEVICE Complex<T> complex_expm1(Complex<T> z) {
  const T half = std::sin(z.im / 2);
  return {std::expm1(z.re) * std::cos(z.im) - 2 * half * half, std::exp(z.re) * std::sin(z.im)};
}

//@ complex_exp2 : complex_exp
template <class T> APPY_DEVICE Complex<T> complex_exp2(Complex<T> z) {
  return complex_exp(Complex<T>{z.re * T(0.6931471805599453), z.im * T(0.6931471805599453)});
}

//@ complex_power : complex_mul complex_div complex_exp complex_log
// Small whole exponents by multiplication, as NumPy; else exp(b log a).
template <class T> APPY_DEVICE Complex<T> complex_power(Complex<T> a, Complex<T> b) {
  if (b.re == 0 && b.im == 0) return {1, 0};
  if (a.re == 0 && a.im == 0) return b.re > 0 ? Complex<T>{0, 0} : Complex<T>{NAN, NAN};
  if (b.im == 0 && std::floor(b.re) == b.re && std::fabs(b.re) < 100) {
    if (b.re == 1) // a product with 1 + 0j would make NaN of infinities
      return a;
    Complex<T> result{1, 0}, base = a;
    for (int n = int(std::fabs(b.re)); n > 0; n /= 2) {
      if (n % 2 != 0) result = result * base;
      base = base * base;
    }
    return b.re < 0 ? Complex<T>{1, 0} / result : result;
  }
  const Complex<T> l = complex_log(a);
  Complex<T> exponent = b * l;
  const bool isLost = exponent.re != exponent.re && exponent.im != exponent.im;
  if (isLost &&
      (std::fabs(b.re) == INFINITY || std::fabs(b.im) == INFINITY)) { // as C's annex G has the product
    const T re = std::copysign(T(std::fabs(b.re) == INFINITY), b.re);
    const T im = std::copysign(T(std::fabs(b.im) == INFINITY), b.im);
    exponent = {T(INFINITY) * (re * l.re - im * l.im), T(INFINITY) * (re * l.im + im * l.re)};
  }
  return complex_exp(exponent);
}
