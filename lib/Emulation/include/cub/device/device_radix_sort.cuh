//===- device_radix_sort.cuh - cub::DeviceRadixSort, as far as generated code uses it -------------------===//
#pragma once
#include "../sorting.h"

namespace cub {

struct DeviceRadixSort {
  template <class K>
  static cudaError_t SortKeys(void* memory, size_t& bytes, const K* keys, K* keysTo, int64_t count,
                              int beginBit = 0, int endBit = 8 * sizeof(K), cudaStream_t stream = nullptr) {
    if (cub_emulation::asksForBytes(memory, bytes, size_t(count))) return cudaSuccess;
    return cub_emulation::radixSort("cub::DeviceRadixSort", {{0, count}}, keys, keysTo, count, beginBit,
                                    endBit, memory, bytes, stream);
  }
  template <class K, class V>
  static cudaError_t SortPairs(void* memory, size_t& bytes, const K* keys, K* keysTo, const V* values,
                               V* valuesTo, int64_t count, int beginBit = 0, int endBit = 8 * sizeof(K),
                               cudaStream_t stream = nullptr) {
    if (cub_emulation::asksForBytes(memory, bytes, size_t(count))) return cudaSuccess;
    return cub_emulation::radixSort("cub::DeviceRadixSort", {{0, count}}, keys, keysTo, values, valuesTo,
                                    count, beginBit, endBit, memory, bytes, stream);
  }
};

} // namespace cub
