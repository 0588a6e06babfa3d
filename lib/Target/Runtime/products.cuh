//===- products.cuh - matrix products by tiles in shared memory ----------------------------------------===//
#pragma once
#include "products.h"
#include <cuda_pipeline_primitives.h>
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
  template <int depth> __device__ void add(const T* a, const T* b) {
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

//@ copy_on_chip
// to = from, or zero where nothing is to be read; done when __pipeline_wait_prior() says so.
template <class T> __device__ void copy_on_chip(T* to, const T* from, bool exists) {
  if (!exists)
    *to = T{};
  else if constexpr (sizeof(T) == 4 || sizeof(T) == 8)
    __pipeline_memcpy_async(to, from, sizeof(T));
  else
    *to = *from;
}

//@ multiply multiply_tiles : Matrix Limits Update OfTerms Sum Prod TensorTile copy_on_chip
// c = alpha * a @ b + beta * c. A block of 128 threads makes 64 x 64 elements, 8 x 4 a thread, and goes along
// the sum in steps of 8. While it adds up one step, the next ones are on their way to shared memory.
template <Target use, class T, Scale scale, int limit_count>
__global__ void __launch_bounds__(128)
    multiply_tiles(int64_t rows, int64_t columns, int64_t inner, T alpha, Matrix<const T> a,
                   Matrix<const T> b, T beta, Matrix<T> c, Limits<limit_count> limits) {
  constexpr int tile = 64, depth = 8, down = 8, across = 4;
  constexpr int pitch = tile + 4; // 4 lines side by side are in different banks
  constexpr int stages = sizeof(T) <= 8 ? 5 : 2;
  __shared__ __align__(32) T lines[stages][2 * depth][pitch]; // of a, then of b
  const int64_t tiles_across = (columns + tile - 1) / tile;
  const int64_t i0 = blockIdx.x / tiles_across * tile, j0 = blockIdx.x % tiles_across * tile;
  if (!limits.stores_somewhere(i0, j0, tile)) return;
  const int thread = threadIdx.x, x = thread % 16, y = thread / 16;
  const int height = rows - i0 < tile ? rows - i0 : tile, width = columns - j0 < tile ? columns - j0 : tile;

  // Neighbouring threads load neighbours in memory: 4 a line where lines go along the sum.
  const bool a_along = a.column == 1, b_along = b.column == 1;
  const int inward = thread % 4 + thread / 16 % 2 * 4, outward = thread / 4 % 4 + thread / 32 * 4;
  const int a_k = a_along ? inward : thread / tile, a_i = a_along ? outward : thread % tile;
  const int b_k = b_along ? thread / tile : inward, b_j = b_along ? thread % tile : outward;
  const T* const a_from = &a.at(i0 + a_i, a_k);
  const T* const b_from = &b.at(b_k, j0 + b_j);
  const int64_t a_apart = a_along ? 16 * a.row : 2 * a.column, b_apart = b_along ? 2 * b.row : 16 * b.column;
  const auto load = [&](T(*to)[pitch], int64_t k0, int left) {
    const T *a_next = a_from + k0 * a.column, *b_next = b_from + k0 * b.row;
#pragma unroll
    for (int n = 0; n < 4; ++n) {
      const int ak = a_k + (a_along ? 0 : 2 * n), i = a_i + (a_along ? 16 * n : 0);
      const int bk = b_k + (b_along ? 2 * n : 0), j = b_j + (b_along ? 0 : 16 * n);
      copy_on_chip(&to[ak][i], a_next, i < height && ak < left);
      copy_on_chip(&to[depth + bk][j], b_next, j < width && bk < left);
      a_next += a_apart;
      b_next += b_apart;
    }
  };
  const auto each_step = [&](Range range, auto add_step) {
    int64_t coming = range.first;
    const auto load_next = [&](int stage) {
      if (coming < range.end)
        load(lines[stage], coming, range.end - coming < depth ? range.end - coming : depth);
      coming += depth;
      __pipeline_commit();
    };
    for (int stage = 0; stage < stages - 1; ++stage) load_next(stage);
    int stage = 0;
    for (int64_t k0 = range.first; k0 < range.end; k0 += depth) {
      __pipeline_wait_prior(stages - 2);
      __syncthreads(); // the step is on chip, and the one before has been added
      load_next(stage == 0 ? stages - 1 : stage - 1);
      add_step(lines[stage], lines[stage] + depth, k0);
      stage = stage == stages - 1 ? 0 : stage + 1;
    }
  };
  const auto free_lines = [] { __syncthreads(); }; // all have read what is in them

  // A factor that is no number belongs to each term, and must not meet what is beyond the operands' edges.
  const bool of_terms = scale == OfTerms && !(alpha - alpha == 0);
  const Range counted = limits.adds_range(i0, j0, tile, inner, true);
  const Range whole = of_terms ? Range{inner, inner} : limits.adds_range(i0, j0, tile, inner, false);

  T sum[down][across] = {};
  const auto all = [](auto...) { return true; };
  const auto add_line = [&](const T* a_line, const T* b_line, auto row_counts, auto counts) {
    T left[down], right[across];
#pragma unroll
    for (int r = 0; r < down; ++r)
      left[r] = of_terms ? Prod::combine(alpha, a_line[y + 8 * r]) : a_line[y + 8 * r];
#pragma unroll
    for (int s = 0; s < across; ++s) right[s] = b_line[x + 16 * s];
#pragma unroll
    for (int r = 0; r < down; ++r) {
      if (!row_counts(r)) continue;
#pragma unroll
      for (int s = 0; s < across; ++s)
        if (counts(r, s)) sum[r][s] = Sum::combine(sum[r][s], Prod::combine(left[r], right[s]));
    }
  };
  if constexpr (has_tensor_cores<T>) {
    TensorTile<T, pitch> part;
    const int part_i = thread / 64 * 32, part_j = thread / 32 % 2 * 32;
    each_step(whole, [&](auto a_lines, auto b_lines, int64_t) {
      part.template add<depth>(&a_lines[0][part_i], &b_lines[0][part_j]);
    });
    // The sums go to the threads that store them, by way of shared memory.
    static_assert(tile <= stages * 2 * depth);
    free_lines();
    part.store(&lines[0][0][0] + part_i * pitch + part_j);
    __syncthreads();
#pragma unroll
    for (int r = 0; r < down; ++r)
#pragma unroll
      for (int s = 0; s < across; ++s) sum[r][s] = (&lines[0][0][0])[(y + 8 * r) * pitch + x + 16 * s];
  } else {
    each_step(whole, [&](auto a_lines, auto b_lines, int64_t) {
#pragma unroll
      for (int k = 0; k < depth; ++k) add_line(a_lines[k], b_lines[k], all, all);
    });
  }
  if constexpr (limit_count > 0 || scale == OfTerms) {
    // Before and behind what counts whole, each term is looked at, or each row of terms.
    const bool by_row = limits.adds_by_row();
    const int64_t before = whole.first < counted.end ? whole.first : counted.end;
    for (int side = 0; side < 2; ++side) {
      const Range part = side == 0 ? Range{counted.first, before} : Range{whole.end, counted.end};
      if (part.first >= part.end) continue;
      free_lines();
      each_step(part, [&](auto a_lines, auto b_lines, int64_t k0) {
        const auto near = limits.from(i0, j0, k0);
        const auto row = [&](int r) { return y + 8 * r; };
        const int here = part.end - k0 < depth ? part.end - k0 : depth;
        if (by_row)
          for (int k = 0; k < here; ++k)
            add_line(
                a_lines[k], b_lines[k], [&](int r) { return near.adds(row(r), 0, k); }, all);
        else
          for (int k = 0; k < here; ++k)
            add_line(a_lines[k], b_lines[k], all,
                     [&](int r, int s) { return near.adds(row(r), x + 16 * s, k); });
      });
    }
  }
#pragma unroll
  for (int r = 0; r < down; ++r)
#pragma unroll
    for (int s = 0; s < across; ++s) {
      const int64_t i = i0 + y + 8 * r, j = j0 + x + 16 * s;
      if (i >= rows || j >= columns || !limits.stores(i, j)) continue;
      T value = of_terms ? sum[r][s] : Prod::combine(alpha, sum[r][s]);
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
