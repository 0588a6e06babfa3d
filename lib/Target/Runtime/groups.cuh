//===- groups.cuh - points sorted into groups by counting ----------------------------------------------===//
#pragma once
#include "groups.h"

//@ find_groups count_tile count_digits scan_tiles scan_digits place_points find_starts points_of_tile points_of_thread most_digits : Masks
// A block of 256 threads sorts a tile of points; what it counts by stands in its shared memory.
constexpr int points_of_tile = 4096, points_of_thread = points_of_tile / 256, most_digits = 2048;

// counts[tile][digit]: how many keys of the tile have the digit at `shift`. A thread brings some; -1 is none.
__device__ inline void count_tile(const int (&key)[points_of_thread], int shift, int last_digit, int digits,
                                  int* __restrict__ counts) {
  __shared__ int found[most_digits];
  for (int d = threadIdx.x; d < digits; d += 256) found[d] = 0;
  __syncthreads();
#pragma unroll
  for (int n = 0; n < points_of_thread; ++n)
    if (key[n] >= 0) atomicAdd(&found[key[n] >> shift & last_digit], 1);
  __syncthreads();
  for (int d = threadIdx.x; d < digits; d += 256) counts[int64_t(blockIdx.x) * digits + d] = found[d];
}

// keys: the group of each point, or `groups` for none. disorder: whether, in the tile's share of them, two masks
// are not apart.
template <class M, class T>
__global__ void __launch_bounds__(256)
    find_groups(const T* __restrict__ points, int count, M masks, int last_digit, int digits,
                int* __restrict__ keys, int* __restrict__ counts, int* __restrict__ disorder) {
  __shared__ T edges[most_digits];
  const bool fits = masks.groups <= most_digits;
  for (int g = threadIdx.x; fits && g < masks.groups; g += 256) edges[g] = masks.lower[g];
  __syncthreads();
  if (threadIdx.x < 32) {
    const int tiles = (count + points_of_tile - 1) / points_of_tile;
    bool apart = true;
    for (int g = blockIdx.x * 32 + threadIdx.x; g + 1 < masks.groups; g += tiles * 32)
      apart = apart && masks.are_apart(g);
    apart = __all_sync(0xffffffffu, apart);
    if (threadIdx.x == 0) disorder[blockIdx.x] = !apart;
  }
  const T* lower = fits ? edges : masks.lower;
  const double density = masks.density();
  const int first = blockIdx.x * points_of_tile + threadIdx.x;
  T x[points_of_thread];
  int key[points_of_thread];
#pragma unroll
  for (int n = 0; n < points_of_thread; ++n) x[n] = first + n * 256 < count ? points[first + n * 256] : T(0);
#pragma unroll
  for (int n = 0; n < points_of_thread; ++n) {
    key[n] = first + n * 256 < count ? masks.find(x[n], lower, density) : -1;
    if (key[n] >= 0) keys[first + n * 256] = key[n];
  }
  count_tile(key, 0, last_digit, digits, counts);
}

__global__ void __launch_bounds__(256) count_digits(const int* __restrict__ keys, int count, int shift,
                                                    int last_digit, int digits, int* __restrict__ counts) {
  const int first = blockIdx.x * points_of_tile + threadIdx.x;
  int key[points_of_thread];
#pragma unroll
  for (int n = 0; n < points_of_thread; ++n) key[n] = first + n * 256 < count ? keys[first + n * 256] : -1;
  count_tile(key, shift, last_digit, digits, counts);
}

