//===- scanning.cuh - rows folded from element to element ---------------------------------------------===//
// Folds of chunks first, then what is before each chunk, then the elements: reduce, then scan (Merrill and Grimshaw 2009). CUB's
// one pass groups floats by which block comes first, so that sums differ from run to run; here the length alone says how.
#pragma once
#include "device.cuh"
#include "host_cuda.h"

//@ from_lane
// What another lane of the warp has. T is moved in 32-bit words.
template <class T> __device__ T from_lane(T value, int lane) {
  uint32_t words[(sizeof(T) + 3) / 4] = {};
  memcpy(words, &value, sizeof(T));
  for (uint32_t& word : words) word = __shfl_sync(0xffffffffu, word, lane);
  memcpy(&value, words, sizeof(T));
  return value;
}

//@ fold_chunks : block_reduce
// folds[r, c] is what chunk c - 1 of row r comes to, and folds[r, 0] = carry[r]. A block a chunk.
template <class Op, class T>
__global__ void fold_chunks(const T* values, const T* carry, T* folds, int64_t rows, int64_t length,
                            int64_t chunk, int64_t chunks) {
  for (int64_t b = blockIdx.x; b < rows * chunks; b += gridDim.x) {
    const int64_t r = b / chunks, c = b % chunks;
    T fold = carry[r];
    if (c > 0) {
      const T* from = values + r * length + (c - 1) * chunk;
      fold = from[threadIdx.x];
      for (int64_t i = threadIdx.x + blockDim.x; i < chunk; i += blockDim.x)
        fold = Op::combine(fold, from[i]);
      fold = block_reduce<Op>(fold);
    }
    if (threadIdx.x == 0) folds[b] = fold;
    __syncthreads();
  }
}

//@ scan_chunks scan_threads scan_items : from_lane
constexpr int scan_threads = 256, scan_items = 8;

// scanned[i] folds what a row's chunk starts from, if anything, and its elements up to i. A block a chunk; a warp has
// its elements side by side, 32 at a time. The last one is left in carry, too.
template <class Op, class T>
__global__ void scan_chunks(const T* values, const T* starts, T* scanned, T* carry, int64_t rows,
                            int64_t length, int64_t chunk, int64_t chunks) {
  __shared__ T folds[scan_threads / 32];
  const int lane = int(threadIdx.x) % 32, warp = int(threadIdx.x) / 32;
  for (int64_t b = blockIdx.x; b < rows * chunks; b += gridDim.x) {
    const int64_t r = b / chunks, first = b % chunks * chunk;
    const int64_t end = first + chunk < length ? first + chunk : length;
    bool has_start = starts != nullptr;
    T start = has_start ? starts[b] : T{};
    for (int64_t tile = first; tile < end; tile += scan_threads * scan_items) {
      const int64_t at = tile + warp * 32 * scan_items + lane;
      T item[scan_items] = {};
      for (int k = 0; k < scan_items; ++k)
        if (at + 32 * k < end) item[k] = values[r * length + at + 32 * k];
      for (int k = 0; k < scan_items; ++k)
        for (int distance = 1; distance < 32; distance *= 2) {
          const T before = from_lane(item[k], lane >= distance ? lane - distance : lane);
          if (lane >= distance) item[k] = Op::combine(before, item[k]);
        }
      for (int k = 1; k < scan_items; ++k) item[k] = Op::combine(from_lane(item[k - 1], 31), item[k]);
      if (lane == 31) folds[warp] = item[scan_items - 1];
      __syncthreads();
      bool has_before = has_start;
      T before = start;
      for (int w = 0; w < scan_threads / 32; ++w) {
        if (w == warp) before = start, has_before = has_start;
        start = has_start ? Op::combine(start, folds[w]) : folds[w];
        has_start = true;
      }
      for (int k = 0; k < scan_items; ++k) {
        const int64_t i = at + 32 * k;
        if (i >= end) continue;
        if (has_before) item[k] = Op::combine(before, item[k]);
        scanned[r * length + i] = item[k];
        if (carry && i == length - 1) carry[r] = item[k];
      }
      __syncthreads();
    }
  }
}

//@ scan_rows : fold_chunks scan_chunks Temporary check launch_grid
// Some thousand blocks have the chunks, of whole tiles, or a block has a row.
template <class Op, class T>
int scan_rows(const T* values, T* carry, T* scanned, int64_t rows, int64_t length, cudaStream_t stream) {
  if (rows <= 0 || length <= 0) return Ok;
  const int64_t tile = scan_threads * scan_items, tiles = (length + tile - 1) / tile;
  const int64_t most = rows < 512 ? 1024 / rows : 1, chunk = (tiles + most - 1) / most * tile;
  const int64_t chunks = (length + chunk - 1) / chunk;
  const dim3 grid = launch_grid(rows * chunks), threads = scan_threads;
  if (chunks == 1) {
    scan_chunks<Op, T><<<grid, threads, 0, stream>>>(values, carry, scanned, carry, rows, length, chunk, 1);
    return check(cudaGetLastError());
  }
  const Temporary<T> starts(rows * chunks, stream);
  T *folds = starts.data, *none = nullptr;
  if (!folds) return check(cudaErrorMemoryAllocation);
  fold_chunks<Op, T><<<grid, threads, 0, stream>>>(values, carry, folds, rows, length, chunk, chunks);
  scan_chunks<Op, T>
      <<<launch_grid(rows), threads, 0, stream>>>(folds, none, folds, none, rows, chunks, chunks, 1);
  scan_chunks<Op, T>
      <<<grid, threads, 0, stream>>>(values, folds, scanned, carry, rows, length, chunk, chunks);
  return check(cudaGetLastError());
}

//@ scan_sums : scan_rows Sum
template <class T>
int scan_sums(const T* values, T* carry, T* scanned, int64_t rows, int64_t length, cudaStream_t stream) {
  return scan_rows<Sum>(values, carry, scanned, rows, length, stream);
}

//@ complex_scan_sums : scan_sums complex_add

//@ scan_products : scan_rows Prod
template <class T>
int scan_products(const T* values, T* carry, T* scanned, int64_t rows, int64_t length, cudaStream_t stream) {
  return scan_rows<Prod>(values, carry, scanned, rows, length, stream);
}

//@ scan_maxima : scan_rows Max
template <class T>
int scan_maxima(const T* values, T* carry, T* scanned, int64_t rows, int64_t length, cudaStream_t stream) {
  return scan_rows<Max>(values, carry, scanned, rows, length, stream);
}

//@ scan_minima : scan_rows Min
template <class T>
int scan_minima(const T* values, T* carry, T* scanned, int64_t rows, int64_t length, cudaStream_t stream) {
  return scan_rows<Min>(values, carry, scanned, rows, length, stream);
}
