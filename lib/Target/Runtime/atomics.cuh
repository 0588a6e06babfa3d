//===- atomics.cuh - atomic operations of given kernels that CUDA has for some types only -----------------===//
#pragma once
#include "arithmetic.h"

//@ Bits
// The unsigned integer of T's size, 4 or 8 bytes, under which CUDA exchanges a T.
template <class T> using Bits = std::conditional_t<sizeof(T) == 4, unsigned, unsigned long long>;

//@ fetch_update : Bits Same
// *address = Op::next(*address, value), indivisibly; gives what was there before.
template <class Op, class T> __device__ T fetch_update(T* address, Same<T> value) {
  Bits<T>* const word = reinterpret_cast<Bits<T>*>(address);
  // The first look is atomic too: others may be at it.
  for (Bits<T> seen = atomicCAS(word, Bits<T>(0), Bits<T>(0));;) {
    T old;
    memcpy(&old, &seen, sizeof(T));
    const T next = Op::next(old, value);
    Bits<T> wanted;
    memcpy(&wanted, &next, sizeof(T));
    const Bits<T> found = atomicCAS(word, seen, wanted);
    if (found == seen) return old;
    seen = found;
  }
}

//@ fetch_add : Bits Same
template <class T> __device__ T fetch_add(T* address, Same<T> value) {
  using Native = std::conditional_t<std::is_floating_point_v<T>, T, Bits<T>>; // as which CUDA adds a T
  return T(atomicAdd(reinterpret_cast<Native*>(address), Native(value)));
}

//@ fetch_sub : fetch_add Bits Same
template <class T> __device__ T fetch_sub(T* address, Same<T> value) {
  if constexpr (std::is_floating_point_v<T>)
    return fetch_add(address, -value);
  else
    return fetch_add(address, T(Bits<T>(0) - Bits<T>(value)));
}

//@ fetch_and : Bits Same
template <class T> __device__ T fetch_and(T* address, Same<T> value) {
  return T(atomicAnd(reinterpret_cast<Bits<T>*>(address), Bits<T>(value)));
}

//@ fetch_or : Bits Same
template <class T> __device__ T fetch_or(T* address, Same<T> value) {
  return T(atomicOr(reinterpret_cast<Bits<T>*>(address), Bits<T>(value)));
}

//@ fetch_xor : Bits Same
template <class T> __device__ T fetch_xor(T* address, Same<T> value) {
  return T(atomicXor(reinterpret_cast<Bits<T>*>(address), Bits<T>(value)));
}

//@ fetch_exchange : Bits Same
template <class T> __device__ T fetch_exchange(T* address, T value) {
  Bits<T> bits;
  memcpy(&bits, &value, sizeof(T));
  bits = atomicExch(reinterpret_cast<Bits<T>*>(address), bits);
  memcpy(&value, &bits, sizeof(T));
  return value;
}

//@ fetch_compare_exchange : Bits Same
// *address = value where it is `expected`; gives what was there before.
template <class T> __device__ T fetch_compare_exchange(T* address, Same<T> expected, Same<T> value) {
  return T(atomicCAS(reinterpret_cast<Bits<T>*>(address), Bits<T>(expected), Bits<T>(value)));
}