// counts[tile][digit] become those of all tiles before. A block has 32 digits, and each of its warps a share of the
// tiles. The first block knows whether the masks are apart.
__global__ void __launch_bounds__(1024)
    scan_tiles(int* __restrict__ counts, int tiles, int digits, int* __restrict__ totals,
               const int* __restrict__ disorder, bool* __restrict__ apart) {
  __shared__ int sums[32][33];
  const int lane = threadIdx.x % 32, warp = threadIdx.x / 32, share = (tiles + 31) / 32;
  const int digit = blockIdx.x * 32 + lane, first = warp * share;
  const int end = digit >= digits ? 0 : first + share < tiles ? first + share : tiles;
  int sum = 0;
  for (int tile = first; tile < end; ++tile) sum += counts[int64_t(tile) * digits + digit];
  sums[warp][lane] = sum;
  bool ordered = true;
  for (int tile = threadIdx.x; blockIdx.x == 0 && tile < tiles; tile += 1024)
    ordered = ordered && !disorder[tile];
  ordered = __all_sync(0xffffffffu, ordered);
  if (lane == 0) sums[warp][32] = ordered; // beside what is summed up
  __syncthreads();
  if (blockIdx.x == 0 && threadIdx.x == 0) {
    for (int w = 1; w < 32; ++w) ordered = ordered && sums[w][32];
    *apart = ordered;
  }
  const int own = sums[lane][warp]; // of digit `warp` of the block's, in the tiles of warp `lane`
  int all = own;
  for (int distance = 1; distance < 32; distance *= 2) {
    const int before = __shfl_up_sync(0xffffffffu, all, distance);
    if (lane >= distance) all += before;
  }
  sums[lane][warp] = all - own;
  if (lane == 31 && blockIdx.x * 32 + warp < digits) totals[blockIdx.x * 32 + warp] = all;
  __syncthreads();
  sum = sums[warp][lane];
  for (int tile = first; tile < end; ++tile) {
    const int here = counts[int64_t(tile) * digits + digit];
    counts[int64_t(tile) * digits + digit] = sum;
    sum += here;
  }
}

// starts[d]: how many of all keys have a smaller digit than d. By a whole block.
__device__ inline void scan_digits(const int* __restrict__ totals, int digits, int (&starts)[most_digits]) {
  constexpr int each = most_digits / 256;
  __shared__ int sums[8];
  const int lane = threadIdx.x % 32, warp = threadIdx.x / 32, first = threadIdx.x * each;
  int own[each], sum = 0;
#pragma unroll
  for (int n = 0; n < each; ++n) sum += own[n] = first + n < digits ? totals[first + n] : 0;
  int all = sum;
  for (int distance = 1; distance < 32; distance *= 2) {
    const int before = __shfl_up_sync(0xffffffffu, all, distance);
    if (lane >= distance) all += before;
  }
  if (lane == 31) sums[warp] = all;
  __syncthreads();
  for (int w = 0; w < warp; ++w) all += sums[w];
  int before = all - sum;
#pragma unroll
  for (int n = 0; n < each; ++n) {
    starts[first + n] = before;
    before += own[n];
  }
}

// order_to: the points by their digit at `shift`, those of one digit in the order that they have (all: their own).
// A warp has 512 points of the tile, and counts its points of each digit.
__global__ void __launch_bounds__(256)
    place_points(const int* __restrict__ keys, const int* __restrict__ order, int count, int shift,
                 int last_digit, int digits, const int* __restrict__ counts, const int* __restrict__ totals,
                 int* __restrict__ keys_to, int* __restrict__ order_to, int* __restrict__ start) {
  __shared__ int starts[most_digits];
  __shared__ uint16_t of_warp[8][most_digits];
  const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  const int first = blockIdx.x * points_of_tile + warp * 32 * points_of_thread + lane;
  int key[points_of_thread], place[points_of_thread];
#pragma unroll
  for (int n = 0; n < points_of_thread; ++n) key[n] = first + n * 32 < count ? keys[first + n * 32] : -1;
  for (int d = lane; d < digits; d += 32) of_warp[warp][d] = 0;
  scan_digits(totals, digits, starts);
#pragma unroll
  for (int n = 0; n < points_of_thread; ++n) {
    const int digit = key[n] < 0 ? -1 : key[n] >> shift & last_digit;
    unsigned same = __ballot_sync(0xffffffffu, digit >= 0); // the lanes whose digit it is, bit by bit
    for (int bit = 1; bit <= last_digit; bit *= 2) {
      const unsigned set = __ballot_sync(0xffffffffu, digit & bit);
      same &= digit & bit ? set : ~set;
    }
    if (digit >= 0) place[n] = of_warp[warp][digit] + __popc(same & ((1u << lane) - 1));
    __syncwarp();
    if (digit >= 0 && same >> lane == 1) of_warp[warp][digit] = uint16_t(place[n] + 1); // the last of them
    __syncwarp();
  }
  __syncthreads();
  for (int d = threadIdx.x; d < digits; d += 256) {
    if (start != nullptr && blockIdx.x == 0) start[d] = starts[d];
    starts[d] += counts[int64_t(blockIdx.x) * digits + d];
    int before = 0;
    for (int w = 0; w < 8; ++w) {
      const int here = of_warp[w][d];
      of_warp[w][d] = uint16_t(before);
      before += here;
    }
  }
  __syncthreads();
#pragma unroll
  for (int n = 0; n < points_of_thread; ++n) {
    if (key[n] < 0) break;
    const int digit = key[n] >> shift & last_digit, to = starts[digit] + of_warp[warp][digit] + place[n];
    order_to[to] = order != nullptr ? order[first + n * 32] : first + n * 32;
    if (keys_to != nullptr) keys_to[to] = key[n];
  }
}

