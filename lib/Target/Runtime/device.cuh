//===- device.cuh - warp and block folds, atomic updates -----------------------------------------------===//
#pragma once
#include "operators.h"
#include <cooperative_groups.h>

//@ Known
// A bool that the compiler knows: `f(Known<true>{})`.
template <bool known> struct Known { static constexpr bool value = known; };

//@ wait_for_previous_kernel
// A kernel may be started before the one before it in the stream has ended; what that one wrote is there after this.
__device__ inline void wait_for_previous_kernel() {
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 900
  cudaGridDependencySynchronize();
#endif
}

//@ rounded_product : Same
// a * b, rounded before anything is done with it: no sum of a later step makes one operation of both.
template <class T> __device__ T rounded_product(T a, Same<T> b) {
  if constexpr (std::is_same_v<T, float>)
    return __fmul_rn(a, b);
  else
    return __dmul_rn(a, b);
}

//@ from_partner
// What the lane has whose number differs in the bit `distance`; `lanes` of the warp take part. T is moved in 32-bit words.
template <class T> __device__ T from_partner(T value, int distance, unsigned lanes = 0xffffffffu) {
  uint32_t words[(sizeof(T) + 3) / 4] = {};
  memcpy(words, &value, sizeof(T));
  for (uint32_t& word : words) word = __shfl_xor_sync(lanes, word, distance);
  memcpy(&value, words, sizeof(T));
  return value;
}

//@ from_lane
// What another lane of the warp has. T is moved in 32-bit words.
template <class T> __device__ T from_lane(T value, int lane) {
  uint32_t words[(sizeof(T) + 3) / 4] = {};
  memcpy(words, &value, sizeof(T));
  for (uint32_t& word : words) word = __shfl_sync(0xffffffffu, word, lane);
  memcpy(&value, words, sizeof(T));
  return value;
}

//@ warp_reduce : from_partner
// Every lane gets the fold of all 32 lanes' values, always in the same order.
template <class Op, class T> __device__ T warp_reduce(T value) {
  for (int distance = 16; distance > 0; distance /= 2)
    value = Op::combine(value, from_partner(value, distance));
  return value;
}

//@ block_reduce : warp_reduce from_lane
// Every thread of the block gets the fold of all threads' values, always in the same order. A barrier stands
// between two folds of the same Op, part and T: that of a fold of another part will do.
template <class Op, int part = 0, class T> __device__ T block_reduce(T value) {
  __shared__ T partial[32];
  const unsigned thread = threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z);
  const unsigned warps = (blockDim.x * blockDim.y * blockDim.z + 31) / 32;
  value = warp_reduce<Op>(value);
  if (thread % 32 == 0) partial[thread / 32] = value;
  __syncthreads();
  const unsigned lane = thread % 32; // each warp folds what there is of all
  value = partial[lane < warps ? lane : 0];
  for (unsigned distance = 16; distance > 0; distance /= 2) {
    const T other = from_partner(value, distance);
    if (lane < warps && (lane ^ distance) < warps) value = Op::combine(value, other);
  }
  return from_lane(value, 0);
}

//@ fold_lanes
// `value` folded with element(i) of every lanes-th i from begin + lane to end.
template <class Op, class T, class Index, class Lanes, class Element>
__device__ T fold_lanes(T value, Index begin, Index end, unsigned lane, Lanes lanes, const Element& element) {
  for (Index i = begin + Index(lane); i < end; i += lanes) value = Op::combine(value, T(element(i)));
  return value;
}

//@ block_fold_of : block_reduce fold_lanes
// Every thread of the block gets the fold of `start`, which leaves all as they are, and element(i) for i from `begin` to `end`,
// as block_reduce has it of each lane's own.
template <class Op, int part = 0, class T, class Index, class Element>
__device__ T block_fold_of(T start, Index begin, std::common_type_t<Index> end, const Element& element) {
  return block_reduce<Op, part>(fold_lanes<Op>(start, begin, Index(end), threadIdx.x, blockDim.x, element));
}
template <class Op, int part = 0, class T, class Index, class Element>
__device__ T block_fold_of(T start, Index end, const Element& element) {
  return block_fold_of<Op, part>(start, Index(0), end, element);
}

//@ block_fold : block_fold_of
// Likewise of the first `count` elements of a row.
template <class Op, int part = 0, class T, class Index>
__device__ T block_fold(const T* row, Index count, std::common_type_t<T> start = T()) {
  return block_fold_of<Op, part>(start, count, [&](Index i) { return row[i]; });
}

