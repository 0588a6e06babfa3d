//===- sorting.cuh - rows sorted by CUB ----------------------------------------------------------------===//
#pragma once
#include "host_cuda.h"
#include "sorting.h"
#include <cub/device/device_merge_sort.cuh>
#include <cub/device/device_radix_sort.cuh>
#include <cub/device/device_segmented_radix_sort.cuh>

//@ with_memory : Temporary check
// Runs a function of CUB, which says how many bytes it needs when it is given none.
template <class Sort> int with_memory(const Sort& sort, cudaStream_t stream) {
  size_t bytes = 0;
  if (const cudaError_t asked = sort(nullptr, bytes); asked != cudaSuccess) return check(asked);
  const Temporary<char> memory(int64_t(bytes), stream);
  return check(memory.data ? sort(memory.data, bytes) : cudaErrorMemoryAllocation);
}

//@ RowStarts
// Where each row begins, as CUB reads it: the i-th number is (first + i) * length.
struct RowStarts {
  using value_type = int64_t;
  using difference_type = int64_t;
  using reference = int64_t;
  using pointer = const int64_t*;
  using iterator_category = std::random_access_iterator_tag;
  int64_t first, length;
  __host__ __device__ int64_t operator[](int64_t i) const { return (first + i) * length; }
};

//@ are_few_rows
// A block of threads would have each row to itself: all blocks together have a long one sooner.
inline bool are_few_rows(int64_t rows, int64_t length) { return length / 4096 > rows; }

//@ sort_row : with_memory
// CUB takes -0.0 and 0.0 as equal, too.
template <class T> int sort_row(T* keys, int64_t length, cudaStream_t stream) {
  if (length <= 1) return Ok;
  const Temporary<T> other(length, stream);
  if (!other.data) return check(cudaErrorMemoryAllocation);
  cub::DoubleBuffer<T> sorted(keys, other.data);
  const auto sort = [&](void* memory, size_t& bytes) {
    return cub::DeviceRadixSort::SortKeys(memory, bytes, sorted, length, 0, int(8 * sizeof(T)), stream);
  };
  if (const int status = with_memory(sort, stream); status != Ok || sorted.selector == 0) return status;
  const size_t bytes = size_t(length) * sizeof(T);
  return check(cudaMemcpyAsync(keys, other.data, bytes, cudaMemcpyDeviceToDevice, stream));
}

//@ sort_rows : sort_row RowStarts are_few_rows
template <class T> int sort_rows(T* keys, int64_t rows, int64_t length, cudaStream_t stream) {
  if (rows <= 0 || length <= 1) return Ok;
  if (are_few_rows(rows, length)) {
    for (int64_t r = 0; r < rows; ++r)
      if (const int status = sort_row(keys + r * length, length, stream)) return status;
    return Ok;
  }
  const int64_t count = rows * length;
  const Temporary<T> other(count, stream);
  if (!other.data) return check(cudaErrorMemoryAllocation);
  cub::DoubleBuffer<T> sorted(keys, other.data);
  const auto sort = [&](void* memory, size_t& bytes) {
    return cub::DeviceSegmentedRadixSort::SortKeys(memory, bytes, sorted, count, rows, RowStarts{0, length},
                                                   RowStarts{1, length}, 0, int(8 * sizeof(T)), stream);
  };
  if (const int status = with_memory(sort, stream); status != Ok || sorted.selector == 0) return status;
  const size_t bytes = size_t(count) * sizeof(T);
  return check(cudaMemcpyAsync(keys, other.data, bytes, cudaMemcpyDeviceToDevice, stream));
}

//@ number_elements : launch_grid
// The number of each element in its row.
__global__ void number_elements(int64_t* __restrict__ numbers, int64_t count, int64_t length) {
  for (int64_t i = int64_t(blockIdx.x) * blockDim.x + threadIdx.x; i < count;
       i += int64_t(gridDim.x) * blockDim.x)
    numbers[i] = i % length;
}

