//===- folds.cuh - folds of each group's points, which stay where they are ------------------------------===//
#pragma once
#include "device.cuh"
#include "groups.cuh"

//@ fold_tiles fold_sorted Fold fold AllFolds MemoryOfFold find_in_tile order_tile fold_group sort_few threads_of_fold each_of_fold points_of_fold most_parts few_points : find_groups warp_reduce
// A block folds tiles of 4096 points, group by group; up to 16 points of a tile are few.
constexpr int threads_of_fold = 512, each_of_fold = 8, points_of_fold = each_of_fold * threads_of_fold;
constexpr int most_parts = 512, few_points = 16;

template <class T> union MemoryOfFold {
  struct {
    T lower[most_digits], upper[most_digits];
  } edges;
  struct {
    int begin[most_digits];                                   // of a group in `order`; first, how many it has
    uint16_t order[points_of_fold];                           // the tile's points by group
    unsigned bits[threads_of_fold / 32][points_of_fold / 32]; // for each warp the points of one group
  } groups;
};

// By Batcher's odd-even merges: of parts of `size` each, comparing at falling distances.
__device__ inline void sort_few(int (&x)[few_points]) {
  constexpr int sizes[] = {1, 2, 2, 4, 4, 4, 8, 8, 8, 8}, distances[] = {1, 2, 1, 4, 2, 1, 8, 4, 2, 1};
#pragma unroll
  for (int step = 0; step < 10; ++step)
#pragma unroll
    for (int i = 0; i < few_points; ++i) {
      const int distance = distances[step], other = i + distance, from = i - distance % sizes[step];
      if (other >= few_points || from < 0 || from / distance % 2 != 0) continue;
      if (i / (2 * sizes[step]) != other / (2 * sizes[step])) continue;
      const int a = x[i], b = x[other];
      x[i] = a < b ? a : b;
      x[other] = a < b ? b : a;
    }
}

// One value of each point is folded by Op.
template <class Op, class V, class T> struct Fold {
  const V* values;
  T* to;
  T nothing;

  // Of few points of the tile, in order; eight are read at once.
  __device__ T of_few(int tile, const int (&point)[few_points], int size) const {
    T all = nothing;
#pragma unroll
    for (int first = 0; first < few_points; first += 8) {
      V value[8];
#pragma unroll
      for (int n = 0; n < 8; ++n)
        if (first + n < size) value[n] = (values + tile)[point[first + n]];
#pragma unroll
      for (int n = 0; n < 8; ++n)
        if (first + n < size) all = Op::combine(all, T(value[n]));
    }
    return all;
  }

  // Of those whose bit is set, by all lanes of a warp, a share of the tile each.
  __device__ T of_bits(int tile, const unsigned* bits) const {
    constexpr int share = points_of_fold / 32 / 32;
    T all = nothing;
#pragma unroll 1
    for (int word = threadIdx.x % 32 * share; word < int(threadIdx.x % 32 + 1) * share; ++word)
      for (unsigned left = bits[word]; left != 0; left &= left - 1)
        all = Op::combine(all, T((values + tile)[word * 32 + __ffs(int(left)) - 1]));
    return warp_reduce<Op>(all);
  }

  // Of those that stand in a row in `order`, likewise.
  __device__ T of_sorted(const int* order, int start, int end) const {
    T all = nothing;
    for (int k = start + int(threadIdx.x % 32); k < end; k += 32) all = Op::combine(all, T(values[order[k]]));
    return warp_reduce<Op>(all);
  }
};
template <class Op, class V, class T>
Fold<Op, V, T> fold(const V* values, T* to, std::common_type_t<T> nothing) {
  return {values, to, nothing};
}

// All folds of one grouping, each with its result for one group.
template <class... F> struct AllFolds {
  __device__ void of_few(int, const int (&)[few_points], int) {}
  __device__ void of_bits(int, const unsigned*, bool) {}
  __device__ void of_sorted(const int*, int, int) {}
  __device__ void store(int64_t, bool) const {}
};
template <class Op, class V, class T, class... More> struct AllFolds<Fold<Op, V, T>, More...> {
  Fold<Op, V, T> own;
  AllFolds<More...> more;
  T result;

  __device__ void of_few(int tile, const int (&point)[few_points], int size) {
    result = own.of_few(tile, point, size);
    more.of_few(tile, point, size);
  }
  __device__ void of_bits(int tile, const unsigned* bits, bool wanted) {
    const T all = own.of_bits(tile, bits);
    if (wanted) result = all;
    more.of_bits(tile, bits, wanted);
  }
  __device__ void of_sorted(const int* order, int start, int end) {
    result = own.of_sorted(order, start, end);
    more.of_sorted(order, start, end);
  }
  __device__ void store(int64_t at, bool first) const {
    own.to[at] = first ? result : Op::combine(own.to[at], result);
    more.store(at, first);
  }
};

