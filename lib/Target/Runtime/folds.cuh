//===- folds.cuh - folds of each group's points, which stay where they are ------------------------------===//
#pragma once
#include "device.cuh"
#include "groups.cuh"

//@ fold_tiles fold_sorted Fold fold AllFolds MemoryOfTile find_in_tile order_tile order_few order_many fold_tile thread_of_group threads_of_fold each_of_fold points_of_fold most_parts few_points : find_groups warp_reduce
// A block folds tiles of 4096 points, group after group; up to 16 points of a tile are few, of which a thread takes care.
constexpr int threads_of_fold = 512, each_of_fold = 8, points_of_fold = each_of_fold * threads_of_fold;
constexpr int most_parts = 512, few_points = 16;

template <class T> union MemoryOfTile {
  struct {
    T lower[most_digits], upper[most_digits];
  } edges;
  struct {
    uint16_t order[points_of_fold]; // the tile's points by group
    union {                         // of each group in `order`; before that, how many points two groups have
      uint16_t begin[most_digits];
      unsigned pairs[most_digits / 2];
    };
    union {
      unsigned bits[threads_of_fold / 32][points_of_fold / 32]; // for each warp the points of one group
      double values[points_of_fold];
    };
  } groups;
};

// One value of each point is folded by Op. to[part][group]: the folds.
template <class Op, class V, class T> struct Fold {
  const V* values;
  T* to;
  T nothing;

  // Of every `step`-th of those in a row in `order`.
  template <class I> __device__ T of_row(const V* from, const I* order, int first, int end, int step) const {
    T all = nothing;
#pragma unroll 4
    for (int k = first; k < end; k += step) all = Op::combine(all, T(from[order[k]]));
    return all;
  }
  template <class I> __device__ T by_warp(const V* from, const I* order, int first, int end) const {
    return warp_reduce<Op>(of_row(from, order, first + int(threadIdx.x % 32), end, 32));
  }
  __device__ void store(T all, int64_t at, bool first) const {
    to[at] = first ? all : Op::combine(to[at], all);
  }
};
template <class Op, class V, class T>
Fold<Op, V, T> fold(const V* values, T* to, std::common_type_t<T> nothing) {
  return {values, to, nothing};
}

// All folds of one grouping.
template <class... F> struct AllFolds {
  template <class Act> __device__ void each(Act) const {}
};
template <class F, class... More> struct AllFolds<F, More...> {
  F own;
  AllFolds<More...> more;
  template <class Act> __device__ void each(Act act) const {
    act(own);
    more.each(act);
  }
};

// key: the groups of the thread's points, or `groups` for none. Whether the masks are apart.
template <class M, class T>
__device__ bool find_in_tile(const T* __restrict__ points, int left, M masks, MemoryOfTile<T>& memory,
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
  if (!__syncthreads_and(apart)) return false;
  const double density = masks.density(low);
#pragma unroll
  for (int n = 0; n < each_of_fold; ++n) {
    const bool exists = int(threadIdx.x) + n * threads_of_fold < left;
    key[n] = exists ? masks.find(x[n], masks.guess(x[n], low, density), low, high) : masks.groups;
  }
  __syncthreads(); // what is counted lies where the edges do
  return true;
}

// Up to `most` points of a group. Called, not inlined: written out, it takes compilers long. By Batcher's odd-even merges: of
// parts of `size` each, comparing at falling distances.
template <int most> __device__ __attribute__((noinline)) void order_few(uint16_t* order, int size) {
  constexpr int sizes[] = {1, 2, 2, 4, 4, 4, 8, 8, 8, 8}, distances[] = {1, 2, 1, 4, 2, 1, 8, 4, 2, 1};
  constexpr int steps = most <= 8 ? 6 : 10;
  static_assert(most <= 16);
  int x[most];
#pragma unroll
  for (int n = 0; n < most; ++n) x[n] = n < size ? order[n] : points_of_fold;
#pragma unroll
  for (int step = 0; step < steps; ++step)
#pragma unroll
    for (int i = 0; i < most; ++i) {
      const int distance = distances[step], other = i + distance, from = i - distance % sizes[step];
      if (other >= most || from < 0 || from / distance % 2 != 0) continue;
      if (i / (2 * sizes[step]) != other / (2 * sizes[step])) continue;
      const int a = x[i], b = x[other];
      x[i] = a < b ? a : b;
      x[other] = a < b ? b : a;
    }
#pragma unroll
  for (int n = 0; n < most; ++n)
    if (n < size) order[n] = uint16_t(x[n]);
}

