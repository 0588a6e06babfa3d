//===- products.cuh - matrix products by tiles in shared memory ----------------------------------------===//
#pragma once
#include "products.h"

//@ multiply multiply_tiles : Matrix Limits Update OfTerms Sum Prod
// c = alpha * a @ b + beta * c. A block of 128 threads makes 64 x 64 elements, 8 x 4 a thread, and goes along
// the sum in steps of 16. While it adds up one step, the next one is on its way to registers.
template <Target use, class T, Scale scale, int limit_count>
__global__ void __launch_bounds__(128)
    multiply_tiles(int64_t rows, int64_t columns, int64_t inner, T alpha, Matrix<const T> a,
                   Matrix<const T> b, T beta, Matrix<T> c, Limits<limit_count> limits) {
  constexpr int tile = 64, depth = 16, down = 8, across = 4;
  __shared__ T a_step[depth][tile + 1], b_step[depth][tile + 1];
  const int64_t tiles_across = (columns + tile - 1) / tile;
  const int64_t i0 = blockIdx.x / tiles_across * tile, j0 = blockIdx.x % tiles_across * tile;
  if (!limits.stores_somewhere(i0, j0, tile)) return;
  const int thread = threadIdx.x, x = thread % 16, y = thread / 16;
  // Neighbouring threads load neighbours in memory.
  const bool a_along = a.column == 1, b_along = b.column == 1;
  const int a_k = a_along ? x : thread / tile, a_i = a_along ? y : thread % tile;
  const int b_k = b_along ? thread / tile : x, b_j = b_along ? thread % tile : y;
  T a_next[8], b_next[8], sum[down][across] = {};
  const auto scaled = [&](T value) { return scale == OfTerms ? Prod::combine(alpha, value) : value; };
  const auto load = [&](int64_t k0) {
#pragma unroll
    for (int n = 0; n < 8; ++n) {
      const int64_t i = i0 + a_i + (a_along ? 8 * n : 0), ak = k0 + a_k + (a_along ? 0 : 2 * n);
      const int64_t j = j0 + b_j + (b_along ? 0 : 8 * n), bk = k0 + b_k + (b_along ? 2 * n : 0);
      a_next[n] = i < rows && ak < inner ? scaled(a.at(i, ak)) : T{};
      b_next[n] = j < columns && bk < inner ? b.at(bk, j) : T{};
    }
  };
  const auto next_step = [&](int64_t k0) {
    while (k0 < inner && !limits.adds_somewhere(i0, j0, k0, tile, depth)) k0 += depth;
    return k0;
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
  int64_t k0 = next_step(0);
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
    const bool all = limits.adds_everywhere(i0, j0, k_now, tile, depth);
    k0 = next_step(k0 + depth);
    if (k0 < inner) load(k0);
    if (all)
      add([](int, int, int) { return true; });
    else
      add([&](int r, int s, int k) { return limits.adds(i0 + y + 8 * r, j0 + x + 16 * s, k_now + k); });
  }
#pragma unroll
  for (int r = 0; r < down; ++r)
#pragma unroll
    for (int s = 0; s < across; ++s) {
      const int64_t i = i0 + y + 8 * r, j = j0 + x + 16 * s;
      if (i >= rows || j >= columns || !limits.stores(i, j)) continue;
      T value = sum[r][s];
      if (scale == OfSum) value = Prod::combine(alpha, value);
      if (use == Update) value = Sum::combine(value, Prod::combine(beta, c.at(i, j)));
      c.at(i, j) = value;
    }
}

template <Target use, class T, Scale scale = OfTerms, int limit_count>
void multiply(int64_t rows, int64_t columns, int64_t inner, T alpha, Matrix<const T> a, Matrix<const T> b,
              T beta, Matrix<T> c, Limits<limit_count> limits, cudaStream_t stream) {
  const int64_t tiles = (rows + 63) / 64 * ((columns + 63) / 64);
  if (rows > 0 && columns > 0)
    multiply_tiles<use, T, scale, limit_count>
        <<<unsigned(tiles), 128, 0, stream>>>(rows, columns, inner, alpha, a, b, beta, c, limits);
}
