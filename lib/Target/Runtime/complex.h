//===- complex.h - complex numbers and their operators, as NumPy has them -----------------------------===//
// Stands before all templates that compare or multiply: they find only operators that have been declared.
#pragma once
#include "standalone.h"

//@ Complex
template <class T> struct Complex { T re, im; };

//@ complex_cast : Complex
template <class T, class S> APPY_DEVICE Complex<T> complex_cast(Complex<S> z) { return {T(z.re), T(z.im)}; }

//@ complex_add : Complex
template <class T> APPY_DEVICE Complex<T> operator+(Complex<T> a, Complex<T> b) {
  return {a.re + b.re, a.im + b.im};
}

//@ complex_sub : Complex
template <class T> APPY_DEVICE Complex<T> operator-(Complex<T> a, Complex<T> b) {
  return {a.re - b.re, a.im - b.im};
}

//@ complex_neg : Complex
template <class T> APPY_DEVICE Complex<T> operator-(Complex<T> z) { return {-z.re, -z.im}; }

//@ complex_mul : Complex
template <class T> APPY_DEVICE Complex<T> operator*(Complex<T> a, Complex<T> b) {
  return {a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re};
}

//@ complex_div : Complex
// Smith's method, as NumPy's: no overflow where the quotient has none.
template <class T> APPY_DEVICE Complex<T> operator/(Complex<T> a, Complex<T> b) {
  if (std::fabs(b.re) >= std::fabs(b.im)) {
    if (b.re == 0 && b.im == 0) return {a.re / std::fabs(b.re), a.im / std::fabs(b.re)};
    const T ratio = b.im / b.re, scale = 1 / (b.re + b.im * ratio);
    return {(a.re + a.im * ratio) * scale, (a.im - a.re * ratio) * scale};
  }
  const T ratio = b.re / b.im, scale = 1 / (b.im + b.re * ratio);
  return {(a.re * ratio + a.im) * scale, (a.im * ratio - a.re) * scale};
}

//@ complex_equal : Complex
template <class T> APPY_DEVICE bool operator==(Complex<T> a, Complex<T> b) {
  return a.re == b.re && a.im == b.im;
}
template <class T> APPY_DEVICE bool operator!=(Complex<T> a, Complex<T> b) { return !(a == b); }

//@ complex_compare : Complex
// Order by real parts, then by imaginary parts; a NaN makes it false.
template <class T> APPY_DEVICE bool operator<(Complex<T> a, Complex<T> b) {
  return (a.re < b.re && a.im == a.im && b.im == b.im) || (a.re == b.re && a.im < b.im);
}
template <class T> APPY_DEVICE bool operator<=(Complex<T> a, Complex<T> b) {
  return (a.re < b.re && a.im == a.im && b.im == b.im) || (a.re == b.re && a.im <= b.im);
}
template <class T> APPY_DEVICE bool operator>(Complex<T> a, Complex<T> b) { return b < a; }
template <class T> APPY_DEVICE bool operator>=(Complex<T> a, Complex<T> b) { return b <= a; }
