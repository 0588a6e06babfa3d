//===- device_segmented_radix_sort.cuh - cub::DeviceSegmentedRadixSort, as far as generated code uses it ----===//
#pragma once
#include "../sorting.h"

namespace cub {

struct DeviceSegmentedRadixSort {
  template <class K, class Begin, class End>
  static cudaError_t SortKeys(void* memory, size_t& bytes, const K* keys, K* keysTo, int64_t count,
                              int64_t segments, Begin begin, End end, int beginBit = 0,
                              int endBit = 8 * sizeof(K), cudaStream_t stream = nullptr) {
    if (cub_emulation::asksForBytes(memory, bytes, size_t(count))) return cudaSuccess;
    return cub_emulation::radixSort("cub::DeviceSegmentedRadixSort", rowsOf(segments, begin, end), keys,
                                    keysTo, count, beginBit, endBit, memory, bytes, stream);
  }
  template <class K, class V, class Begin, class End>
  static cudaError_t SortPairs(void* memory, size_t& bytes, const K* keys, K* keysTo, const V* values,
                               V* valuesTo, int64_t count, int64_t segments, Begin begin, End end,
                               int beginBit = 0, int endBit = 8 * sizeof(K), cudaStream_t stream = nullptr) {
    if (cub_emulation::asksForBytes(memory, bytes, size_t(count))) return cudaSuccess;
    return cub_emulation::radixSort("cub::DeviceSegmentedRadixSort", rowsOf(segments, begin, end), keys,
                                    keysTo, values, valuesTo, count, beginBit, endBit, memory, bytes, stream);
  }

private:
  template <class Begin, class End>
  static std::vector<cub_emulation::RowOf> rowsOf(int64_t segments, Begin begin, End end) {
    std::vector<cub_emulation::RowOf> rows;
    for (int64_t i = 0; i < segments; ++i) rows.push_back({begin[i], end[i]});
    return rows;
  }
};

} // namespace cub