//@ chunk_fold_of : block_fold_of minimum
// Likewise of chunk c of `count`, each of which has `chunk`.
template <class Op, int part = 0, class T, class Chunk, class Index, class Element>
__device__ T chunk_fold_of(T start, Chunk c, std::common_type_t<Index> chunk, Index count,
                           const Element& element) {
  const Index begin = Index(c) * chunk;
  return block_fold_of<Op, part>(start, begin, minimum(begin + chunk, count), element);
}

//@ chunk_fold : chunk_fold_of
template <class Op, int part = 0, class T, class Chunk, class Index>
__device__ T chunk_fold(const T* row, Chunk c, std::common_type_t<Index> chunk, Index count,
                        std::common_type_t<T> start = T()) {
  return chunk_fold_of<Op, part>(start, c, chunk, count, [&](Index i) { return row[i]; });
}

//@ warp_fold_of : warp_reduce fold_lanes
// Likewise of the lanes of a warp.
template <class Op, class T, class Index, class Element>
__device__ T warp_fold_of(T start, Index begin, std::common_type_t<Index> end, const Element& element) {
  return warp_reduce<Op>(fold_lanes<Op>(start, begin, Index(end), threadIdx.x % 32, 32, element));
}
template <class Op, class T, class Index, class Element>
__device__ T warp_fold_of(T start, Index end, const Element& element) {
  return warp_fold_of<Op>(start, Index(0), end, element);
}

//@ warp_fold : warp_fold_of
template <class Op, class T, class Index>
__device__ T warp_fold(const T* row, Index count, std::common_type_t<T> start = T()) {
  return warp_fold_of<Op>(start, count, [&](Index i) { return row[i]; });
}

//@ group_lanes
// The threads of this thread's group, those of the block that have its threadIdx.y, in its warp: all 32, or as many as
// blockDim.x, a power of two.
__device__ inline unsigned group_lanes() {
  const unsigned lane = (threadIdx.x + blockDim.x * threadIdx.y) % 32;
  return blockDim.x >= 32 ? 0xffffffffu : ((1u << blockDim.x) - 1) << lane / blockDim.x * blockDim.x;
}

//@ group_barrier : group_lanes
// A barrier of the threads of each group.
__device__ inline void group_barrier() {
  if (blockDim.x > 32)
    __syncthreads();
  else
    __syncwarp(group_lanes());
}

//@ group_reduce : group_lanes from_partner
// Every thread of a group gets the fold of all its threads' values, always in the same order. A barrier of a
// group that is a block stands between two folds of the same Op, part and T.
template <class Op, int part = 0, class T> __device__ T group_reduce(T value) {
  const unsigned lanes = group_lanes();
  for (unsigned distance = (blockDim.x < 32 ? blockDim.x : 32) / 2; distance > 0; distance /= 2)
    value = Op::combine(value, from_partner(value, distance, lanes));
  if (blockDim.x <= 32) {
    __syncwarp(lanes); // a barrier, as that of a block
    return value;
  }
  __shared__ T partial[32];
  if (threadIdx.x % 32 == 0) partial[threadIdx.x / 32] = value;
  __syncthreads();
  value = partial[0];
  for (unsigned warp = 1; warp < blockDim.x / 32; ++warp) value = Op::combine(value, partial[warp]);
  return value;
}

//@ group_fold_of : group_reduce fold_lanes
// Every thread of a group gets the fold of `start`, which leaves all as they are, and element(i) for i from `begin` to `end`,
// as group_reduce has it of each lane's own.
template <class Op, int part = 0, class T, class Index, class Element>
__device__ T group_fold_of(T start, Index begin, std::common_type_t<Index> end, const Element& element) {
  return group_reduce<Op, part>(fold_lanes<Op>(start, begin, Index(end), threadIdx.x, blockDim.x, element));
}
template <class Op, int part = 0, class T, class Index, class Element>
__device__ T group_fold_of(T start, Index end, const Element& element) {
  return group_fold_of<Op, part>(start, Index(0), end, element);
}

//@ group_fold : group_fold_of
template <class Op, int part = 0, class T, class Index>
__device__ T group_fold(const T* row, Index count, std::common_type_t<T> start = T()) {
  return group_fold_of<Op, part>(start, count, [&](Index i) { return row[i]; });
}

//@ group_reduce_apart : group_reduce
// The same behind a barrier, where it may follow another one of its kind.
template <class Op, int part = 0, class T> __device__ T group_reduce_apart(T value) {
  if (blockDim.x > 32) __syncthreads(); // lanes of one warp share no memory in a fold
  return group_reduce<Op, part>(value);
}