// key: the groups of the thread's points, or `groups` for none. Whether the masks are apart.
template <class M, class T>
__device__ bool find_in_tile(const T* __restrict__ points, int left, M masks, MemoryOfFold<T>& memory,
                             int (&key)[each_of_fold]) {
  T *low = memory.edges.lower, *high = memory.edges.upper;
  T x[each_of_fold];
#pragma unroll
  for (int n = 0; n < each_of_fold; ++n) {
    const int p = threadIdx.x + n * threads_of_fold;
    x[n] = p < left ? points[p] : T(0);
  }
#pragma unroll 1
  for (int g = threadIdx.x; g < masks.groups; g += threads_of_fold) {
    low[g] = masks.lower[g];
    high[g] = masks.upper[g];
  }
  __syncthreads();
  bool apart = true;
#pragma unroll 1
  for (int g = threadIdx.x; g + 1 < masks.groups; g += threads_of_fold)
    apart = apart && masks.are_apart(g, low, high);
  apart = __syncthreads_and(apart);
  if (!apart) return false;
  const double density = masks.density(low);
#pragma unroll
  for (int n = 0; n < each_of_fold; ++n) {
    const bool exists = int(threadIdx.x) + n * threads_of_fold < left;
    key[n] = exists ? masks.find(x[n], masks.guess(x[n], low, density), low, high) : masks.groups;
  }
  return true;
}

// The tile's points, group after group. Places in a group come from atomic additions, in any order.
template <class T>
__device__ void order_tile(const int (&key)[each_of_fold], int groups, MemoryOfFold<T>& memory) {
  constexpr int share = most_digits / threads_of_fold;
  int* begin = memory.groups.begin;
  int place[each_of_fold], size[share], sum = 0;
#pragma unroll 1
  for (int g = threadIdx.x; g <= groups; g += threads_of_fold) begin[g] = 0;
  __syncthreads();
#pragma unroll
  for (int n = 0; n < each_of_fold; ++n)
    if (key[n] < groups) place[n] = atomicAdd(&begin[key[n]], 1);
  __syncthreads();
#pragma unroll
  for (int n = 0; n < share; ++n) {
    const int g = threadIdx.x * share + n;
    sum += size[n] = g < groups ? begin[g] : 0;
  }
  int before = sum_before(sum);
#pragma unroll
  for (int n = 0; n < share; ++n) {
    const int g = threadIdx.x * share + n;
    if (g <= groups) begin[g] = before;
    before += size[n];
  }
  __syncthreads();
#pragma unroll
  for (int n = 0; n < each_of_fold; ++n)
    if (key[n] < groups)
      memory.groups.order[begin[key[n]] + place[n]] = uint16_t(threadIdx.x + n * threads_of_fold);
}

// Folds one group of each thread's, -1 for none; returns its size in the tile. Few points are put in order first; of
// many each sets its bit.
template <class T, class F> __device__ int fold_group(int g, int tile, MemoryOfFold<T>& memory, F& folds) {
  const int lane = threadIdx.x % 32, begin = g < 0 ? 0 : memory.groups.begin[g];
  const int size = g < 0 ? 0 : memory.groups.begin[g + 1] - begin;
  const uint16_t* order = memory.groups.order;
  unsigned* bits = memory.groups.bits[threadIdx.x / 32];
  int point[few_points];
#pragma unroll
  for (int n = 0; n < few_points; ++n) point[n] = n < size ? order[begin + n] : points_of_fold;
  sort_few(point);
  folds.of_few(tile, point, size < few_points ? size : few_points);
  for (unsigned many = __ballot_sync(0xffffffffu, size > few_points); many != 0; many &= many - 1) {
    const int owner = __ffs(int(many)) - 1;
    const int first = __shfl_sync(0xffffffffu, begin, owner),
              end = first + __shfl_sync(0xffffffffu, size, owner);
    for (int word = lane; word < points_of_fold / 32; word += 32) bits[word] = 0;
    __syncwarp();
    for (int k = first + lane; k < end; k += 32) atomicOr(&bits[order[k] / 32], 1u << order[k] % 32);
    __syncwarp();
    folds.of_bits(tile, bits, lane == owner);
    __syncwarp();
  }
  return size;
}

