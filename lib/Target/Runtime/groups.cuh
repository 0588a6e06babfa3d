//===- groups.cuh - points sorted into groups by counting ----------------------------------------------===//
#pragma once
#include "groups.h"

//@ find_groups AllCarried carry_tile count_tile count_digits scan_tiles first_of_thread sum_before sort_tile place_points find_starts threads_of_tile points_of_thread points_of_tile bits_of_tile most_digits : Masks
// A block sorts a tile of points. A thread has 8 of them; a warp has 256 in a row, a lane every 32nd.
constexpr int threads_of_tile = 1024, points_of_thread = 8,
              points_of_tile = threads_of_tile * points_of_thread;
constexpr int bits_of_tile = 13, most_digits = 2048;
static_assert(1 << bits_of_tile == points_of_tile);
__device__ inline int first_of_thread() {
  return int(threadIdx.x) / 32 * 32 * points_of_thread + int(threadIdx.x) % 32;
}

// Loops of one or two rounds stay loops: unrolled ones would only make the code long.

// counts[tile][digit]: how many keys of the tile have the digit at `shift`. A thread brings some; -1 is none.
__device__ inline void count_tile(const int (&key)[points_of_thread], int shift, int last_digit, int digits,
                                  int* __restrict__ counts) {
  __shared__ int found[most_digits];
#pragma unroll 1
  for (int d = threadIdx.x; d < digits; d += threads_of_tile) found[d] = 0;
  __syncthreads();
#pragma unroll
  for (int n = 0; n < points_of_thread; ++n)
    if (key[n] >= 0) atomicAdd(&found[key[n] >> shift & last_digit], 1);
  __syncthreads();
#pragma unroll 1
  for (int d = threadIdx.x; d < digits; d += threads_of_tile)
    counts[int64_t(blockIdx.x) * digits + d] = found[d];
}

// keys: the group of each point, or `groups` for none. disorder: whether, in the block's share of them, two masks
// are not apart.
template <class M, class T>
__global__ void __launch_bounds__(threads_of_tile)
    find_groups(const T* __restrict__ points, int count, M masks, int last_digit, int digits,
                int* __restrict__ keys, int* __restrict__ counts, int* __restrict__ disorder) {
  __shared__ T lower[most_digits], upper[most_digits];
  const int tile = blockIdx.x * points_of_tile, first = first_of_thread(), left = count - tile;
  T x[points_of_thread];
#pragma unroll
  for (int n = 0; n < points_of_thread; ++n)
    x[n] = first + n * 32 < left ? (points + tile + first)[n * 32] : T(0);
  const bool fits = masks.groups <= most_digits;
#pragma unroll 1
  for (int g = threadIdx.x; fits && g < masks.groups; g += threads_of_tile) {
    lower[g] = masks.lower[g];
    upper[g] = masks.upper[g];
  }
  if (threadIdx.x < 32) {
    const int tiles = (count + points_of_tile - 1) / points_of_tile;
    bool apart = true;
    for (int g = blockIdx.x * 32 + threadIdx.x; g + 1 < masks.groups; g += tiles * 32)
      apart = apart && masks.are_apart(g, masks.lower, masks.upper);
    apart = __all_sync(0xffffffffu, apart);
    if (threadIdx.x == 0) disorder[blockIdx.x] = !apart;
  }
  __syncthreads();
  const T *low = fits ? lower : masks.lower, *high = fits ? upper : masks.upper;
  const double density = masks.density(low);
  int key[points_of_thread];
#pragma unroll
  for (int n = 0; n < points_of_thread; ++n) {
    key[n] = -1;
    if (first + n * 32 >= left) continue;
    key[n] = masks.find(x[n], masks.guess(x[n], low, density), low, high);
    (keys + tile + first)[n * 32] = key[n];
  }
  count_tile(key, 0, last_digit, digits, counts);
}

