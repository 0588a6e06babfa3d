//===- scanning.cuh - rows folded from element to element ---------------------------------------------===//
// One pass, in which blocks look back for what is before their tile (Merrill and Garland 2016). CUB's groups floats by which block
// comes first, so that sums differ from run to run; here the length alone says how: by folds of tiles, of 32 tiles, of 1024.
// An H200, sums, ms:                            10^8 f32 | 10^8 f64 | 1000 x 100,000 f64
//   a copy                                       0.196   |  0.384   |  0.388
//   CUB                                          0.269   |  0.501   |
//   folds of chunks first, then scans            0.387   |  0.753   |  0.575
//   this; predicted: as CUB                      0.266   |  0.537   |  0.461
//   the same with registers for 5 blocks at once 0.287   |  0.576   |  0.496
#pragma once
#include "device.cuh"
#include "host_cuda.h"

//@ post_value words_of
// How many words of 64 bits a value is posted in: half of each says that the other half is there, so that no fence is needed.
template <class T> constexpr int words_of = (sizeof(T) + 3) / 4;

// Hands a value to blocks that wait for it, over words that were zero.
template <class T> __device__ void post_value(volatile uint64_t* words, T value) {
  uint32_t halves[words_of<T>] = {};
  memcpy(halves, &value, sizeof(T));
  for (int w = 0; w < words_of<T>; ++w) words[w] = uint64_t(1) << 32 | halves[w];
}

//@ wait_for_value : post_value
// What a block posts that has begun before this one.
template <class T> __device__ T wait_for_value(const volatile uint64_t* words) {
  uint32_t halves[words_of<T>];
  for (int w = 0; w < words_of<T>; ++w) {
    uint64_t word;
    do word = words[w];
    while (word >> 32 == 0);
    halves[w] = uint32_t(word);
  }
  T value;
  memcpy(&value, halves, sizeof(T));
  return value;
}

//@ scan_lanes : from_lane
// The fold of this lane's value and those of the lanes before it.
template <class Op, class T> __device__ T scan_lanes(T value) {
  const int lane = int(threadIdx.x) % 32;
  for (int distance = 1; distance < 32; distance *= 2) {
    const T before = from_lane(value, lane >= distance ? lane - distance : lane);
    if (lane >= distance) value = Op::combine(before, value);
  }
  return value;
}

//@ fold_posted folds_of_row scan_group : wait_for_value scan_lanes
constexpr int scan_group = 32; // tiles of a group, and groups of a part

// The blocks of a row tell each other the folds of tiles, then of whole groups of tiles, then of all before each part.
APPY_DEVICE int64_t folds_of_row(int64_t tiles) {
  return tiles + tiles / scan_group + tiles / scan_group / scan_group + 1;
}

// A warp's fold of the first `count` values that are posted from here on, if there are any.
template <class Op, class T> __device__ T fold_posted(const uint64_t* words, int count) {
  const int lane = int(threadIdx.x) % 32;
  const T value = lane < count ? wait_for_value<T>(words + lane * words_of<T>) : T{};
  return from_lane(scan_lanes<Op>(value), count > 0 ? count - 1 : 0);
}

//@ folded_as value_of
// What values of type V are folded as, and back: themselves, or a T of their own.
template <class T, class V> APPY_DEVICE T folded_as(V value) {
  if constexpr (std::is_same_v<T, V>)
    return value;
  else
    return T::of(value);
}
template <class V, class T> APPY_DEVICE V value_of(T folded) {
  if constexpr (std::is_same_v<T, V>)
    return folded;
  else
    return V(folded.value());
}

//@ scan_tiles scan_threads : fold_posted folded_as post_value scan_lanes minimum
constexpr int scan_threads = 256;

