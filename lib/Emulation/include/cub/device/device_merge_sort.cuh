//===- device_merge_sort.cuh - cub::DeviceMergeSort, as far as generated code uses it -------------------===//
#pragma once
#include "../sorting.h"

namespace cub {

struct DeviceMergeSort {
  template <class K, class Before>
  static cudaError_t StableSortKeys(void* memory, size_t& bytes, K* keys, int64_t count, Before before,
                                    cudaStream_t stream = nullptr) {
    return StableSortPairs(memory, bytes, keys, static_cast<char*>(nullptr), count, before, stream);
  }
  template <class K, class V, class Before>
  static cudaError_t StableSortPairs(void* memory, size_t& bytes, K* keys, V* values, int64_t count,
                                     Before before, cudaStream_t stream = nullptr) {
    if (cub_emulation::asksForBytes(memory, bytes, size_t(count))) return cudaSuccess;
    if (count < 0 || !cub_emulation::hasBytes(bytes, size_t(count))) return cudaErrorInvalidValue;
    const size_t n = size_t(count);
    return emulation::callLibrary("cub::DeviceMergeSort",
                                  {{memory, bytes, false, true},
                                   {keys, n * sizeof(K), true, true},
                                   {values, values ? n * sizeof(V) : 0, true, true}},
                                  stream, [=](char* const* copy) {
                                    const auto order = cub_emulation::orderOf(
                                        reinterpret_cast<const K*>(copy[1]), 0, count, before);
                                    const std::vector<char> keysFrom(copy[1], copy[1] + n * sizeof(K));
                                    cub_emulation::take<K>(keysFrom.data(), copy[1], 0, order);
                                    if (!values) return;
                                    const std::vector<char> valuesFrom(copy[2], copy[2] + n * sizeof(V));
                                    cub_emulation::take<V>(valuesFrom.data(), copy[2], 0, order);
                                  });
  }
};

} // namespace cub
