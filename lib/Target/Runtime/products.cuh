//===- products.cuh - matrix products by tiles in shared memory ----------------------------------------===//
#pragma once
#include "products.h"
#include <mma.h>

//@ TensorTile has_tensor_cores
// Whether tensor cores multiply numbers of type T.
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 800
template <class T> constexpr bool has_tensor_cores = std::is_same_v<T, double>;
#else
template <class T> constexpr bool has_tensor_cores = false;
#endif

// A warp's 32 x 32 elements of a product on tensor cores. Of the operands, each line of `pitch` numbers in
// shared memory belongs to one point of the sum.
template <class T, int pitch> struct TensorTile {
  template <class Use, class Layout> using Fragment = nvcuda::wmma::fragment<Use, 8, 8, 4, T, Layout>;
  nvcuda::wmma::fragment<nvcuda::wmma::accumulator, 8, 8, 4, T> sum[4][4];

  __device__ TensorTile() {
#pragma unroll
    for (int n = 0; n < 16; ++n) nvcuda::wmma::fill_fragment(sum[n / 4][n % 4], T{});
  }
  __device__ void add(const T* a, const T* b, int depth) {
#pragma unroll
    for (int k = 0; k < depth; k += 4) {
      Fragment<nvcuda::wmma::matrix_a, nvcuda::wmma::col_major> left[4];
      Fragment<nvcuda::wmma::matrix_b, nvcuda::wmma::row_major> right[4];
#pragma unroll
      for (int n = 0; n < 4; ++n) {
        nvcuda::wmma::load_matrix_sync(left[n], a + k * pitch + 8 * n, pitch);
        nvcuda::wmma::load_matrix_sync(right[n], b + k * pitch + 8 * n, pitch);
      }
#pragma unroll
      for (int n = 0; n < 16; ++n)
        nvcuda::wmma::mma_sync(sum[n / 4][n % 4], left[n / 4], right[n % 4], sum[n / 4][n % 4]);
    }
  }
  __device__ void store(T* to) const {
#pragma unroll
    for (int n = 0; n < 16; ++n)
      nvcuda::wmma::store_matrix_sync(to + n / 4 * 8 * pitch + n % 4 * 8, sum[n / 4][n % 4], pitch,
                                      nvcuda::wmma::mem_row_major);
  }
};