// start[g]: the first of the sorted keys that is not below g.
__global__ void __launch_bounds__(256)
    find_starts(const int* __restrict__ keys, int count, int groups, int* __restrict__ start) {
  for (int g = blockIdx.x * 256 + threadIdx.x; g <= groups; g += gridDim.x * 256) {
    int first = 0, end = count;
    while (first < end) {
      const int middle = (first + end) / 2;
      if (keys[middle] < g)
        first = middle + 1;
      else
        end = middle;
    }
    start[g] = first;
  }
}

//@ group_points : find_groups
// Are the masks apart? Then order[start[g]] ... order[start[g + 1] - 1] are the points of group g, ascending. Sorts by
// counting: by the group at once, or, of many groups, by one digit of its number after the other.
template <Edge lower_edge, Edge upper_edge, class T>
void group_points(const T* points, int64_t count, const T* lower, const T* upper, int64_t groups, bool* apart,
                  int32_t* start, int32_t* order, int32_t* scratch, cudaStream_t stream) {
  using M = Masks<lower_edge, upper_edge, T>;
  const int number = int(count), tiles = (number + points_of_tile - 1) / points_of_tile;
  int bits = 0;
  while (groups >> bits) ++bits;
  const int passes = groups < most_digits ? 1 : (bits + 10) / 11, width = (bits + passes - 1) / passes;
  const int digits = passes == 1 ? int(groups) + 1 : 1 << width, last_digit = (1 << width) - 1;
  int *keys = scratch, *counts = keys + count, *totals = counts + int64_t(tiles) * digits;
  int *disorder = totals + digits, *other_keys = disorder + tiles, *other_order = other_keys + count;
  find_groups<M, T><<<tiles, 256, 0, stream>>>(points, number, M{lower, upper, int(groups)}, last_digit,
                                               digits, keys, counts, disorder);
  const int* from = nullptr; // the points' own order
  for (int pass = 0; pass < passes; ++pass) {
    const int shift = pass * width;
    if (pass > 0) count_digits<<<tiles, 256, 0, stream>>>(keys, number, shift, last_digit, digits, counts);
    scan_tiles<<<(digits + 31) / 32, 1024, 0, stream>>>(counts, tiles, digits, totals, disorder, apart);
    int* to = (passes - pass) % 2 == 1 ? order : other_order;
    place_points<<<tiles, 256, 0, stream>>>(keys, from, number, shift, last_digit, digits, counts, totals,
                                            passes > 1 ? other_keys : nullptr, to,
                                            passes > 1 ? nullptr : start);
    from = to;
    int* sorted = other_keys;
    other_keys = keys;
    keys = sorted;
  }
  if (passes > 1)
    find_starts<<<unsigned(groups / 256 + 1), 256, 0, stream>>>(keys, number, int(groups), start);
}