// to[group][part]: folds of the group's points in the tiles of a part, which is a block's; sizes: how many these are.
// apart: whether the masks are, without which nothing else is of use.
template <class M, class T, class F>
__global__ void __launch_bounds__(threads_of_fold, 2)
    fold_tiles(const T* __restrict__ points, int count, int parts, M masks, bool* __restrict__ apart,
               int* __restrict__ sizes, F folds) {
  __shared__ MemoryOfFold<T> memory;
  const int groups = masks.groups, lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  const bool spread = groups <= threads_of_fold / 2; // groups of many points, which a warp has in turn
  for (int part = blockIdx.x; part < parts; part += gridDim.x)
    for (int tile = part * points_of_fold; tile < count; tile += parts * points_of_fold) {
      int key[each_of_fold];
      const bool are_apart = find_in_tile(points + tile, count - tile, masks, memory, key);
      if (part == 0 && threadIdx.x == 0) *apart = are_apart;
      if (!are_apart) return;
      __syncthreads(); // what is counted lies where the edges do
      order_tile(key, groups, memory);
      __syncthreads();
#pragma unroll 1
      for (int first = 0; first < groups; first += threads_of_fold) {
        const int g = first + (spread ? lane * (threads_of_fold / 32) + warp : int(threadIdx.x));
        F own = folds;
        const int size = fold_group(g < groups ? g : -1, tile, memory, own);
        const int64_t at = int64_t(g) * parts + part;
        const bool is_first = tile == part * points_of_fold;
        if (g < groups) own.store(at, is_first);
        if (g < groups && sizes != nullptr) sizes[at] = is_first ? size : sizes[at] + size;
      }
      __syncthreads(); // the next tile's edges go there
    }
}

// The same of groups whose points are in a row in `order`, by a warp each.
template <class F>
__global__ void __launch_bounds__(256)
    fold_sorted(const int* __restrict__ start, const int* __restrict__ order, int groups,
                const bool* __restrict__ apart, int* __restrict__ sizes, F folds) {
  if (!*apart) return;
  for (int g = int(blockIdx.x * blockDim.x + threadIdx.x) / 32; g < groups;
       g += int(gridDim.x * blockDim.x) / 32) {
    folds.of_sorted(order, start[g], start[g + 1]);
    if (threadIdx.x % 32 != 0) continue;
    folds.store(g, true);
    if (sizes != nullptr) sizes[g] = start[g + 1] - start[g];
  }
}

//@ fold_points : fold_tiles group_points
// Folds each group's points in so many parts: min(512, tiles of 4096), of 2048 groups and more in one.
template <Edge lower_edge, Edge upper_edge, class T, class... F>
void fold_points(const T* points, int64_t count, const T* lower, const T* upper, int64_t groups, bool* apart,
                 int32_t* sizes, int32_t* scratch, cudaStream_t stream, F... folds) {
  using M = Masks<lower_edge, upper_edge, T>;
  using Folds = AllFolds<F...>;
  if (groups < most_digits) {
    const int tiles = (int(count) + points_of_fold - 1) / points_of_fold;
    const int parts = tiles < most_parts ? tiles : most_parts;
    fold_tiles<M, T, Folds><<<parts, threads_of_fold, 0, stream>>>(
        points, int(count), parts, M{lower, upper, int(groups)}, apart, sizes, Folds{folds...});
    return;
  }
  int32_t *start = scratch, *order = start + groups + 1;
  group_points<lower_edge, upper_edge>(points, count, lower, upper, groups, apart, start, order,
                                       order + count, stream);
  fold_sorted<Folds><<<unsigned(groups < 65536 ? groups / 8 + 1 : 8192), 256, 0, stream>>>(
      start, order, int(groups), apart, sizes, Folds{folds...});
}