//@ multiply multiply_tiles : Matrix Limits Update Sum Prod TensorTile
// c = alpha * a @ b + beta * c. A block of 128 threads makes 64 x 64 elements, 8 x 4 a thread, and goes along
// the sum in steps of 16. While it adds up one step, the next one is on its way to registers.
template <Target use, class T, int limit_count>
__global__ void __launch_bounds__(128)
    multiply_tiles(int64_t rows, int64_t columns, int64_t inner, T alpha, Matrix<const T> a,
                   Matrix<const T> b, T beta, Matrix<T> c, Limits<limit_count> limits) {
  constexpr int tile = 64, depth = 16, down = 8, across = 4;
  constexpr int pitch = tile + 4; // 4 lines side by side are in different banks
  __shared__ __align__(32) T lines[2 * depth][pitch];
  T(*const a_step)[pitch] = lines;
  T(*const b_step)[pitch] = lines + depth;
  const int64_t tiles_across = (columns + tile - 1) / tile;
  const int64_t i0 = blockIdx.x / tiles_across * tile, j0 = blockIdx.x % tiles_across * tile;
  if (!limits.stores_somewhere(i0, j0, tile)) return;
  const int thread = threadIdx.x, x = thread % 16, y = thread / 16;
  // Neighbouring threads load neighbours in memory: 4 a line where lines go along the sum.
  const bool a_along = a.column == 1, b_along = b.column == 1;
  const int inward = thread % 4 + thread / 16 % 4 * 4, outward = thread / 4 % 4 + thread / 64 * 4;
  const int a_k = a_along ? inward : thread / tile, a_i = a_along ? outward : thread % tile;
  const int b_k = b_along ? thread / tile : inward, b_j = b_along ? thread % tile : outward;
  T a_next[8], b_next[8], sum[down][across] = {};
  const auto load = [&](int64_t k0) {
#pragma unroll
    for (int n = 0; n < 8; ++n) {
      const int64_t i = i0 + a_i + (a_along ? 8 * n : 0), ak = k0 + a_k + (a_along ? 0 : 2 * n);
      const int64_t j = j0 + b_j + (b_along ? 0 : 8 * n), bk = k0 + b_k + (b_along ? 2 * n : 0);
      a_next[n] = i < rows && ak < inner ? a.at(i, ak) : T{};
      b_next[n] = j < columns && bk < inner ? b.at(bk, j) : T{};
    }
  };
  // Brings the steps on chip, one after the other: either those that count `whole` or those that a limit crosses.
  const auto each_step = [&](bool whole, auto add_step) {
    const auto next = [&](int64_t k0) {
      while (k0 < inner && !(limits.adds_somewhere(i0, j0, k0, tile, depth) &&
                             limits.adds_everywhere(i0, j0, k0, tile, depth) == whole))
        k0 += depth;
      return k0;
    };
    int64_t k0 = next(0);
    if (k0 < inner) load(k0);
    while (k0 < inner) {
      __syncthreads(); // the step before has been added
#pragma unroll
      for (int n = 0; n < 8; ++n) {
        a_step[a_k + (a_along ? 0 : 2 * n)][a_i + (a_along ? 8 * n : 0)] = a_next[n];
        b_step[b_k + (b_along ? 2 * n : 0)][b_j + (b_along ? 0 : 8 * n)] = b_next[n];
      }
      __syncthreads();
      const int64_t k_now = k0;
      k0 = next(k0 + depth);
      if (k0 < inner) load(k0);
      add_step(k_now);
    }
  };
  const auto add = [&](auto counts) {
#pragma unroll
    for (int k = 0; k < depth; ++k) {
      T left[down], right[across];
#pragma unroll
      for (int r = 0; r < down; ++r) left[r] = a_step[k][y + 8 * r];
#pragma unroll
      for (int s = 0; s < across; ++s) right[s] = b_step[k][x + 16 * s];
#pragma unroll
      for (int r = 0; r < down; ++r)
#pragma unroll
        for (int s = 0; s < across; ++s)
          if (counts(r, s, k)) sum[r][s] = Sum::combine(sum[r][s], Prod::combine(left[r], right[s]));
    }
  };
  if constexpr (has_tensor_cores<T>) {
    TensorTile<T, pitch> part;
    const int part_i = thread / 64 * 32, part_j = thread / 32 % 2 * 32;
    each_step(true, [&](int64_t) { part.add(&a_step[0][part_i], &b_step[0][part_j], depth); });
    // The sums go to the threads that store them, by way of shared memory: 32 rows at a time.
#pragma unroll
    for (int half = 0; half < 2; ++half) {
      __syncthreads();
      if (thread / 64 == half) part.store(&lines[0][part_j]);
      __syncthreads();
#pragma unroll
      for (int r = 0; r < down / 2; ++r)
#pragma unroll
        for (int s = 0; s < across; ++s) sum[half * down / 2 + r][s] = lines[y + 8 * r][x + 16 * s];
    }
  } else {
    each_step(true, [&](int64_t) { add([](int, int, int) { return true; }); });
  }
  if constexpr (limit_count > 0)
    each_step(false, [&](int64_t k0) {
      add([&](int r, int s, int k) { return limits.adds(i0 + y + 8 * r, j0 + x + 16 * s, k0 + k); });
    });
#pragma unroll
  for (int r = 0; r < down; ++r)
#pragma unroll
    for (int s = 0; s < across; ++s) {
      const int64_t i = i0 + y + 8 * r, j = j0 + x + 16 * s;
      if (i >= rows || j >= columns || !limits.stores(i, j)) continue;
      T value = Prod::combine(alpha, sum[r][s]);
      if (use == Update) value = Sum::combine(value, Prod::combine(beta, c.at(i, j)));
      c.at(i, j) = value;
    }
}

template <Target use, class T, int limit_count>
void multiply(int64_t rows, int64_t columns, int64_t inner, T alpha, Matrix<const T> a, Matrix<const T> b,
              T beta, Matrix<T> c, Limits<limit_count> limits, cudaStream_t stream) {
  const int64_t tiles = (rows + 63) / 64 * ((columns + 63) / 64);
  if (rows > 0 && columns > 0)
    multiply_tiles<use, T, limit_count>
        <<<unsigned(tiles), 128, 0, stream>>>(rows, columns, inner, alpha, a, b, beta, c, limits);
}
