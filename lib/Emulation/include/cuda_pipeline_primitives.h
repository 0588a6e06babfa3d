//===- cuda_pipeline_primitives.h - copies to shared memory that run beside the thread ----------------===//
// Here they are done at once: what reads them too early is not found.
#pragma once
#include "cuda_runtime.h"

namespace emulation {
template <class T> void copyOrZero(void* to, const void* from, size_t zeros) {
  *static_cast<T*>(to) = zeros == 0 ? *static_cast<const T*>(from) : T{};
}
} // namespace emulation

/// `size` is 4, 8 or 16; `zeros` is 0 or `size` here.
inline void __pipeline_memcpy_async(void* to, const void* from, size_t size, size_t zeros = 0) {
  if (zeros != 0 && zeros != size)
    ::emulation::fail("__pipeline_memcpy_async: copies in part are not emulated");
  if (size == 4) return ::emulation::copyOrZero<uint32_t>(to, from, zeros);
  if (size == 8) return ::emulation::copyOrZero<uint64_t>(to, from, zeros);
  if (size != 16) ::emulation::fail("__pipeline_memcpy_async: %zu bytes", size);
  ::emulation::copyOrZero<unsigned __int128>(to, from, zeros);
}
inline void __pipeline_commit() {}
inline void __pipeline_wait_prior(size_t) {}
