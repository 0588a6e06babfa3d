//===- groups.cuh - the masks that hold at points; elements in the order of their keys -------------------===//
#pragma once
#include "groups.h"
#include "sorting.cuh"

//@ find_in_masks find_groups : Masks
template <class T>
__global__ void __launch_bounds__(256) find_in_masks(const T* __restrict__ points, int count, Masks<T> masks,
                                                     int* __restrict__ keys, int* __restrict__ apart) {
  const double density = masks.density();
  const int first = int(blockIdx.x * blockDim.x + threadIdx.x), step = int(gridDim.x * blockDim.x);
  for (int g = first; g + 1 < masks.groups; g += step)
    if (!masks.are_apart(g)) atomicAnd(apart, 0);
#pragma unroll 4
  for (int p = first; p < count; p += step) keys[p] = masks.find(points[p], density);
}

// keys[p]: the mask that holds at the point, or `groups`; apart[0] becomes 0 where these are not in order, each apart.
template <class T>
void find_groups(const T* points, const T* lower, const T* upper, int32_t* keys, int32_t* apart,
                 int64_t count, int64_t groups, int64_t lower_open, int64_t upper_open, cudaStream_t stream) {
  const Masks<T> masks{lower, upper, int(groups), lower_open != 0, upper_open != 0};
  const int64_t blocks = (count + 1023) / 1024;
  find_in_masks<T>
      <<<unsigned(blocks < 65536 ? blocks : 65536), 256, 0, stream>>>(points, int(count), masks, keys, apart);
}

//@ find_starts number_in_order order_by_key : with_memory
__global__ void __launch_bounds__(256) number_in_order(int* __restrict__ numbers, int count) {
  for (int p = int(blockIdx.x * 256 + threadIdx.x); p < count; p += int(gridDim.x * 256)) numbers[p] = p;
}

// start[k]: the first of the sorted keys that is not below k.
__global__ void __launch_bounds__(256)
    find_starts(const int* __restrict__ keys, int count, int bins, int* __restrict__ start) {
  for (int k = int(blockIdx.x * 256 + threadIdx.x); k <= bins; k += int(gridDim.x * 256)) {
    int first = 0, end = count;
    while (first < end) {
      const int middle = first + (end - first) / 2;
      if (keys[middle] < k)
        first = middle + 1;
      else
        end = middle;
    }
    start[k] = first;
  }
}

// order[start[k]] ... order[start[k + 1] - 1]: the elements of key k < bins, ascending.
inline int order_by_key(const int32_t* keys, int32_t* order, int32_t* start, int64_t count, int64_t bins,
                        cudaStream_t stream) {
  const Temporary<int32_t> sorted(count, stream), numbers(count, stream);
  if (!sorted.data || !numbers.data) return check(cudaErrorMemoryAllocation);
  int bits = 1;
  while (bins >> bits) ++bits;
  const auto blocks = [](int64_t n) { return unsigned(n / 256 < 4096 ? n / 256 + 1 : 4096); };
  number_in_order<<<blocks(count), 256, 0, stream>>>(numbers.data, int(count));
  const auto sort = [&](void* memory, size_t& bytes) {
    return cub::DeviceRadixSort::SortPairs(memory, bytes, keys, sorted.data,
                                           static_cast<const int32_t*>(numbers.data), order, count, 0, bits,
                                           stream);
  };
  const int status = with_memory(sort, stream);
  if (status == Ok) find_starts<<<blocks(bins), 256, 0, stream>>>(sorted.data, int(count), int(bins), start);
  return status;
}
