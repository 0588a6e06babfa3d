//===- selecting.cuh - what is kept, or its places, by CUB ---------------------------------------------===//
#pragma once
#include "sorting.cuh"
#include <cub/device/device_select.cuh>

//@ Places
// 0, 1, 2, ... as CUB reads them.
struct Places {
  using value_type = int64_t;
  using difference_type = int64_t;
  using reference = int64_t;
  using pointer = const int64_t*;
  using iterator_category = std::random_access_iterator_tag;
  int64_t first;
  __host__ __device__ int64_t operator*() const { return first; }
  __host__ __device__ int64_t operator[](int64_t i) const { return first + i; }
  __host__ __device__ Places operator+(int64_t i) const { return {first + i}; }
};

//@ select_places : with_memory Places
// The numbers of the elements whose flag is set, in order, and how many these are.
inline int select_places(const bool* flags, int64_t* places, int64_t* number, int64_t count,
                         cudaStream_t stream) {
  if (count <= 0) return check(cudaMemsetAsync(number, 0, sizeof(int64_t), stream));
  const auto select = [&](void* memory, size_t& bytes) {
    return cub::DeviceSelect::Flagged(memory, bytes, Places{0}, flags, places, number, count, stream);
  };
  return with_memory(select, stream);
}

//@ select_distinct : with_memory
// CUB, to which no NaN is like another, has kept all of them, which stand at the end: one counts.
template <class T> __global__ void count_one_nan(const T* ascending, int64_t* number, int64_t count) {
  if (ascending[count - 1] == ascending[count - 1]) return;
  int64_t first = 0;
  for (int64_t end = count - 1; first < end;) {
    const int64_t middle = (first + end) / 2;
    if (ascending[middle] == ascending[middle])
      first = middle + 1;
    else
      end = middle;
  }
  *number -= count - 1 - first;
}
// The first of each run of equal elements, of elements in order, and how many these are. NaN are equal.
template <class T>
int select_distinct(const T* ascending, T* kept, int64_t* number, int64_t count, cudaStream_t stream) {
  if (count <= 0) return check(cudaMemsetAsync(number, 0, sizeof(int64_t), stream));
  const auto select = [&](void* memory, size_t& bytes) {
    return cub::DeviceSelect::Unique(memory, bytes, ascending, kept, number, count, stream);
  };
  const int status = with_memory(select, stream);
  if constexpr (std::is_floating_point_v<T>) {
    if (status == Ok) count_one_nan<T><<<1, 1, 0, stream>>>(ascending, number, count);
  }
  return status == Ok ? check(cudaGetLastError()) : status;
}

//@ select_elements : with_memory
// The elements whose flag is set, in order, and how many these are.
template <class T>
int select_elements(const T* elements, const bool* flags, T* kept, int64_t* number, int64_t count,
                    cudaStream_t stream) {
  if (count <= 0) return check(cudaMemsetAsync(number, 0, sizeof(int64_t), stream));
  const auto select = [&](void* memory, size_t& bytes) {
    return cub::DeviceSelect::Flagged(memory, bytes, elements, flags, kept, number, count, stream);
  };
  return with_memory(select, stream);
}
