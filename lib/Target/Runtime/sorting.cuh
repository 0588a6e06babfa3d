//===- sorting.cuh - rows sorted by CUB ----------------------------------------------------------------===//
// Short rows by bitonic networks in shared memory: CUB has a block for a segment, and its headers for short segments take nvcc
// longer. np.argsort along rows, f64, ms:
//   an H100           10^6 x 16 | 10^6 x 64 | 250,000 x 256 | 64,000 x 1000 | 16,000 x 4096
//   CUB's segments       248    |   252     |      72       |      25       |      16
//   predicted                   |   1.5     |               |      4        |       7
//   this                 0.21   |   1.10    |      1.68     |      2.6      |       4.5
#pragma once
#include "host_cuda.h"
#include "sorting.h"
#include <cstring>
#include <cub/device/device_merge_sort.cuh>
#include <cub/device/device_radix_sort.cuh>
#include <cub/device/device_segmented_radix_sort.cuh>
#include <type_traits>

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

//@ nans_last : launch_grid
// CUB goes by the bits, which puts NaN with a sign before all numbers of its row; they come last. A block a row.
template <class T> __global__ void nans_to_the_end(T* rows, int64_t count, int64_t length) {
  for (int64_t r = blockIdx.x; r < count; r += gridDim.x) {
    T* row = rows + r * length;
    const T first = row[0];
    if (first == first || !std::signbit(first)) continue;
    int64_t before = 1; // so many have a sign
    for (int64_t end = length; before < end;) {
      const int64_t middle = (before + end) / 2;
      if (row[middle] != row[middle] && std::signbit(row[middle]))
        before = middle + 1;
      else
        end = middle;
    }
    for (int64_t tile = 0; tile < length; tile += blockDim.x) {
      const int64_t i = tile + threadIdx.x;
      const T element = i + before < length ? row[i + before] : first;
      __syncthreads();
      if (i < length) row[i] = element;
    }
  }
}
template <class T> int nans_last(T* rows, int64_t count, int64_t length, cudaStream_t stream) {
  if constexpr (std::is_floating_point_v<T>)
    nans_to_the_end<T><<<launch_grid(count), 1024, 0, stream>>>(rows, count, length);
  return check(cudaGetLastError());
}

//@ sort_row : with_memory nans_last
// CUB takes -0.0 and 0.0 as equal, too.
template <class T> int sort_row(const T* keys, T* sorted, int64_t length, cudaStream_t stream) {
  if (length <= 0) return Ok;
  const auto sort = [&](void* memory, size_t& bytes) {
    return cub::DeviceRadixSort::SortKeys(memory, bytes, keys, sorted, length, 0, int(8 * sizeof(T)), stream);
  };
  const int status = with_memory(sort, stream);
  return status == Ok ? nans_last(sorted, 1, length, stream) : status;
}

//@ ascending_bits
// A whole number for each key, in NumPy's order: NaN comes last, -0.0 is as 0.0.
template <class T> __device__ auto ascending_bits(T key) {
  using Bits = std::conditional_t<sizeof(T) == 8, uint64_t, uint32_t>;
  constexpr Bits sign = Bits(1) << (8 * sizeof(Bits) - 1);
  if constexpr (std::is_floating_point_v<T>) {
    if (key != key) return Bits(~Bits(0));
    if (key == 0) return sign;
    Bits bits;
    memcpy(&bits, &key, sizeof(T));
    return bits & sign ? Bits(~bits) : Bits(bits | sign);
  } else {
    return std::is_signed_v<T> ? Bits(Bits(key) ^ sign) : Bits(key);
  }
}

//@ sort_short longest_short_row : ascending_bits
constexpr int longest_short_row = 4096;