// scanned[r, i] folds carry[r] and row r's elements up to i; carry[r] becomes the last of them. A block a tile, in the order in
// which the blocks begin; a thread has `items` elements side by side, an odd number, so that threads meet other banks.
template <class Op, int items, class T, class V>
__global__ void __launch_bounds__(scan_threads, sizeof(T) > 8 ? 4 : 8)
    scan_tiles(const V* values, V* carry, V* scanned, int64_t length, int64_t tiles, uint64_t* folds) {
  constexpr int tile_size = scan_threads * items, warps = scan_threads / 32;
  __shared__ T elements[tile_size], of_warps[warps], in_group, in_part, in_parts;
  __shared__ uint64_t number;
  const int thread = int(threadIdx.x), lane = thread % 32, warp = thread / 32;
  if (thread == 0)
    number = tiles > 1 ? atomicAdd(reinterpret_cast<unsigned long long*>(folds), 1ull) : blockIdx.x;
  __syncthreads();
  const int64_t row = int64_t(number) / tiles, tile = int64_t(number) % tiles;
  const int left = int(minimum(length - tile * tile_size, int64_t(tile_size)));
  values += row * length + tile * tile_size;
  scanned += row * length + tile * tile_size;
#pragma unroll
  for (int k = 0; k < items; ++k) {
    const int i = thread + k * scan_threads;
    elements[i] = i < left ? folded_as<T>(values[i]) : T{};
  }
  __syncthreads();
  T* own = elements + thread * items;
  if (tile == 0 && thread == 0) {
    own[0] = Op::combine(folded_as<T>(carry[row]), own[0]);
    __threadfence(); // the last tile changes the carry
  }
  T in_thread = own[0];
#pragma unroll
  for (int k = 1; k < items; ++k) in_thread = Op::combine(in_thread, own[k]);
  const T in_warp = scan_lanes<Op>(in_thread), before_lane = from_lane(in_warp, lane > 0 ? lane - 1 : 0);
  if (lane == 31) of_warps[warp] = in_warp;
  __syncthreads();
  // What comes before the tile in its group, before its group in its part, before its part: the grouping of floats hangs on
  // nothing else.
  const int tiles_before = int(tile % scan_group), groups_before = int(tile / scan_group % scan_group);
  const int64_t group = tile / scan_group, part = group / scan_group;
  uint64_t* const of_tiles = folds + 1 + row * folds_of_row(tiles) * words_of<T>;
  uint64_t* const of_groups = of_tiles + tiles * words_of<T>;
  uint64_t* const of_parts = of_groups + tiles / scan_group * words_of<T>;
  const bool ends_group = tiles_before == scan_group - 1;
  if (tiles > 1) {
    T fold = of_warps[0];
    if (warp == 0) {
      for (int w = 1; w < warps; ++w) fold = Op::combine(fold, of_warps[w]);
      if (lane == 0) post_value(of_tiles + tile * words_of<T>, fold);
      const T tiles_fold = fold_posted<Op, T>(of_tiles + (tile - tiles_before) * words_of<T>, tiles_before);
      if (tiles_before > 0) fold = Op::combine(tiles_fold, fold);
      if (lane == 0) in_group = tiles_fold;
      if (lane == 0 && ends_group) post_value(of_groups + group * words_of<T>, fold);
    } else if (warp == 1) {
      fold = fold_posted<Op, T>(of_groups + (group - groups_before) * words_of<T>, groups_before);
      if (lane == 0) in_part = fold;
    } else if (warp == 2) {
      fold = fold_posted<Op, T>(of_parts + part * words_of<T>, part > 0);
      if (lane == 0) in_parts = fold;
    }
    __syncthreads();
    if (thread == 0 && ends_group && groups_before == scan_group - 1) { // `fold` is the group's
      fold = Op::combine(in_part, fold);
      if (part > 0) fold = Op::combine(in_parts, fold);
      post_value(of_parts + (part + 1) * words_of<T>, fold);
    }
  }
  T before{};
  bool is_any = false;
  const auto append = [&](const T& value) {
    before = is_any ? Op::combine(before, value) : value;
    is_any = true;
  };
  if (part > 0) append(in_parts);
  if (groups_before > 0) append(in_part);
  if (tiles_before > 0) append(in_group);
  for (int w = 0; w < warp; ++w) append(of_warps[w]);
  if (lane > 0) append(before_lane);
#pragma unroll
  for (int k = 0; k < items; ++k) {
    append(own[k]);
    own[k] = before;
  }
  __syncthreads();
#pragma unroll
  for (int k = 0; k < items; ++k) {
    const int i = thread + k * scan_threads;
    if (i < left) scanned[i] = value_of<V>(elements[i]);
  }
  if (thread == 0 && tile == tiles - 1) carry[row] = value_of<V>(elements[left - 1]);
}

//@ scan_rows : scan_tiles folds_of_row Temporary check clear
template <class Op, int items, class T, class V>
int scan_rows_by(const V* values, V* carry, V* scanned, int64_t rows, int64_t length, cudaStream_t stream) {
  const int64_t tiles = (length + scan_threads * items - 1) / (scan_threads * items);
  const dim3 grid = unsigned(rows * tiles);
  if (tiles == 1) {
    scan_tiles<Op, items, T, V>
        <<<grid, scan_threads, 0, stream>>>(values, carry, scanned, length, 1, nullptr);
    return check(cudaGetLastError());
  }
  const int64_t words = 1 + rows * folds_of_row(tiles) * words_of<T>;
  const Temporary<uint64_t> folds(words, stream);
  if (!folds.data) return check(cudaErrorMemoryAllocation);
  clear(folds.data, words, stream);
  scan_tiles<Op, items, T, V>
      <<<grid, scan_threads, 0, stream>>>(values, carry, scanned, length, tiles, folds.data);
  return check(cudaGetLastError());
}
template <class Op, class T, class V>
int scan_rows_as(const V* values, V* carry, V* scanned, int64_t rows, int64_t length, cudaStream_t stream) {
  constexpr int few = 5, many = sizeof(T) > 8 ? 7 : sizeof(T) > 4 ? 13 : 27;
  if (rows <= 0 || length <= 0) return Ok;
  return length <= scan_threads * few
             ? scan_rows_by<Op, few, T>(values, carry, scanned, rows, length, stream)
             : scan_rows_by<Op, many, T>(values, carry, scanned, rows, length, stream);
}
template <class Op, class T>
int scan_rows(const T* values, T* carry, T* scanned, int64_t rows, int64_t length, cudaStream_t stream) {
  return scan_rows_as<Op, T>(values, carry, scanned, rows, length, stream);
}

