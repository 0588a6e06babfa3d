//===- mutants.h - barriers and atomic operations that can be taken out at run time -------------------===//
// mutate.py replaces each of them by a call from here with its number. An atomic operation that is taken out
// still reads, changes and writes, but not indivisibly.
#pragma once
#include <cuda_runtime.h>

namespace emulation {

bool isMutated(unsigned point);

#define MUTABLE_UPDATE(name, updated)                                                                        \
  template <class T> T mutable_##name(unsigned point, T* place, Same<T> value) {                             \
    if (!isMutated(point)) return name(place, value);                                                        \
    T old = *place;                                                                                          \
    *place = updated;                                                                                        \
    return old;                                                                                              \
  }
MUTABLE_UPDATE(atomicAdd, old + value)
MUTABLE_UPDATE(atomicSub, old - value)
MUTABLE_UPDATE(atomicMax, old < value ? value : old)
MUTABLE_UPDATE(atomicMin, value < old ? value : old)
MUTABLE_UPDATE(atomicAnd, old& value)
MUTABLE_UPDATE(atomicOr, old | value)
MUTABLE_UPDATE(atomicXor, old ^ value)
MUTABLE_UPDATE(atomicExch, value)
#undef MUTABLE_UPDATE

template <class T> T mutable_atomicCAS(unsigned point, T* place, Same<T> expected, Same<T> desired) {
  if (!isMutated(point)) return atomicCAS(place, expected, desired);
  T old = *place;
  if (old == expected) *place = desired;
  return old;
}

} // namespace emulation