//@ group_fold_apart_of : group_reduce_apart fold_lanes
// The same behind a barrier, where it may follow another one of its kind.
template <class Op, int part = 0, class T, class Index, class Element>
__device__ T group_fold_apart_of(T start, Index begin, std::common_type_t<Index> end,
                                 const Element& element) {
  return group_reduce_apart<Op, part>(
      fold_lanes<Op>(start, begin, Index(end), threadIdx.x, blockDim.x, element));
}
template <class Op, int part = 0, class T, class Index, class Element>
__device__ T group_fold_apart_of(T start, Index end, const Element& element) {
  return group_fold_apart_of<Op, part>(start, Index(0), end, element);
}

//@ group_fold_apart : group_fold_apart_of
template <class Op, int part = 0, class T, class Index>
__device__ T group_fold_apart(const T* row, Index count, std::common_type_t<T> start = T()) {
  return group_fold_apart_of<Op, part>(start, count, [&](Index i) { return row[i]; });
}

//@ cluster_barrier
// A barrier of all threads of a launch of one block, or of one cluster of blocks (which older devices lack): each
// sees what the others wrote to memory before it.
__device__ inline void cluster_barrier() {
  if (gridDim.x == 1) {
    __syncthreads();
    return;
  }
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 900
  __cluster_barrier_arrive();
  __cluster_barrier_wait();
#endif
}

//@ post_step
// Says that this block has done the step: what its threads wrote before is there for blocks that wait for it.
__device__ inline void post_step(int64_t* progress, int64_t step) {
  __syncthreads();
  if (threadIdx.x == 0)
    asm volatile("st.release.gpu.global.s64 [%0], %1;" ::"l"(progress), "l"(step) : "memory");
}

//@ wait_for_step
// Waits until a block, which runs at the same time, has done the step.
__device__ inline void wait_for_step(const int64_t* progress, int64_t step) {
  if (threadIdx.x == 0) {
    int64_t done;
    asm volatile("ld.acquire.gpu.global.s64 %0, [%1];" : "=l"(done) : "l"(progress) : "memory");
    while (done < step) { // which leaves other blocks their caches until it is done
      do {
        asm volatile("ld.relaxed.gpu.global.s64 %0, [%1];" : "=l"(done) : "l"(progress) : "memory");
      } while (done < step);
      asm volatile("ld.acquire.gpu.global.s64 %0, [%1];" : "=l"(done) : "l"(progress) : "memory");
    }
  }
  __syncthreads();
}

//@ OnChip
// Gives out the block's shared memory that the launch has asked for.
class OnChip {
  int64_t used_ = 0;

public:
  template <class T> __device__ T* take(int64_t count) {
    extern __shared__ int4 memory[];
    T* part = reinterpret_cast<T*>(memory + used_);
    used_ += (count * int64_t(sizeof(T)) + 15) / 16;
    return part;
  }
};

//@ shared_of_launch
// The block's shared memory whose size the launch says.
template <class T> __device__ T* shared_of_launch() {
  extern __shared__ int4 memory[];
  return reinterpret_cast<T*>(memory);
}

//@ grid_barrier
// All threads of a launch_cooperative wait here for each other.
__device__ inline void grid_barrier() { cooperative_groups::this_grid().sync(); }

//@ print_here
// What the thread prints comes when the host next waits for the device.
template <class... Numbers> __device__ void print_here(const char* format, Numbers... numbers) {
  printf(format, numbers...);
}

//@ count_ones
// How many bits are set.
template <class T> __host__ __device__ T count_ones(T x) {
  const std::make_unsigned_t<T> bits = x;
#ifdef __CUDA_ARCH__
  return T(sizeof(T) > 4 ? __popcll(bits) : __popc(unsigned(bits)));
#else
  return T(__builtin_popcountll(bits));
#endif
}

//@ leading_zeros
// How many zeros come before the first bit that is set; all bits where none is.
template <class T> __host__ __device__ T leading_zeros(T x) {
  constexpr int width = 8 * sizeof(T);
  const std::make_unsigned_t<T> bits = x;
#ifdef __CUDA_ARCH__
  return T(sizeof(T) > 4 ? __clzll(bits) : __clz(unsigned(bits)) - (32 - width));
#else
  return T(bits == 0 ? width : __builtin_clzll(bits) - (64 - width));
#endif
}

