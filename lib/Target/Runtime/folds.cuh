//===- folds.cuh - folds of elements by keys, the same ones in each run ---------------------------------===//
#pragma once
#include "device.cuh"
#include "groups.cuh"

//@ fold_tiles TileMemory order_tile sum_before fold_row fold_tile bin_of_thread threads_of_fold each_of_fold elements_of_fold few_bins few_elements : warp_reduce
// A block folds tiles of 4096 elements, bin after bin, in the order of the elements: no result depends on chance. Up to 16
// of a bin are few, of which a thread takes care.
constexpr int threads_of_fold = 512, each_of_fold = 8, elements_of_fold = each_of_fold * threads_of_fold;
constexpr int few_bins = 1024, few_elements = 16;

struct TileMemory {
  uint16_t order[elements_of_fold]; // the tile's elements by bin
  uint16_t begin[few_bins + 1];     // of each bin in `order`
  union {
    uint16_t found[threads_of_fold / 32][few_bins]; // how many of each bin, by warp; then how many before
    double values[elements_of_fold];
  };
};

// The sum of what the threads before this one bring. A barrier stands between two calls.
__device__ inline int sum_before(int own) {
  __shared__ int sums[threads_of_fold / 32];
  const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  int sum = own;
  for (int distance = 1; distance < 32; distance *= 2) {
    const int before = __shfl_up_sync(0xffffffffu, sum, distance);
    if (lane >= distance) sum += before;
  }
  if (lane == 31) sums[warp] = sum;
  __syncthreads();
  for (int w = 0; w < warp; ++w) sum += sums[w];
  return sum - own;
}

// Every `step`-th of those in a row in `order`.
template <class Op, class V, class I, class T>
__device__ T fold_row(const V* values, const I* order, int first, int end, int step, T nothing) {
  T all = nothing;
#pragma unroll 4
  for (int k = first; k < end; k += step) all = Op::combine(all, T(values[order[k]]));
  return all;
}

// A warp has 256 elements in a row, a lane every 32nd. Its lanes of one bin are found by votes.
__device__ inline void order_tile(const int* __restrict__ keys, int64_t left, int bins, TileMemory& memory) {
  constexpr int warps = threads_of_fold / 32, share = few_bins / threads_of_fold;
  const int lane = threadIdx.x % 32, warp = threadIdx.x / 32, first = warp * 32 * each_of_fold + lane;
  uint16_t* found = memory.found[warp];
  int key[each_of_fold], place[each_of_fold];
  unsigned same[each_of_fold]; // the lanes whose bin is the same
#pragma unroll
  for (int n = 0; n < each_of_fold; ++n) key[n] = first + n * 32 < left ? keys[first + n * 32] : bins;
#pragma unroll 1
  for (int k = lane; k < bins; k += 32) found[k] = 0;
  __syncwarp();
  for (unsigned& lanes : same) lanes = 0xffffffffu;
#pragma unroll 1
  for (int bit = 1; bit <= bins; bit *= 2)
#pragma unroll
    for (int n = 0; n < each_of_fold; ++n) {
      const bool is_set = key[n] & bit;
      const unsigned votes = __ballot_sync(0xffffffffu, is_set);
      same[n] &= is_set ? votes : ~votes;
    }
#pragma unroll
  for (int n = 0; n < each_of_fold; ++n) {
    const bool counts = key[n] < bins;
    place[n] = counts ? found[key[n]] + __popc(same[n] & ((1u << lane) - 1)) : 0;
    __syncwarp();
    if (counts && same[n] >> lane == 1) found[key[n]] = uint16_t(place[n] + 1); // the last of them
    __syncwarp();
  }
  __syncthreads();
  int size[share] = {}, sum = 0;
#pragma unroll
  for (int n = 0; n < share; ++n) {
    const int k = int(threadIdx.x) * share + n;
    for (int w = 0; k < bins && w < warps; ++w) {
      const int here = memory.found[w][k];
      memory.found[w][k] = uint16_t(size[n]);
      size[n] += here;
    }
    sum += size[n];
  }
  int before = sum_before(sum);
#pragma unroll
  for (int n = 0; n < share; ++n) {
    const int k = int(threadIdx.x) * share + n;
    if (k < bins) memory.begin[k] = uint16_t(before);
    before += size[n];
  }
  if (threadIdx.x == threads_of_fold - 1) memory.begin[bins] = uint16_t(before);
  __syncthreads();
#pragma unroll
  for (int n = 0; n < each_of_fold; ++n)
    if (key[n] < bins)
      memory.order[memory.begin[key[n]] + found[key[n]] + place[n]] = uint16_t(first + n * 32);
  __syncthreads();
}