// Rows of up to 4096 elements as bitonic networks (Batcher 1968): padded to 2^log >= 8 elements, eight a thread, which does three
// exchanges in registers between two barriers. The key's place is its last digit: what is equal stays in order, padding comes last.
template <class T>
__global__ void __launch_bounds__(512)
    sort_short(const T* keys, T* sorted, int64_t* order, int64_t rows, int64_t length, int log) {
  using Bits = decltype(ascending_bits(T()));
  __shared__ Bits
      tile_bits[longest_short_row * 9 / 8]; // every ninth is left out, so that threads meet other banks
  __shared__ uint16_t tile_places[longest_short_row * 9 / 8];
  const int thread = int(threadIdx.x), threads = int(blockDim.x), columns = 1 << log;
  const int64_t tile_rows = threads * 8 >> log;
  const auto slot = [](int i) { return i + i / 8; };
  for (int64_t first = blockIdx.x * tile_rows; first < rows; first += gridDim.x * tile_rows) {
    for (int i = thread; i < threads * 8; i += threads) {
      const int64_t row = first + (i >> log);
      const int column = i & (columns - 1);
      tile_bits[slot(i)] =
          row < rows && column < length ? ascending_bits(keys[row * length + column]) : Bits(~Bits(0));
      tile_places[slot(i)] = uint16_t(column);
    }
    __syncthreads();
    // Runs of 2^run elements are merged, up and down in turn: exchanges over 2^(rest - 1) elements, over half of them, and so on.
    for (int run = 3; run <= log; ++run) {
      for (int rest = run; rest > 0; rest -= 3) {
        const int at_once = rest < 3 ? rest : 3, step = 1 << (rest - at_once);
        const int base = thread / step * step * 8 + thread % step;
        Bits bits[8];
        int place[8];
#pragma unroll
        for (int k = 0; k < 8; ++k) {
          bits[k] = tile_bits[slot(base + k * step)];
          place[k] = tile_places[slot(base + k * step)];
        }
        const auto exchange = [&](int half, int merged) {
#pragma unroll
          for (int k = 0; k < 8; ++k) {
            if (k & half) continue;
            const int other = k + half;
            const bool is_after =
                bits[k] > bits[other] || (bits[k] == bits[other] && place[k] > place[other]);
            if (is_after == bool(((base + k * step) & (columns - 1)) >> merged & 1)) continue;
            const Bits later = bits[k];
            bits[k] = bits[other];
            bits[other] = later;
            const int later_place = place[k];
            place[k] = place[other];
            place[other] = later_place;
          }
        };
        if (run == 3) {
          exchange(1, 1);
          exchange(2, 2);
          exchange(1, 2);
        }
        if (at_once > 2) exchange(4, run);
        if (at_once > 1) exchange(2, run);
        exchange(1, run);
#pragma unroll
        for (int k = 0; k < 8; ++k) {
          tile_bits[slot(base + k * step)] = bits[k];
          tile_places[slot(base + k * step)] = uint16_t(place[k]);
        }
        if (log <= 8) // a warp has all of a row
          __syncwarp();
        else
          __syncthreads();
      }
    }
    __syncthreads();
    for (int i = thread; i < threads * 8; i += threads) {
      const int64_t row = first + (i >> log);
      const int column = i & (columns - 1), place = tile_places[slot(i)];
      if (row >= rows || column >= length) continue;
      if (order)
        order[row * length + column] = place;
      else
        sorted[row * length + column] = keys[row * length + place];
    } // what a thread has read here it alone writes for the next tile
  }
}

//@ sort_short_rows : sort_short launch_grid check
// Stores the sorted rows, or the order that sorts them.
template <class T>
int sort_short_rows(const T* keys, T* sorted, int64_t* order, int64_t rows, int64_t length,
                    cudaStream_t stream) {
  int log = 3;
  while ((1 << log) < length) ++log;
  const int threads = log > 11 ? 512 : 256;
  const int64_t tile_rows = threads * 8 >> log;
  sort_short<T><<<launch_grid((rows + tile_rows - 1) / tile_rows), threads, 0, stream>>>(keys, sorted, order,
                                                                                         rows, length, log);
  return check(cudaGetLastError());
}

//@ sort_rows : sort_row RowStarts are_few_rows sort_short_rows
template <class T>
int sort_rows(const T* keys, T* sorted, int64_t rows, int64_t length, cudaStream_t stream) {
  if (rows <= 0 || length <= 0) return Ok;
  if (length <= longest_short_row) return sort_short_rows<T>(keys, sorted, nullptr, rows, length, stream);
  if (are_few_rows(rows, length)) {
    for (int64_t r = 0; r < rows; ++r)
      if (const int status = sort_row(keys + r * length, sorted + r * length, length, stream)) return status;
    return Ok;
  }
  const int64_t count = rows * length;
  const auto sort = [&](void* memory, size_t& bytes) {
    return cub::DeviceSegmentedRadixSort::SortKeys(memory, bytes, keys, sorted, count, rows,
                                                   RowStarts{0, length}, RowStarts{1, length}, 0,
                                                   int(8 * sizeof(T)), stream);
  };
  const int status = with_memory(sort, stream);
  return status == Ok ? nans_last(sorted, rows, length, stream) : status;
}

//@ number_elements : launch_grid
// The number of each element in its row.
__global__ void number_elements(int64_t* __restrict__ numbers, int64_t count, int64_t length) {
  for (int64_t i = int64_t(blockIdx.x) * blockDim.x + threadIdx.x; i < count;
       i += int64_t(gridDim.x) * blockDim.x)
    numbers[i] = i % length;
}

