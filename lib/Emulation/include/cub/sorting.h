//===- sorting.h - what CUB's sorts have in common ------------------------------------------------------===//
#pragma once
#include "../emulation/Libraries.h"
#include <algorithm>
#include <bit>
#include <cstdint>
#include <cstring>
#include <numeric>
#include <type_traits>
#include <vector>

namespace cub_emulation {

/// Bits that ascend as CUB has the keys: floats by their bits, NaN and all, but for -0.0, which is as 0.0.
template <class T> uint64_t ascending(T key) {
  if constexpr (std::is_floating_point_v<T>) {
    using Bits = std::conditional_t<sizeof(T) == 8, uint64_t, uint32_t>;
    const Bits sign = Bits(1) << (8 * sizeof(T) - 1), bits = std::bit_cast<Bits>(key == T(0) ? T(0) : key);
    return bits & sign ? Bits(~bits) : Bits(bits | sign);
  } else if constexpr (std::is_signed_v<T>) {
    using Bits = std::make_unsigned_t<T>;
    return Bits(Bits(key) ^ (Bits(1) << (8 * sizeof(T) - 1)));
  } else {
    static_assert(std::is_unsigned_v<T>, "CUB sorts other types with a comparison");
    return uint64_t(key);
  }
}

/// The first call says how many bytes the second one needs: no more and no less than any number.
inline bool asksForBytes(const void* memory, size_t& bytes, size_t elements) {
  const size_t needed = 512 + elements * 3;
  if (memory) return false;
  bytes = needed;
  return true;
}
inline bool hasBytes(size_t bytes, size_t elements) { return bytes >= 512 + elements * 3; }

/// Stable order of keys [first, end) by `before`, as numbers of elements.
template <class T, class Before>
std::vector<int64_t> orderOf(const T* keys, int64_t first, int64_t end, const Before& before) {
  std::vector<int64_t> order(size_t(end - first));
  std::iota(order.begin(), order.end(), first);
  std::stable_sort(order.begin(), order.end(),
                   [&](int64_t a, int64_t b) { return before(keys[a], keys[b]); });
  return order;
}

template <class T> void take(const char* from, char* to, int64_t at, const std::vector<int64_t>& order) {
  for (size_t k = 0; k < order.size(); ++k)
    std::memcpy(to + (size_t(at) + k) * sizeof(T), from + size_t(order[k]) * sizeof(T), sizeof(T));
}

struct RowOf {
  int64_t first, end;
};

/// Rows of keys, with values where there are some, from one array to another; by the bits in [beginBit, endBit).
template <class K, class V>
cudaError_t radixSort(const char* function, const std::vector<RowOf>& rows, const K* keys, K* keysTo,
                      const V* values, V* valuesTo, int64_t count, int beginBit, int endBit, void* memory,
                      size_t bytes, cudaStream_t stream) {
  const int width = endBit - beginBit;
  if (count < 0 || beginBit < 0 || width < 0 || endBit > int(8 * sizeof(K)) ||
      !hasBytes(bytes, size_t(count)))
    return cudaErrorInvalidValue;
  for (const RowOf& row : rows)
    if (row.first < 0 || row.end < row.first || row.end > count) return cudaErrorInvalidValue;
  const size_t n = size_t(count), valueBytes = values ? n * sizeof(V) : 0;
  const uint64_t mask = width == 64 ? ~uint64_t(0) : (uint64_t(1) << width) - 1;
  return emulation::callLibrary(
      function,
      {{memory, bytes, false, true},
       {const_cast<K*>(keys), n * sizeof(K), true, false},
       {keysTo, n * sizeof(K), false, true},
       {const_cast<V*>(values), valueBytes, true, false},
       {valuesTo, valueBytes, false, true}},
      stream, [=](char* const* copy) {
        const auto before = [=](K a, K b) {
          return (ascending(a) >> beginBit & mask) < (ascending(b) >> beginBit & mask);
        };
        for (const RowOf& row : rows) {
          const auto order = orderOf(reinterpret_cast<const K*>(copy[1]), row.first, row.end, before);
          take<K>(copy[1], copy[2], row.first, order);
          if (values) take<V>(copy[3], copy[4], row.first, order);
        }
      });
}

/// Keys alone.
template <class K>
cudaError_t radixSort(const char* function, const std::vector<RowOf>& rows, const K* keys, K* keysTo,
                      int64_t count, int beginBit, int endBit, void* memory, size_t bytes,
                      cudaStream_t stream) {
  const char* none = nullptr;
  return radixSort(function, rows, keys, keysTo, none, const_cast<char*>(none), count, beginBit, endBit,
                   memory, bytes, stream);
}

} // namespace cub_emulation