// By a bit for each point of the tile, of which each lane of a warp has a share in a row.
__device__ __attribute__((noinline)) void order_many(uint16_t* order, int size,
                                                     unsigned (&bits)[points_of_fold / 32]) {
  constexpr int share = points_of_fold / 32 / 32;
  const int lane = threadIdx.x % 32;
  for (int word = lane * share; word < (lane + 1) * share; ++word) bits[word] = 0;
  __syncwarp();
  for (int k = lane; k < size; k += 32) atomicOr(&bits[order[k] / 32], 1u << order[k] % 32);
  __syncwarp();
  int own = 0;
  for (int word = lane * share; word < (lane + 1) * share; ++word) own += __popc(bits[word]);
  int end = own;
  for (int distance = 1; distance < 32; distance *= 2) {
    const int before = __shfl_up_sync(0xffffffffu, end, distance);
    if (lane >= distance) end += before;
  }
  int k = end - own;
  for (int word = lane * share; word < (lane + 1) * share; ++word)
    for (unsigned left = bits[word]; left != 0; left &= left - 1)
      order[k++] = uint16_t(word * 32 + __ffs(int(left)) - 1);
}

// Which of the 512 groups from `first` on the thread has: a warp has four in a row here and there, as neighbours often
// have many points alike; where groups are few, it has single ones.
__device__ inline int thread_of_group(int first, int groups) {
  constexpr int warps = threads_of_fold / 32;
  const int in_row = groups <= threads_of_fold / 2 ? 1 : 4, lane = threadIdx.x % 32, row = lane / in_row;
  const int place = (int(threadIdx.x) / 32 + row) % warps; // other banks in each row
  return first + (row * warps + place) * in_row + lane % in_row;
}

// The tile's points, group after group, in order. Places in a group come from atomic additions, in any order, first.
template <class T>
__device__ void order_tile(const int (&key)[each_of_fold], int groups, MemoryOfTile<T>& memory) {
  constexpr int share = most_digits / threads_of_fold;
  uint16_t *begin = memory.groups.begin, *order = memory.groups.order;
  int place[each_of_fold], size[share], sum = 0;
#pragma unroll 1
  for (int pair = threadIdx.x; pair <= groups / 2; pair += threads_of_fold) memory.groups.pairs[pair] = 0;
  __syncthreads();
#pragma unroll
  for (int n = 0; n < each_of_fold; ++n) {
    const int shift = key[n] % 2 * 16;
    if (key[n] < groups)
      place[n] = int(atomicAdd(&memory.groups.pairs[key[n] / 2], 1u << shift) >> shift & 0xffffu);
  }
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
    if (g <= groups) begin[g] = uint16_t(before);
    before += size[n];
  }
  __syncthreads();
#pragma unroll
  for (int n = 0; n < each_of_fold; ++n)
    if (key[n] < groups) order[begin[key[n]] + place[n]] = uint16_t(threadIdx.x + n * threads_of_fold);
  __syncthreads();
#pragma unroll 1
  for (int first = 0; first < groups; first += threads_of_fold) {
    const int g = thread_of_group(first, groups);
    const int from = g < groups ? begin[g] : 0, number = g < groups ? begin[g + 1] - from : 0;
    const bool is_few = number > 1 && number <= few_points;
    if (!__any_sync(0xffffffffu, is_few && number > few_points / 2)) {
      if (is_few) order_few<few_points / 2>(order + from, number);
    } else if (is_few) {
      order_few<few_points>(order + from, number);
    }
    for (unsigned many = __ballot_sync(0xffffffffu, number > few_points); many != 0; many &= many - 1) {
      const int owner = __ffs(int(many)) - 1;
      const int start = __shfl_sync(0xffffffffu, from, owner);
      order_many(order + start, __shfl_sync(0xffffffffu, number, owner),
                 memory.groups.bits[threadIdx.x / 32]);
    }
  }
}