// Which of the 512 bins from `first` on the thread has: a warp has four in a row here and there, as neighbours often
// have many elements alike; where bins are few, it has single ones.
__device__ inline int bin_of_thread(int first, int bins) {
  constexpr int warps = threads_of_fold / 32;
  const int in_row = bins <= threads_of_fold / 2 ? 1 : 4, lane = threadIdx.x % 32, row = lane / in_row;
  const int place = (int(threadIdx.x) / 32 + row) % warps; // other banks in each row
  return first + (row * warps + place) * in_row + lane % in_row;
}

// Values of up to 8 bytes are folded from shared memory.
template <class Op, class V, class T>
__device__ void fold_tile(const V* __restrict__ values, int64_t left, int bins, bool is_first, T nothing,
                          TileMemory& memory, T* __restrict__ to, int* __restrict__ sizes) {
  const uint16_t *begin = memory.begin, *order = memory.order;
  const V* from = values;
  if constexpr (sizeof(V) <= sizeof(double)) {
    V* copy = reinterpret_cast<V*>(memory.values);
#pragma unroll
    for (int n = 0; n < each_of_fold; ++n)
      if (const int p = int(threadIdx.x) + n * threads_of_fold; p < left) copy[p] = values[p];
    from = copy;
    __syncthreads();
  }
#pragma unroll 1
  for (int first = 0; first < bins; first += threads_of_fold) {
    const int k = bin_of_thread(first, bins);
    const int start = k < bins ? begin[k] : 0, size = k < bins ? begin[k + 1] - start : 0;
    T all = fold_row<Op>(from, order, start, size > few_elements ? start : start + size, 1, nothing);
    for (unsigned many = __ballot_sync(0xffffffffu, size > few_elements); many != 0; many &= many - 1) {
      const int owner = __ffs(int(many)) - 1, row = __shfl_sync(0xffffffffu, start, owner);
      const int end = row + __shfl_sync(0xffffffffu, size, owner);
      const T sum = warp_reduce<Op>(fold_row<Op>(from, order, row + int(threadIdx.x % 32), end, 32, nothing));
      if (int(threadIdx.x % 32) == owner) all = sum;
    }
    if (k >= bins) continue;
    to[k] = is_first ? all : Op::combine(to[k], all);
    sizes[k] = is_first ? size : sizes[k] + size;
  }
}

// to[part][k]: folds of the part's tiles, which are a block's.
template <class Op, class V, class T>
__global__ void __launch_bounds__(threads_of_fold, 2)
    fold_tiles(const int* __restrict__ keys, const V* __restrict__ values, T* __restrict__ to,
               int* __restrict__ sizes, int64_t count, int parts, int bins, T nothing) {
  __shared__ TileMemory memory;
  const int64_t step = int64_t(parts) * elements_of_fold;
  for (int part = int(blockIdx.x); part < parts; part += int(gridDim.x))
    for (int64_t tile = int64_t(part) * elements_of_fold, at = int64_t(part) * bins; tile < count;
         tile += step) {
      order_tile(keys + tile, count - tile, bins, memory);
      fold_tile<Op>(values + tile, count - tile, bins, tile < step, nothing, memory, to + at, sizes + at);
      __syncthreads(); // the next tile's order goes there
    }
}

//@ fold_parts : warp_reduce Sum
// The folds of all parts, in the place of the first one: a block has 32 bins, each of its warps a share of the parts.
template <class Op, class T>
__global__ void __launch_bounds__(1024)
    fold_parts(T* __restrict__ to, int* __restrict__ sizes, int parts, int bins, T nothing) {
  __shared__ T folds[32][33];
  __shared__ int numbers[32][33];
  const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  for (int first = int(blockIdx.x) * 32; first < bins; first += int(gridDim.x) * 32) {
    const int k = first + lane;
    T all = nothing;
    int number = 0;
#pragma unroll 4
    for (int part = warp; k < bins && part < parts; part += 32) {
      all = Op::combine(all, to[int64_t(part) * bins + k]);
      number += sizes[int64_t(part) * bins + k];
    }
    folds[warp][lane] = all;
    numbers[warp][lane] = number;
    __syncthreads();
    all = warp_reduce<Op>(folds[lane][warp]);
    number = warp_reduce<Sum>(numbers[lane][warp]);
    if (lane == 0 && first + warp < bins) {
      to[first + warp] = all;
      sizes[first + warp] = number;
    }
    __syncthreads(); // the next bins' folds go there
  }
}

