//===- device_select.cuh - cub::DeviceSelect, as far as generated code uses it --------------------------===//
#pragma once
#include "../sorting.h"

namespace cub {

struct DeviceSelect {
  /// `from` is memory, or computes its elements.
  template <class From, class T, class Number>
  static cudaError_t Flagged(void* memory, size_t& bytes, From from, const bool* flags, T* to, Number* number,
                             int64_t count, cudaStream_t stream = nullptr) {
    if (cub_emulation::asksForBytes(memory, bytes, size_t(count))) return cudaSuccess;
    if (count < 0 || !cub_emulation::hasBytes(bytes, size_t(count))) return cudaErrorInvalidValue;
    constexpr bool isMemory = std::is_pointer_v<From>;
    T* elements = nullptr;
    if constexpr (isMemory) elements = const_cast<T*>(from);
    return emulation::callLibrary("cub::DeviceSelect",
                                  {{memory, bytes, false, true},
                                   {const_cast<bool*>(flags), size_t(count) * sizeof(bool), true, false},
                                   {elements, isMemory ? size_t(count) * sizeof(T) : 0, true, false},
                                   {to, size_t(count) * sizeof(T), false, true},
                                   {number, sizeof(Number), false, true}},
                                  stream, [=](char* const* copy) {
                                    const auto* flag = reinterpret_cast<const bool*>(copy[1]);
                                    auto* kept = reinterpret_cast<T*>(copy[3]);
                                    Number found = 0;
                                    for (int64_t i = 0; i < count; ++i) {
                                      if (!flag[i]) continue;
                                      if constexpr (isMemory)
                                        kept[found++] = reinterpret_cast<const T*>(copy[2])[i];
                                      else
                                        kept[found++] = T(from[i]);
                                    }
                                    std::memcpy(copy[4], &found, sizeof(Number));
                                  });
  }
  template <class T, class Number>
  static cudaError_t Unique(void* memory, size_t& bytes, const T* from, T* to, Number* number, int64_t count,
                            cudaStream_t stream = nullptr) {
    if (cub_emulation::asksForBytes(memory, bytes, size_t(count))) return cudaSuccess;
    if (count < 0 || !cub_emulation::hasBytes(bytes, size_t(count))) return cudaErrorInvalidValue;
    return emulation::callLibrary("cub::DeviceSelect",
                                  {{memory, bytes, false, true},
                                   {const_cast<T*>(from), size_t(count) * sizeof(T), true, false},
                                   {to, size_t(count) * sizeof(T), false, true},
                                   {number, sizeof(Number), false, true}},
                                  stream, [=](char* const* copy) {
                                    const auto* element = reinterpret_cast<const T*>(copy[1]);
                                    auto* kept = reinterpret_cast<T*>(copy[2]);
                                    Number found = 0;
                                    for (int64_t i = 0; i < count; ++i)
                                      if (i == 0 || !(element[i - 1] == element[i]))
                                        kept[found++] = element[i];
                                    std::memcpy(copy[3], &found, sizeof(Number));
                                  });
  }
};

} // namespace cub