//@ WithOneNan : Temporary launch_grid
// Keys for CUB, which goes by the bits: those of all NaN are the same. Floats are a copy.
template <class T> __global__ void with_one_nan(const T* keys, T* copy, int64_t count) {
  const int64_t step = int64_t(gridDim.x) * blockDim.x;
  for (int64_t i = int64_t(blockIdx.x) * blockDim.x + threadIdx.x; i < count; i += step)
    copy[i] = keys[i] == keys[i] ? keys[i] : T(NAN);
}
template <class T> struct WithOneNan {
  const Temporary<T> copy;
  const T* data;
  WithOneNan(const T* keys, int64_t count, cudaStream_t stream)
      : copy(std::is_floating_point_v<T> ? count : 0, stream),
        data(std::is_floating_point_v<T> ? copy.data : keys) {
    if constexpr (std::is_floating_point_v<T>)
      if (data) with_one_nan<T><<<launch_grid((count + 255) / 256), 256, 0, stream>>>(keys, copy.data, count);
  }
};

//@ order_row : with_memory number_elements WithOneNan
// order[k]: which element comes k-th.
template <class T> int order_row(const T* keys, int64_t* order, int64_t length, cudaStream_t stream) {
  if (length <= 0) return Ok;
  const WithOneNan<T> given(keys, length, stream);
  const Temporary<T> sorted(length, stream);
  const Temporary<int64_t> numbers(length, stream);
  if (!given.data || !sorted.data || !numbers.data) return check(cudaErrorMemoryAllocation);
  number_elements<<<launch_grid((length + 255) / 256), 256, 0, stream>>>(numbers.data, length, length);
  const auto sort = [&](void* memory, size_t& bytes) {
    return cub::DeviceRadixSort::SortPairs(memory, bytes, given.data, sorted.data,
                                           static_cast<const int64_t*>(numbers.data), order, length, 0,
                                           int(8 * sizeof(T)), stream);
  };
  return with_memory(sort, stream);
}

//@ order_rows : order_row RowStarts are_few_rows sort_short_rows
template <class T>
int order_rows(const T* keys, int64_t* order, int64_t rows, int64_t length, cudaStream_t stream) {
  if (rows <= 0 || length <= 0) return Ok;
  if (length <= longest_short_row) return sort_short_rows<T>(keys, nullptr, order, rows, length, stream);
  if (are_few_rows(rows, length)) {
    for (int64_t r = 0; r < rows; ++r)
      if (const int status = order_row(keys + r * length, order + r * length, length, stream)) return status;
    return Ok;
  }
  const int64_t count = rows * length;
  const WithOneNan<T> given(keys, count, stream);
  const Temporary<T> sorted(count, stream);
  const Temporary<int64_t> numbers(count, stream);
  if (!given.data || !sorted.data || !numbers.data) return check(cudaErrorMemoryAllocation);
  number_elements<<<launch_grid((count + 255) / 256), 256, 0, stream>>>(numbers.data, count, length);
  const auto sort = [&](void* memory, size_t& bytes) {
    return cub::DeviceSegmentedRadixSort::SortPairs(
        memory, bytes, given.data, sorted.data, static_cast<const int64_t*>(numbers.data), order, count, rows,
        RowStarts{0, length}, RowStarts{1, length}, 0, int(8 * sizeof(T)), stream);
  };
  return with_memory(sort, stream);
}

//@ complex_sort_row : with_memory ComplexComesBefore
template <class T>
int sort_row(const Complex<T>* keys, Complex<T>* sorted, int64_t length, cudaStream_t stream) {
  if (length <= 0) return Ok;
  const size_t bytes_of_keys = size_t(length) * sizeof(Complex<T>);
  const cudaError_t copied = cudaMemcpyAsync(sorted, keys, bytes_of_keys, cudaMemcpyDeviceToDevice, stream);
  if (copied != cudaSuccess) return check(copied);
  const auto sort = [&](void* memory, size_t& bytes) {
    return cub::DeviceMergeSort::StableSortKeys(memory, bytes, sorted, length, ComplexComesBefore(), stream);
  };
  return with_memory(sort, stream);
}

//@ complex_sort_rows : complex_sort_row
template <class T>
int sort_rows(const Complex<T>* keys, Complex<T>* sorted, int64_t rows, int64_t length, cudaStream_t stream) {
  for (int64_t r = 0; r < rows; ++r)
    if (const int status = sort_row(keys + r * length, sorted + r * length, length, stream)) return status;
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
