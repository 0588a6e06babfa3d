//===- Atomics.cpp - the host's atomic instructions ---------------------------------------------------===//
#include "Check.h"
#include <sched.h>

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

uint64_t loadRelaxed(const void* place) {
  sched_yield();
  return __atomic_load_n(static_cast<const uint64_t*>(place), __ATOMIC_RELAXED);
}
uint64_t loadAcquire(const void* place) {
  sched_yield();
  if (kCheck) checkAccess(place, 8, Access::VolatileRead, __builtin_return_address(0));
  const uint64_t value = __atomic_load_n(static_cast<const uint64_t*>(place), __ATOMIC_ACQUIRE);
  if (kCheck) noteAcquire();
  return value;
}
void storeRelease(void* place, uint64_t value) {
  fence();
  if (kCheck) checkAccess(place, 8, Access::VolatileWrite, __builtin_return_address(0));
  __atomic_store_n(static_cast<uint64_t*>(place), value, __ATOMIC_RELEASE);
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
