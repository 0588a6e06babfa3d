//===- host_cpu.h - temporary arrays of the cpu target -------------------------------------------------===//
#pragma once
#include "host.h"

//@ out_of_memory
// Leaves an iteration of a loop that threads share, and with it the arrays that it has made.
[[noreturn]] inline void out_of_memory() { throw std::bad_alloc(); }

//@ clear complex_clear
// Zero is bytes of 0 in all types.
template <class T> void clear(T* array, int64_t count) {
  if (count > 0) memset(static_cast<void*>(array), 0, size_t(count) * sizeof(T));
}

//@ Temporary
// A temporary array, uninitialised; `data` is null when there is no memory.
template <class T> struct Temporary {
  T* data;
  explicit Temporary(int64_t count)
      : data(static_cast<T*>(malloc(size_t(count > 0 ? count : 1) * sizeof(T)))) {}
  Temporary(const Temporary&) = delete;
  ~Temporary() { free(data); }
};
