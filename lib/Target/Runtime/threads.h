//===- threads.h - atomic updates under OpenMP ---------------------------------------------------------===//
#pragma once
#include "operators.h"

//@ atomic_update
// *address = Op(*address, value), indivisibly, for operations that OpenMP has no atomic form of.
template <class Op, class T> void atomic_update(T* address, T value) {
#pragma omp critical(appyc_atomic_update)
  *address = Op::combine(*address, value);
}

//@ locked_update : atomic_update
template <class Op, class T> void locked_update(T* address, T value) { atomic_update<Op>(address, value); }

//@ atomic_sum : Same
template <class T> void atomic_sum(T* address, Same<T> value) {
  if constexpr (std::is_integral_v<T>) {
    auto* target = reinterpret_cast<std::make_unsigned_t<T>*>(address);
#pragma omp atomic
    *target += std::make_unsigned_t<T>(value);
  } else {
#pragma omp atomic
    *address += value;
  }
}

//@ complex_atomic_sum : Complex
// The parts are independent of each other, so each may be added by itself.
template <class T> void complex_atomic_sum(Complex<T>* address, Complex<T> value) {
#pragma omp atomic
  address->re += value.re;
#pragma omp atomic
  address->im += value.im;
}

//@ atomic_min : Min atomic_update Same
template <class T> void atomic_min(T* address, Same<T> value) { atomic_update<Min>(address, value); }

//@ atomic_max : Max atomic_update Same
template <class T> void atomic_max(T* address, Same<T> value) { atomic_update<Max>(address, value); }
