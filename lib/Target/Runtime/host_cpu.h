//===- host_cpu.h - temporary arrays of the cpu target -------------------------------------------------===//
#pragma once
#include "host.h"

//@ out_of_memory
// Leaves an iteration of a loop that threads share, and with it the arrays that it has made.
[[noreturn]] inline void out_of_memory() { throw std::bad_alloc(); }

//@ Temporary
// A temporary array, uninitialised; `data` is null when there is no memory.
template <class T> struct Temporary {
  T* data;
  explicit Temporary(int64_t count)
      : data(static_cast<T*>(malloc(size_t(count > 0 ? count : 1) * sizeof(T)))) {}
  Temporary(const Temporary&) = delete;
  ~Temporary() { free(data); }
};