__global__ void __launch_bounds__(threads_of_tile)
    count_digits(const int* __restrict__ keys, int count, int shift, int last_digit, int digits,
                 int* __restrict__ counts) {
  const int tile = blockIdx.x * points_of_tile, first = first_of_thread(), left = count - tile;
  int key[points_of_thread];
#pragma unroll
  for (int n = 0; n < points_of_thread; ++n)
    key[n] = first + n * 32 < left ? (keys + tile + first)[n * 32] : -1;
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
  for (int tile = threadIdx.x; disorder != nullptr && blockIdx.x == 0 && tile < tiles; tile += 1024)
    ordered = ordered && !disorder[tile];
  ordered = __all_sync(0xffffffffu, ordered);
  if (lane == 0) sums[warp][32] = ordered; // beside what is summed up
  __syncthreads();
  if (disorder != nullptr && blockIdx.x == 0 && threadIdx.x == 0) {
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

// The sum of what the threads before this one bring. A barrier stands between two calls.
__device__ inline int sum_before(int own) {
  __shared__ int sums[threads_of_tile / 32];
  const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  int sum = own;
  for (int distance = 1; distance < 32; distance *= 2) {
    const int before = __shfl_up_sync(0xffffffffu, sum, distance);
    if (lane >= distance) sum += before;
  }
  if (lane == 31) sums[warp] = sum;
  __syncthreads();
  int others = lane < warp ? sums[lane] : 0;
  for (int distance = 16; distance > 0; distance /= 2)
    others += __shfl_xor_sync(0xffffffffu, others, distance);
  return others + sum - own;
}

// Sorts a tile by up to 6 bits; what is equal in them stays in order. `item`: what the thread has of it.
__device__ inline void sort_tile(unsigned (&item)[points_of_thread], int shift, int bits,
                                 unsigned (&sorted)[points_of_tile]) {
  constexpr int warps = threads_of_tile / 32;
  __shared__ uint16_t found[warps][66]; // how many of each digit, by warp; odd rows of words: other banks
  const int lane = threadIdx.x % 32, warp = threadIdx.x / 32, digits = 1 << bits;
  unsigned same[points_of_thread]; // the lanes whose digit is the same
  int place[points_of_thread];
#pragma unroll 1
  for (int d = lane; d < digits; d += 32) found[warp][d] = 0;
  for (unsigned& lanes : same) lanes = 0xffffffffu;
  for (unsigned bit = 1u << shift; bit < 1u << (shift + bits); bit *= 2)
#pragma unroll
    for (int n = 0; n < points_of_thread; ++n) {
      const bool set = item[n] & bit;
      const unsigned votes = __ballot_sync(0xffffffffu, set);
      same[n] &= set ? votes : ~votes;
    }
  __syncwarp();
#pragma unroll
  for (int n = 0; n < points_of_thread; ++n) {
    uint16_t& here = found[warp][item[n] >> shift & (digits - 1)];
    place[n] = here + __popc(same[n] & ((1u << lane) - 1));
    __syncwarp();
    if (same[n] >> lane == 1) here = uint16_t(place[n] + 1); // the last of them
    __syncwarp();
  }
  __syncthreads();
  const int digit = 2 * threadIdx.x / warps, of = 2 * threadIdx.x % warps; // two warps' counts of one digit
  const int one = digit < digits ? found[of][digit] : 0, other = digit < digits ? found[of + 1][digit] : 0;
  const int before = sum_before(one + other);
  if (digit < digits) {
    found[of][digit] = uint16_t(before);
    found[of + 1][digit] = uint16_t(before + one);
  }
  __syncthreads();
#pragma unroll
  for (int n = 0; n < points_of_thread; ++n)
    sorted[place[n] + found[warp][item[n] >> shift & (digits - 1)]] = item[n];
  __syncthreads();
#pragma unroll
  for (int n = 0; n < points_of_thread; ++n) item[n] = sorted[first_of_thread() + n * 32];
}

// Elements go with the points of the tile: through shared memory, so that both sides are in order. Those of 8 or 16 bytes
// go in parts, a share of each 32 points in a row at a time.
template <class V>
__device__ void carry_tile(Carried<V> array, const int* __restrict__ order, int tile, int left,
                           const unsigned (&item)[points_of_thread], const int (&to)[points_of_thread],
                           unsigned (&memory)[points_of_tile]) {
  if (array.to == nullptr) return;
  if (order != nullptr) { // the points have moved before
#pragma unroll
    for (int n = 0; n < points_of_thread; ++n)
      if (to[n] >= 0) array.to[to[n]] = array.from[order[tile + item[n] % points_of_tile]];
    return;
  }
  constexpr int parts = sizeof(V) > 4 ? sizeof(V) / 4 : 1, share = 32 / parts;
  V* elements = reinterpret_cast<V*>(memory);
  V element[points_of_thread];
#pragma unroll
  for (int part = 0; part < parts; ++part) {
    const int first = int(threadIdx.x) / share * 32 + int(threadIdx.x) % share + part * share;
#pragma unroll
    for (int n = 0; n < points_of_thread / parts; ++n)
      if (const int p = first + n * threads_of_tile * parts; p < left)
        elements[threadIdx.x + n * threads_of_tile] =
            (array.from + tile + first)[n * threads_of_tile * parts];
    __syncthreads();
#pragma unroll
    for (int n = 0; n < points_of_thread; ++n) {
      const unsigned p = item[n] % points_of_tile;
      if (to[n] >= 0 && p % 32 / share == part) element[n] = elements[p / 32 * share + p % share];
    }
    __syncthreads();
  }
#pragma unroll
  for (int n = 0; n < points_of_thread; ++n)
    if (to[n] >= 0) array.to[to[n]] = element[n];
}

// All arrays whose elements are carried.
template <class... V> struct AllCarried {
  template <class F> __device__ void each(F) const {}
};
template <class V, class... More> struct AllCarried<V, More...> {
  Carried<V> array;
  AllCarried<More...> more;
  template <class F> __device__ void each(F act) const {
    act(array);
    more.each(act);
  }
};

// order_to: the points by their digit at `shift`, those of one digit in the order that they have (all: their own).
// The tile is sorted first, so that points of one digit leave it side by side.
template <class C>
__global__ void __launch_bounds__(threads_of_tile)
    place_points(const int* __restrict__ keys, const int* __restrict__ order, int count, int shift, int width,
                 int digits, const int* __restrict__ counts, const int* __restrict__ totals,
                 int* __restrict__ keys_to, int* __restrict__ order_to, int* __restrict__ start, C carried) {
  __shared__ __align__(16) unsigned sorted[points_of_tile]; // digits and, below, numbers in the tile
  __shared__ int moves[most_digits]; // from places in the sorted tile to those among all points
  const int tile = blockIdx.x * points_of_tile, first = first_of_thread(), left = count - tile;
  unsigned item[points_of_thread];
#pragma unroll
  for (int n = 0; n < points_of_thread; ++n) {
    const int key = first + n * 32 < left ? (keys + tile + first)[n * 32] : -1;
    item[n] = (key >> shift & ((1 << width) - 1)) * points_of_tile + first + n * 32;
  }
  constexpr int each = most_digits / threads_of_tile;
  int total[each], sum = 0;
#pragma unroll
  for (int n = 0; n < each; ++n) {
    const int d = threadIdx.x * each + n;
    sum += total[n] = d < digits ? totals[d] : 0;
  }
  int before = sum_before(sum);
#pragma unroll
  for (int n = 0; n < each; ++n) {
    const int d = threadIdx.x * each + n;
    if (d < digits && start != nullptr && blockIdx.x == 0) start[d] = before;
    if (d < digits) moves[d] = before + counts[int64_t(blockIdx.x) * digits + d];
    before += total[n];
  }
  const int bits = width <= 6 ? width : (width + 1) / 2;
  for (int done = 0; done < width; done += bits)
    sort_tile(item, bits_of_tile + done, width - done < bits ? width - done : bits, sorted);
#pragma unroll
  for (int n = 0; n < points_of_thread; ++n) {
    const int p = first + n * 32;
    const bool begins = p == 0 || (item[n] ^ sorted[p - 1]) >= points_of_tile; // another digit
    if (begins && p < left) moves[item[n] / points_of_tile] -= p;
  }
  __syncthreads();
  int to[points_of_thread];
#pragma unroll
  for (int n = 0; n < points_of_thread; ++n) {
    const int p = first + n * 32;
    to[n] = p < left ? moves[item[n] / points_of_tile] + p : -1;
  }
#pragma unroll
  for (int n = 0; order_to != nullptr && n < points_of_thread; ++n) {
    const int from = tile + item[n] % points_of_tile;
    if (to[n] >= 0) order_to[to[n]] = order != nullptr ? order[from] : from;
  }
#pragma unroll
  for (int n = 0; keys_to != nullptr && n < points_of_thread; ++n)
    if (to[n] >= 0) keys_to[to[n]] = keys[tile + item[n] % points_of_tile];
  carried.each([&](auto array) { carry_tile(array, order, tile, left, item, to, sorted); });
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
template <Edge lower_edge, Edge upper_edge, Listing listing = Ordered, class T, class... V>
void group_points(const T* points, int64_t count, const T* lower, const T* upper, int64_t groups, bool* apart,
                  int32_t* start, int32_t* order, int32_t* scratch, cudaStream_t stream,
                  Carried<V>... carried) {
  using M = Masks<lower_edge, upper_edge, T>;
  using C = AllCarried<V...>;
  int bits = 0;
  while (groups >> bits) ++bits;
  const int passes = groups < most_digits ? 1 : (bits + 10) / 11, width = (bits + passes - 1) / passes;
  const int digits = passes == 1 ? int(groups) + 1 : 1 << width, last_digit = (1 << width) - 1;
  const int number = int(count), tiles = (number + points_of_tile - 1) / points_of_tile;
  int *keys = scratch, *counts = keys + count, *totals = counts + int64_t(tiles) * digits;
  int *disorder = totals + digits, *other_keys = disorder + tiles, *other_order = other_keys + count;
  find_groups<M, T><<<tiles, threads_of_tile, 0, stream>>>(points, number, M{lower, upper, int(groups)},
                                                           last_digit, digits, keys, counts, disorder);
  const int* from = nullptr; // the points' own order
  for (int pass = 0; pass < passes; ++pass) {
    const int shift = pass * width;
    if (pass > 0)
      count_digits<<<tiles, threads_of_tile, 0, stream>>>(keys, number, shift, last_digit, digits, counts);
    scan_tiles<<<(digits + 31) / 32, 1024, 0, stream>>>(counts, tiles, digits, totals,
                                                        pass > 0 ? nullptr : disorder, apart);
    const bool last = pass + 1 == passes;
    int* to = (passes - pass) % 2 == 1 ? order : other_order;
    place_points<C><<<tiles, threads_of_tile, 0, stream>>>(
        keys, from, number, shift, width, digits, counts, totals, passes > 1 ? other_keys : nullptr,
        last && listing == Unordered ? nullptr : to, passes > 1 ? nullptr : start,
        last ? C{carried...} : C{});
    from = to;
    int* sorted = other_keys;
    other_keys = keys;
    keys = sorted;
  }
  if (passes > 1)
    find_starts<<<unsigned(groups / 256 + 1), 256, 0, stream>>>(keys, number, int(groups), start);
}