//@ order_row : with_memory number_elements
// order[k]: which element comes k-th.
template <class T> int order_row(const T* keys, int64_t* order, int64_t length, cudaStream_t stream) {
  if (length <= 0) return Ok;
  const Temporary<T> sorted(length, stream);
  const Temporary<int64_t> numbers(length, stream);
  if (!sorted.data || !numbers.data) return check(cudaErrorMemoryAllocation);
  number_elements<<<launch_grid((length + 255) / 256), 256, 0, stream>>>(numbers.data, length, length);
  const auto sort = [&](void* memory, size_t& bytes) {
    return cub::DeviceRadixSort::SortPairs(memory, bytes, keys, sorted.data,
                                           static_cast<const int64_t*>(numbers.data), order, length, 0,
                                           int(8 * sizeof(T)), stream);
  };
  return with_memory(sort, stream);
}

//@ order_rows : order_row RowStarts are_few_rows
template <class T>
int order_rows(const T* keys, int64_t* order, int64_t rows, int64_t length, cudaStream_t stream) {
  if (rows <= 0 || length <= 0) return Ok;
  if (are_few_rows(rows, length)) {
    for (int64_t r = 0; r < rows; ++r)
      if (const int status = order_row(keys + r * length, order + r * length, length, stream)) return status;
    return Ok;
  }
  const int64_t count = rows * length;
  const Temporary<T> sorted(count, stream);
  const Temporary<int64_t> numbers(count, stream);
  if (!sorted.data || !numbers.data) return check(cudaErrorMemoryAllocation);
  number_elements<<<launch_grid((count + 255) / 256), 256, 0, stream>>>(numbers.data, count, length);
  const auto sort = [&](void* memory, size_t& bytes) {
    return cub::DeviceSegmentedRadixSort::SortPairs(
        memory, bytes, keys, sorted.data, static_cast<const int64_t*>(numbers.data), order, count, rows,
        RowStarts{0, length}, RowStarts{1, length}, 0, int(8 * sizeof(T)), stream);
  };
  return with_memory(sort, stream);
}

//@ complex_sort_row : with_memory ComplexComesBefore
template <class T> int sort_row(Complex<T>* keys, int64_t length, cudaStream_t stream) {
  if (length <= 1) return Ok;
  const auto sort = [&](void* memory, size_t& bytes) {
    return cub::DeviceMergeSort::StableSortKeys(memory, bytes, keys, length, ComplexComesBefore(), stream);
  };
  return with_memory(sort, stream);
}

//@ complex_sort_rows : complex_sort_row
template <class T> int sort_rows(Complex<T>* keys, int64_t rows, int64_t length, cudaStream_t stream) {
  for (int64_t r = 0; r < rows; ++r)
    if (const int status = sort_row(keys + r * length, length, stream)) return status;
  return Ok;
}

//@ complex_order_row : with_memory number_elements ComplexComesBefore
// order[k]: which element comes k-th.
template <class T>
int order_row(const Complex<T>* keys, int64_t* order, int64_t length, cudaStream_t stream) {
  if (length <= 0) return Ok;
  const Temporary<Complex<T>> sorted(length, stream);
  if (!sorted.data) return check(cudaErrorMemoryAllocation);
  const size_t bytes_of_keys = size_t(length) * sizeof(Complex<T>);
  const cudaError_t copied =
      cudaMemcpyAsync(sorted.data, keys, bytes_of_keys, cudaMemcpyDeviceToDevice, stream);
  if (copied != cudaSuccess) return check(copied);
  number_elements<<<launch_grid((length + 255) / 256), 256, 0, stream>>>(order, length, length);
  const auto sort = [&](void* memory, size_t& bytes) {
    return cub::DeviceMergeSort::StableSortPairs(memory, bytes, sorted.data, order, length,
                                                 ComplexComesBefore(), stream);
  };
  return with_memory(sort, stream);
}

//@ complex_order_rows : complex_order_row
template <class T>
int order_rows(const Complex<T>* keys, int64_t* order, int64_t rows, int64_t length, cudaStream_t stream) {
  for (int64_t r = 0; r < rows; ++r)
    if (const int status = order_row(keys + r * length, order + r * length, length, stream)) return status;
  return Ok;
}