//@ scan_sums : scan_rows Sum
template <class T>
int scan_sums(const T* values, T* carry, T* scanned, int64_t rows, int64_t length, cudaStream_t stream) {
  return scan_rows<Sum>(values, carry, scanned, rows, length, stream);
}

//@ complex_scan_sums : scan_sums complex_add

//@ Scaled ScaledProd : is_finite
// A number with an exponent of its own: in any grouping a product is as large as it is.
struct Scaled {
  double mantissa;
  int64_t exponent;
  APPY_DEVICE static Scaled of(double value) { return scaled(value, 0); }
  APPY_DEVICE static Scaled scaled(double value, int64_t exponent) {
    int more = 0;
    const double mantissa = is_finite(value) ? frexp(value, &more) : value;
    return {mantissa, exponent + more};
  }
  APPY_DEVICE double value() const {
    constexpr int64_t most = 4096; // more than doubles have
    return ldexp(mantissa, int(exponent < -most ? -most : exponent > most ? most : exponent));
  }
};
struct ScaledProd {
  APPY_DEVICE static Scaled combine(Scaled a, Scaled b) {
    return Scaled::scaled(a.mantissa * b.mantissa, a.exponent + b.exponent);
  }
};

//@ find_outside multiply_in_order : is_finite
template <class T> APPY_DEVICE bool is_normal(T x) {
  return is_finite(x) && fabs(x) >= (sizeof(T) == 8 ? T(2.2250738585072014e-308) : T(1.17549435e-38f));
}
// outside[r] becomes 1 where a product of the row has left T's range, or comes from there, other than the next one in order would.
template <class T>
__global__ void __launch_bounds__(256)
    find_outside(const T* __restrict__ values, const T* __restrict__ first, const T* __restrict__ scanned,
                 int64_t count, int64_t length, int32_t* __restrict__ outside) {
  const int64_t step = int64_t(gridDim.x) * blockDim.x;
  for (int64_t p = int64_t(blockIdx.x) * blockDim.x + threadIdx.x; p < count; p += step) {
    const T before = p % length ? scanned[p - 1] : first[p / length], next = before * values[p],
            made = scanned[p];
    const bool is_same = made == next || (made != made && next != next);
    if (!is_same && !(is_normal(before) && is_normal(next) && is_normal(made)))
      atomicOr(outside + p / length, 1);
  }
}
// Rows of which one has, again.
template <class T>
__global__ void multiply_in_order(const T* values, const T* first, T* carry, T* scanned, int64_t length,
                                  const int32_t* outside) {
  const int64_t row = blockIdx.x;
  if (!outside[row]) return;
  T product = first[row];
  for (int64_t p = row * length; p < (row + 1) * length; ++p) scanned[p] = product = product * values[p];
  carry[row] = product;
}

//@ scan_products : scan_rows Prod Scaled find_outside
// In order, products of floats overflow and vanish where groups of them might not, or the other way round: groups have exponents
// of their own, and rows in which an element is not a normal number are made in order where that makes a difference.
//   10^6 of f64, an H200, ms: one thread 23; predicted 0.1, measured 0.10
template <class T>
int scan_products(const T* values, T* carry, T* scanned, int64_t rows, int64_t length, cudaStream_t stream) {
  if constexpr (!std::is_floating_point_v<T>) {
    return scan_rows<Prod>(values, carry, scanned, rows, length, stream);
  } else {
    if (rows <= 0 || length <= 0) return Ok;
    const Temporary<T> first(rows, stream);
    const Temporary<int32_t> outside(rows, stream);
    if (!first.data || !outside.data) return check(cudaErrorMemoryAllocation);
    cudaMemcpyAsync(first.data, carry, size_t(rows) * sizeof(T), cudaMemcpyDeviceToDevice, stream);
    clear(outside.data, rows, stream);
    const int status = scan_rows_as<ScaledProd, Scaled>(values, carry, scanned, rows, length, stream);
    if (status != Ok) return status;
    const int64_t blocks = (rows * length + 255) / 256;
    find_outside<T><<<unsigned(blocks < 4096 ? blocks : 4096), 256, 0, stream>>>(
        values, first.data, scanned, rows * length, length, outside.data);
    multiply_in_order<T>
        <<<unsigned(rows), 1, 0, stream>>>(values, first.data, carry, scanned, length, outside.data);
    return check(cudaGetLastError());
  }
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
