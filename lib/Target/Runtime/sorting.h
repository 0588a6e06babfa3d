//===- sorting.h - NumPy's order of numbers ------------------------------------------------------------===//
#pragma once
#include "complex.h"

//@ ComesBefore
// NumPy's order: NaN comes last.
struct ComesBefore {
  template <class T> APPY_DEVICE bool operator()(T a, T b) const { return a < b || (b != b && a == a); }
};

//@ ComplexComesBefore : Complex ComesBefore
// By real parts, then by imaginary parts; numbers with a NaN come last, those with one in the real part behind the
// others.
struct ComplexComesBefore {
  template <class T> APPY_DEVICE bool operator()(Complex<T> a, Complex<T> b) const {
    const ComesBefore before;
    const bool a_first = a.re == a.re, b_first = b.re == b.re, a_second = a.im == a.im,
               b_second = b.im == b.im;
    if (a_first != b_first) return a_first;
    if (!a_first || a.re == b.re) return before(a.im, b.im);
    return a_second != b_second ? a_second : a.re < b.re;
  }
};