//@ reverse_bits
// The bits in the other order.
template <class T> __host__ __device__ T reverse_bits(T x) {
  constexpr int width = 8 * sizeof(T);
  const std::make_unsigned_t<T> bits = x;
#ifdef __CUDA_ARCH__
  return T(sizeof(T) > 4 ? __brevll(bits) : __brev(unsigned(bits)) >> (sizeof(T) > 4 ? 0 : 32 - width));
#else
  std::make_unsigned_t<T> turned = 0;
  for (int k = 0; k < width; ++k) turned |= std::make_unsigned_t<T>((bits >> k & 1u) << (width - 1 - k));
  return T(turned);
#endif
}

//@ Vector
// Elements side by side that a thread loads or stores at once; they begin at a multiple of their size.
template <class T, int n> struct alignas(n * sizeof(T)) Vector {
  T element[n];
  __device__ T& operator[](int i) { return element[i]; }
  __device__ const T& operator[](int i) const { return element[i]; }
};

//@ load_vector : Vector
template <int n, class T> __device__ Vector<T, n> load_vector(const T* from) {
  return *reinterpret_cast<const Vector<T, n>*>(from);
}

//@ store_vector : Vector
template <class T, int n> __device__ void store_vector(T* to, const Vector<T, n>& vector) {
  *reinterpret_cast<Vector<T, n>*>(to) = vector;
}

//@ atomic_update
// *address = Op(*address, value), indivisibly. Types of one or two bytes go through the 32-bit word around
// them.
template <class Op, class T> __device__ void atomic_update(T* address, T value) {
  using Word = std::conditional_t<sizeof(T) == 8, unsigned long long, unsigned>;
  const size_t offset = reinterpret_cast<size_t>(address) % sizeof(Word);
  Word* word = reinterpret_cast<Word*>(reinterpret_cast<char*>(address) - offset);
  // The first look is atomic too: others may be at it.
  for (Word seen = atomicCAS(word, Word(0), Word(0)), expected = seen + 1; seen != expected;) {
    T old;
    memcpy(&old, reinterpret_cast<char*>(&seen) + offset, sizeof(T));
    old = Op::combine(old, value);
    Word wanted = seen;
    memcpy(reinterpret_cast<char*>(&wanted) + offset, &old, sizeof(T));
    expected = seen;
    seen = atomicCAS(word, expected, wanted);
  }
}

//@ locked_update
// *address = Op(*address, value), indivisibly, for types larger than the hardware can exchange.
__device__ int update_lock = 0;
template <class Op, class T> __device__ void locked_update(Complex<T>* address, Complex<T> value) {
  for (bool done = false; !done;) {
    if (atomicCAS(&update_lock, 0, 1) != 0) continue;
    __threadfence();
    volatile Complex<T>* shared = address;
    const Complex<T> updated = Op::combine(Complex<T>{shared->re, shared->im}, value);
    shared->re = updated.re;
    shared->im = updated.im;
    __threadfence();
    atomicExch(&update_lock, 0);
    done = true;
  }
}

//@ atomic_sum : Same
// For types of 4 and 8 bytes.
template <class T> __device__ void atomic_sum(T* address, Same<T> value) {
  using Unsigned = std::conditional_t<sizeof(T) == 4, unsigned, unsigned long long>;
  using Native = std::conditional_t<std::is_floating_point_v<T>, T, Unsigned>; // as which CUDA adds a T
  atomicAdd(reinterpret_cast<Native*>(address), Native(value));
}

//@ complex_atomic_sum : Complex
// The parts are independent of each other, so each may be added by itself.
template <class T> __device__ void complex_atomic_sum(Complex<T>* address, Complex<T> value) {
  atomicAdd(&address->re, value.re);
  atomicAdd(&address->im, value.im);
}

//@ NativeInteger
// The type under which CUDA's integer atomics know a T of 4 or 8 bytes.
template <class T>
using NativeInteger =
    std::conditional_t<sizeof(T) == 4, std::conditional_t<std::is_signed_v<T>, int, unsigned>,
                       std::conditional_t<std::is_signed_v<T>, long long, unsigned long long>>;

//@ atomic_min : NativeInteger Same
template <class T> __device__ void atomic_min(T* address, Same<T> value) {
  atomicMin(reinterpret_cast<NativeInteger<T>*>(address), NativeInteger<T>(value));
}

//@ atomic_max : NativeInteger Same
template <class T> __device__ void atomic_max(T* address, Same<T> value) {
  atomicMax(reinterpret_cast<NativeInteger<T>*>(address), NativeInteger<T>(value));
}
