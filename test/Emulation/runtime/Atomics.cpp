//===- Atomics.cpp - the host's atomic instructions ---------------------------------------------------===//
#include "Check.h"

namespace emulation {

void fence() {
  __atomic_thread_fence(__ATOMIC_SEQ_CST);
  if (kCheck) noteFence();
}
void noteAtomic(const void* place, unsigned bytes) {
  if (kCheck) checkAccess(place, bytes, Access::Atomic, __builtin_return_address(0));
}

void noteAtomicDone() {
  if (kCheck) noteAcquire();
}

uint64_t atomicLoad(const void* place, unsigned bytes) {
  if (bytes == 4) return __atomic_load_n(static_cast<const uint32_t*>(place), __ATOMIC_RELAXED);
  return __atomic_load_n(static_cast<const uint64_t*>(place), __ATOMIC_RELAXED);
}

template <class Word> static bool compareExchangeWord(void* place, uint64_t& expected, uint64_t desired) {
  Word old = static_cast<Word>(expected);
  bool done = __atomic_compare_exchange_n(static_cast<Word*>(place), &old, static_cast<Word>(desired), false,
                                          __ATOMIC_RELAXED, __ATOMIC_RELAXED);
  expected = old;
  return done;
}
bool compareExchange(void* place, uint64_t& expected, uint64_t desired, unsigned bytes) {
  return bytes == 4 ? compareExchangeWord<uint32_t>(place, expected, desired)
                    : compareExchangeWord<uint64_t>(place, expected, desired);
}

} // namespace emulation