// Values of up to 8 bytes are folded from shared memory.
template <class Op, class V, class R, class T>
__device__ void fold_tile(const Fold<Op, V, R>& fold, int tile, int left, int groups, int part, bool is_first,
                          MemoryOfTile<T>& memory) {
  const uint16_t *begin = memory.groups.begin, *order = memory.groups.order;
  const V* from = fold.values + tile;
  __syncthreads(); // the order, and what lies where the values go
  if constexpr (sizeof(V) <= sizeof(double)) {
    V* copy = reinterpret_cast<V*>(memory.groups.values);
#pragma unroll
    for (int n = 0; n < each_of_fold; ++n)
      if (const int p = threadIdx.x + n * threads_of_fold; p < left) copy[p] = from[p];
    from = copy;
    __syncthreads();
  }
#pragma unroll 1
  for (int first = 0; first < groups; first += threads_of_fold) {
    const int g = thread_of_group(first, groups);
    const int start = g < groups ? begin[g] : 0, end = g < groups ? begin[g + 1] : 0;
    const bool is_many = end - start > few_points;
    R all = fold.of_row(from, order, start, is_many ? start : end, 1);
    for (unsigned many = __ballot_sync(0xffffffffu, is_many); many != 0; many &= many - 1) {
      const int owner = __ffs(int(many)) - 1;
      const R sum = fold.by_warp(from, order, __shfl_sync(0xffffffffu, start, owner),
                                 __shfl_sync(0xffffffffu, end, owner));
      if (int(threadIdx.x % 32) == owner) all = sum;
    }
    if (g < groups) fold.store(all, int64_t(part) * groups + g, is_first);
  }
}

// to[part][group]: folds of the group's points in the tiles of a part, which is a block's; sizes: how many these are.
// apart: whether the masks are, without which nothing else is of use.
template <class M, class T, class F>
__global__ void __launch_bounds__(threads_of_fold, 2)
    fold_tiles(const T* __restrict__ points, int count, int parts, M masks, bool* __restrict__ apart,
               int* __restrict__ sizes, F folds) {
  __shared__ MemoryOfTile<T> memory;
  const int groups = masks.groups;
  for (int part = blockIdx.x; part < parts; part += gridDim.x)
    for (int tile = part * points_of_fold; tile < count; tile += parts * points_of_fold) {
      const bool is_first = tile == part * points_of_fold;
      int key[each_of_fold];
      const bool are_apart = find_in_tile(points + tile, count - tile, masks, memory, key);
      if (part == 0 && threadIdx.x == 0) *apart = are_apart;
      if (!are_apart) return;
      order_tile(key, groups, memory);
      const uint16_t* begin = memory.groups.begin;
      for (int g = threadIdx.x; sizes != nullptr && g < groups; g += threads_of_fold) {
        int& size = sizes[int64_t(part) * groups + g];
        size = (is_first ? 0 : size) + begin[g + 1] - begin[g];
      }
      folds.each(
          [&](const auto& fold) { fold_tile(fold, tile, count - tile, groups, part, is_first, memory); });
      __syncthreads(); // the next tile's edges go there
    }
}

// The same of groups whose points are in a row in `order`, by a warp each.
template <class F>
__global__ void __launch_bounds__(256)
    fold_sorted(const int* __restrict__ start, const int* __restrict__ order, int groups,
                const bool* __restrict__ apart, int* __restrict__ sizes, F folds) {
  if (!*apart) return;
  const int lane = threadIdx.x % 32;
  for (int g = int(blockIdx.x * blockDim.x + threadIdx.x) / 32; g < groups;
       g += int(gridDim.x * blockDim.x) / 32) {
    const int first = start[g], end = start[g + 1];
    folds.each([&](const auto& fold) {
      const auto all = fold.by_warp(fold.values, order, first, end);
      if (lane == 0) fold.store(all, g, true);
    });
    if (lane == 0 && sizes != nullptr) sizes[g] = end - first;
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
