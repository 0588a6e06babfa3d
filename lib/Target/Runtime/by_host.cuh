//===- by_host.cuh - what the host does on copies of the device's arrays ---------------------------------===//
#pragma once
#include "host_cuda.h"

//@ by_host : Lock check
// An array of the device, of which the host has a copy while it works on it: what it reads comes, what it writes goes back.
struct HostCopy {
  const void* device;
  size_t bytes;
  bool comes, goes;
};
template <class T> HostCopy reads(const T* a, int64_t n) { return {a, size_t(n) * sizeof(T), true, false}; }
template <class T> HostCopy writes(const T* a, int64_t n) { return {a, size_t(n) * sizeof(T), true, true}; }
template <class T> HostCopy fills(const T* a, int64_t n) { return {a, size_t(n) * sizeof(T), false, true}; }
template <class T> HostCopy keeps(const T* a, int64_t n) { return {a, size_t(n) * sizeof(T), false, false}; }

// Where the copies are, in memory that is kept for the next call.
class HostCopies {
  const HostCopy* first_;
  const HostCopy* end_;
  char* memory_;
  static size_t room(size_t bytes) { return (bytes + 255) / 256 * 256; }
  // Waits for it: the host goes on with what has come, and the next call wants the memory.
  cudaError_t copy(cudaStream_t stream, bool HostCopy::*is_wanted, bool to_host) const {
    char* at = memory_;
    for (const HostCopy* copy = first_; copy != end_; at += room(copy->bytes), ++copy) {
      if (!(copy->*is_wanted) || copy->bytes == 0) continue;
      void* device = const_cast<void*>(copy->device);
      if (const cudaError_t error =
              to_host ? cudaMemcpyAsync(at, device, copy->bytes, cudaMemcpyDeviceToHost, stream)
                      : cudaMemcpyAsync(device, at, copy->bytes, cudaMemcpyHostToDevice, stream))
        return error;
    }
    return cudaStreamSynchronize(stream);
  }

public:
  HostCopies(const HostCopy* first, const HostCopy* end, char* memory)
      : first_(first), end_(end), memory_(memory) {}
  static size_t bytes(const HostCopy* first, const HostCopy* end) {
    size_t all = 0;
    for (; first != end; ++first) all += room(first->bytes);
    return all;
  }
  template <class T> T* operator()(T* device) const {
    char *at = memory_, *found = memory_;
    for (const HostCopy* copy = first_; copy != end_; at += room(copy->bytes), ++copy)
      if (copy->device == device && copy->bytes > 0)
        found = at; // an array of nothing may lie where another one begins
    return reinterpret_cast<T*>(found);
  }
  cudaError_t fetch(cudaStream_t stream) const { return copy(stream, &HostCopy::comes, true); }
  cudaError_t give_back(cudaStream_t stream) const { return copy(stream, &HostCopy::goes, false); }
};

// work(copies), by the host, of what has been launched before.
template <class Work>
int by_host(cudaStream_t stream, std::initializer_list<HostCopy> arrays, const Work& work) {
  static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
  static char* memory = nullptr;
  static size_t room = 0;
  const Lock lock(mutex);
  if (const size_t bytes = HostCopies::bytes(arrays.begin(), arrays.end()); bytes > room) {
    cudaFreeHost(memory);
    memory = nullptr, room = 0;
    if (const cudaError_t error = cudaMallocHost(reinterpret_cast<void**>(&memory), bytes))
      return check(error);
    room = bytes;
  }
  const HostCopies copies(arrays.begin(), arrays.end(), memory);
  if (const cudaError_t error = copies.fetch(stream)) return check(error);
  work(copies);
  return check(copies.give_back(stream));
}
