//===- operators.h - reduction operators as types, for collectives and atomic updates ------------------===//
#pragma once
#include "complex_functions.h"

//@ Sum : wrap_add
struct Sum {
  template <class T> APPY_DEVICE static T combine(T a, T b) {
    if constexpr (std::is_same_v<T, bool>)
      return a || b;
    else if constexpr (std::is_integral_v<T>)
      return wrap_add(a, b);
    else
      return a + b;
  }
};

//@ Prod : wrap_mul
struct Prod {
  template <class T> APPY_DEVICE static T combine(T a, T b) {
    if constexpr (std::is_same_v<T, bool>)
      return a && b;
    else if constexpr (std::is_integral_v<T>)
      return wrap_mul(a, b);
    else
      return a * b;
  }
};

//@ Min : minimum
struct Min {
  template <class T> APPY_DEVICE static T combine(T a, T b) { return minimum(a, b); }
};

//@ Max : maximum
struct Max {
  template <class T> APPY_DEVICE static T combine(T a, T b) { return maximum(a, b); }
};

//@ And
struct And {
  template <class T> APPY_DEVICE static T combine(T a, T b) { return T(a & b); }
};

//@ Or
struct Or {
  template <class T> APPY_DEVICE static T combine(T a, T b) { return T(a | b); }
};

//@ Xor
struct Xor {
  template <class T> APPY_DEVICE static T combine(T a, T b) { return T(a ^ b); }
};
