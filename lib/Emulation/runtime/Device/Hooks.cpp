//===- Hooks.cpp - the functions that -fsanitize=thread makes each access call ------------------------===//
#include "Check.h"

#ifdef EMULATION_CHECK
using emulation::Access;
using emulation::checkAccess;

// A macro, as the functions' names hold the number.
#define APPYC_ACCESS_HOOKS(bytes)                                                                            \
  void __tsan_read##bytes(void* p) { checkAccess(p, bytes, Access::Read, __builtin_return_address(0)); }     \
  void __tsan_write##bytes(void* p) { checkAccess(p, bytes, Access::Write, __builtin_return_address(0)); }   \
  void __tsan_unaligned_read##bytes(void* p) {                                                               \
    checkAccess(p, bytes, Access::Read, __builtin_return_address(0));                                        \
  }                                                                                                          \
  void __tsan_unaligned_write##bytes(void* p) {                                                              \
    checkAccess(p, bytes, Access::Write, __builtin_return_address(0));                                       \
  }                                                                                                          \
  void __tsan_volatile_read##bytes(void* p) {                                                                \
    checkAccess(p, bytes, Access::VolatileRead, __builtin_return_address(0));                                \
  }                                                                                                          \
  void __tsan_volatile_write##bytes(void* p) {                                                               \
    checkAccess(p, bytes, Access::VolatileWrite, __builtin_return_address(0));                               \
  }

extern "C" {
APPYC_ACCESS_HOOKS(1)
APPYC_ACCESS_HOOKS(2)
APPYC_ACCESS_HOOKS(4)
APPYC_ACCESS_HOOKS(8)
APPYC_ACCESS_HOOKS(16)

void __tsan_read_range(void* p, long bytes) {
  checkAccess(p, size_t(bytes), Access::Read, __builtin_return_address(0));
}
void __tsan_write_range(void* p, long bytes) {
  checkAccess(p, size_t(bytes), Access::Write, __builtin_return_address(0));
}
void* __tsan_memcpy(void* to, const void* from, size_t bytes) {
  checkAccess(from, bytes, Access::Read, __builtin_return_address(0));
  checkAccess(to, bytes, Access::Write, __builtin_return_address(0));
  return std::memcpy(to, from, bytes);
}
void* __tsan_memset(void* to, int value, size_t bytes) {
  checkAccess(to, bytes, Access::Write, __builtin_return_address(0));
  return std::memset(to, value, bytes);
}
// -fsanitize=bounds: arrays whose length the type says.
void __ubsan_handle_out_of_bounds(void* data, void* index) {
  emulation::reportIndex(*static_cast<const emulation::SourcePlace*>(data),
                         long(reinterpret_cast<intptr_t>(index)));
}

void __tsan_init() {}
void __tsan_func_entry(void*) {}
void __tsan_func_exit() {}
void __tsan_vptr_update(void**, void*) {}
void __tsan_vptr_read(void**) {}
void __tsan_atomic_thread_fence(int) {}

// Host code only: reference counts and the guards of static variables.
int __tsan_atomic32_fetch_add(volatile int* place, int value, int) {
  return __atomic_fetch_add(place, value, 5);
}
int __tsan_atomic32_load(const volatile int* place, int) { return __atomic_load_n(place, 5); }
void __tsan_atomic32_store(volatile int* place, int value, int) { __atomic_store_n(place, value, 5); }
char __tsan_atomic8_load(const volatile char* place, int) { return __atomic_load_n(place, 5); }
void __tsan_atomic8_store(volatile char* place, char value, int) { __atomic_store_n(place, value, 5); }
}
#endif
