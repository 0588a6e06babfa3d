//===- Atomics.h - atomic updates of 32 and 64 bits ---------------------------------------------------===//
#pragma once
#include "Types.h"

namespace emulation {

// Out of line, as they are not to be instrumented.
void noteAtomic(const void* place, unsigned bytes);
void noteAtomicDone();
uint64_t atomicLoad(const void* place, unsigned bytes);
/// What another block has stored; lets others run where it is waited for. What that block wrote before is there behind an
/// acquire alone.
uint64_t loadRelaxed(const void* place);
uint64_t loadAcquire(const void* place);
void storeRelease(void* place, uint64_t value);
bool compareExchange(void* place, uint64_t& expected, uint64_t desired, unsigned bytes);

/// Replaces *place by update(*place); returns the old value.
template <class T, class Update> T readModifyWrite(T* place, Update update) {
  static_assert(sizeof(T) == 4 || sizeof(T) == 8);
  noteAtomic(place, sizeof(T));
  uint64_t bits = atomicLoad(place, sizeof(T));
  for (;;) {
    T before;
    std::memcpy(&before, &bits, sizeof(T));
    T after = update(before);
    uint64_t newBits = 0;
    std::memcpy(&newBits, &after, sizeof(T));
    if (!compareExchange(place, bits, newBits, sizeof(T))) continue;
    noteAtomicDone();
    return before;
  }
}
template <class T> using Same = std::type_identity_t<T>;

} // namespace emulation

template <class T> T atomicAdd(T* place, ::emulation::Same<T> value) {
  return ::emulation::readModifyWrite(place, [value](T old) {
    if constexpr (std::is_integral_v<T>)
      return static_cast<T>(std::make_unsigned_t<T>(old) + std::make_unsigned_t<T>(value));
    else
      return old + value;
  });
}
template <class T> T atomicSub(T* place, ::emulation::Same<T> value) {
  return ::emulation::readModifyWrite(place, [value](T old) {
    return static_cast<T>(std::make_unsigned_t<T>(old) - std::make_unsigned_t<T>(value));
  });
}
template <class T> T atomicMax(T* place, ::emulation::Same<T> value) {
  return ::emulation::readModifyWrite(place, [value](T old) { return old < value ? value : old; });
}
template <class T> T atomicMin(T* place, ::emulation::Same<T> value) {
  return ::emulation::readModifyWrite(place, [value](T old) { return value < old ? value : old; });
}
template <class T> T atomicAnd(T* place, ::emulation::Same<T> value) {
  return ::emulation::readModifyWrite(place, [value](T old) { return old & value; });
}
template <class T> T atomicOr(T* place, ::emulation::Same<T> value) {
  return ::emulation::readModifyWrite(place, [value](T old) { return old | value; });
}
template <class T> T atomicXor(T* place, ::emulation::Same<T> value) {
  return ::emulation::readModifyWrite(place, [value](T old) { return old ^ value; });
}
template <class T> T atomicExch(T* place, ::emulation::Same<T> value) {
  return ::emulation::readModifyWrite(place, [value](T) { return value; });
}
template <class T> T atomicCAS(T* place, ::emulation::Same<T> expected, ::emulation::Same<T> desired) {
  return ::emulation::readModifyWrite(place, [=](T old) { return old == expected ? desired : old; });
}
inline unsigned atomicInc(unsigned* place, unsigned limit) {
  return ::emulation::readModifyWrite(place, [limit](unsigned old) { return old >= limit ? 0 : old + 1; });
}