//@ fold_runs fold_long_runs elements_of_chunk : fold_tiles block_reduce
// Of keys in order, runs longer than 4096 are folded by chunks of so many first: of its first and of its last run.
constexpr int elements_of_chunk = 4096;
template <class Op, class V, class T>
__global__ void __launch_bounds__(256)
    fold_long_runs(const int* __restrict__ keys, const int* __restrict__ order, const int* __restrict__ start,
                   const V* __restrict__ values, int bins, T nothing, T* __restrict__ chunks) {
  const int placed = start[bins];
  for (int c = int(blockIdx.x); c * elements_of_chunk < placed; c += int(gridDim.x)) {
    const int first = c * elements_of_chunk, left = placed - first;
    const int end = left < elements_of_chunk ? placed : first + elements_of_chunk;
    const int key[] = {keys[order[first]], keys[order[end - 1]]};
    for (int side = 0; side < (key[0] == key[1] ? 1 : 2); ++side) {
      const int from = start[key[side]], to = start[key[side] + 1];
      if (to - from <= elements_of_chunk) continue;
      const int begin = from > first ? from : first;
      const T all = block_reduce<Op>(
          fold_row<Op>(values, order, begin + int(threadIdx.x), to < end ? to : end, 256, nothing));
      if (threadIdx.x == 0) chunks[2 * c + side] = all;
      __syncthreads(); // what the next fold goes through
    }
  }
}

// A thread folds the bin's few values, a warp more, and those of a long run by chunks.
template <class Op, class V, class T>
__global__ void __launch_bounds__(256)
    fold_runs(const int* __restrict__ order, const int* __restrict__ start, const V* __restrict__ values,
              int bins, T nothing, const T* __restrict__ chunks, T* __restrict__ to,
              int* __restrict__ sizes) {
  const int lane = threadIdx.x % 32;
  for (int64_t first = int64_t(blockIdx.x) * 256; first < bins; first += int64_t(gridDim.x) * 256) {
    const int64_t k = first + threadIdx.x;
    const int from = k < bins ? start[k] : 0, size = k < bins ? start[k + 1] - from : 0;
    T all = fold_row<Op>(values, order, from, size > few_elements ? from : from + size, 1, nothing);
    for (unsigned many = __ballot_sync(0xffffffffu, size > few_elements); many != 0; many &= many - 1) {
      const int owner = __ffs(int(many)) - 1, row = __shfl_sync(0xffffffffu, from, owner);
      const int end = row + __shfl_sync(0xffffffffu, size, owner);
      T own = nothing;
      if (end - row <= elements_of_chunk)
        own = fold_row<Op>(values, order, row + lane, end, 32, nothing);
      else
        for (int c = row / elements_of_chunk + lane; c <= (end - 1) / elements_of_chunk; c += 32)
          own = Op::combine(own, chunks[2 * c + (c * elements_of_chunk < row)]);
      const T sum = warp_reduce<Op>(own);
      if (lane == owner) all = sum;
    }
    if (k >= bins) continue;
    to[k] = all;
    sizes[k] = size;
  }
}

//@ fold_by_key complex_fold_by_key : fold_tiles fold_parts fold_runs order_by_key
// to[k]: the fold by Op of the values of key k < bins; sizes[k]: how many these are. Up to 1024 bins have room for min(512,
// tiles of 4096) parts. What fails is asked for at the end.
template <class Op, class V, class T>
void fold_by_key(const int32_t* keys, const V* values, T* to, int32_t* sizes, int64_t count, int64_t bins,
                 std::common_type_t<T> nothing, cudaStream_t stream) {
  if (bins <= few_bins) {
    const int64_t tiles = (count + elements_of_fold - 1) / elements_of_fold,
                  parts = tiles < 512 ? tiles : 512;
    fold_tiles<Op, V, T><<<unsigned(parts), threads_of_fold, 0, stream>>>(keys, values, to, sizes, count,
                                                                          int(parts), int(bins), T(nothing));
    if (parts > 1)
      fold_parts<Op, T>
          <<<unsigned(bins + 31) / 32, 1024, 0, stream>>>(to, sizes, int(parts), int(bins), T(nothing));
    return;
  }
  const Temporary<int32_t> order(count, stream), start(bins + 1, stream);
  const Temporary<T> chunks(2 * (count / elements_of_chunk + 1), stream);
  if (!order.data || !start.data || !chunks.data) return;
  if (order_by_key(keys, order.data, start.data, count, bins, stream) != Ok) return;
  const auto blocks = [](int64_t n, int64_t each) { return unsigned(n / each < 8192 ? n / each + 1 : 8192); };
  if (count > elements_of_chunk)
    fold_long_runs<Op, V, T><<<blocks(count, elements_of_chunk), 256, 0, stream>>>(
        keys, order.data, start.data, values, int(bins), T(nothing), chunks.data);
  fold_runs<Op, V, T><<<blocks(bins, 256), 256, 0, stream>>>(order.data, start.data, values, int(bins),
                                                             T(nothing), chunks.data, to, sizes);
}
