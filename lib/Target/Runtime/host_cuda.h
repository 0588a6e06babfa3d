//===- host_cuda.h - memory, launches and errors of the cuda target ------------------------------------===//
#pragma once
#include "host.h"

//@ check : fail
inline int check(cudaError_t error) {
  if (error == cudaSuccess)
    return Ok;
  return fail(error == cudaErrorMemoryAllocation ? MemoryError : RuntimeError, cudaGetErrorString(error));
}

//@ launch_grid
// Blocks of a launch; x is 0 when there is nothing to do. Kernels stride over what exceeds the hardware's
// limits.
inline dim3 launch_grid(int64_t x, int64_t y = 1, int64_t z = 1) {
  const int64_t limit = 65535;
  if (x <= 0 || y <= 0 || z <= 0)
    return dim3(0);
  return dim3(unsigned(x < INT32_MAX ? x : INT32_MAX), unsigned(y < limit ? y : limit),
              unsigned(z < limit ? z : limit));
}

//@ Arena
// Hands out parts of the workspace, each on a boundary of 256 bytes.
struct Arena {
  char* next;
  explicit Arena(void* workspace) : next(static_cast<char*>(workspace)) {}
  template <class T> static size_t size(int64_t count) {
    return (size_t(count > 0 ? count : 0) * sizeof(T) + 255) / 256 * 256;
  }
  template <class T> T* take(int64_t count) {
    char* part = next;
    next += size<T>(count);
    return reinterpret_cast<T*>(part);
  }
};

//@ Temporary
// A temporary array on the device, uninitialised; `data` is null when there is no memory.
template <class T> struct Temporary {
  T* data = nullptr;
  cudaStream_t stream;
  Temporary(int64_t count, cudaStream_t on) : stream(on) {
    const size_t bytes = size_t(count > 0 ? count : 1) * sizeof(T);
    if (cudaMallocAsync(reinterpret_cast<void**>(&data), bytes, stream) != cudaSuccess)
      data = nullptr;
  }
  Temporary(const Temporary&) = delete;
  ~Temporary() { cudaFreeAsync(data, stream); }
};

//@ fetch : check
// Copies one element from the device, after all that was launched before.
template <class T> int fetch(T* target, const T* source, cudaStream_t stream) {
  const cudaError_t copied = cudaMemcpyAsync(target, source, sizeof(T), cudaMemcpyDeviceToHost, stream);
  return check(copied == cudaSuccess ? cudaStreamSynchronize(stream) : copied);
}
