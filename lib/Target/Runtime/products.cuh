//===- products.cuh - matrix products by tiles in shared memory ----------------------------------------===//
#pragma once
#include "products.h"
#include <cuda_pipeline_primitives.h>

//@ tensor_multiply has_tensor_cores
// Whether tensor cores multiply numbers of type T, 16 x 8 at a time.
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 900
template <class T> constexpr bool has_tensor_cores = std::is_same_v<T, double>;
#else
template <class T> constexpr bool has_tensor_cores = false;
#endif

// Adds 8 points of a sum to a warp's 16 x 8 elements of a product. Lane 4 * r + s has of the product, in two rows
// 8 apart (low, high), columns 2 * s and 2 * s + 1; of the operands, points s and s + 4 of rows r and r + 8, and
// of column r.
template <class T>
__device__ void tensor_multiply(T* low, T* high, const T* low_left, const T* high_left, const T* right) {
  if constexpr (has_tensor_cores<T>)
    asm volatile("mma.sync.aligned.m16n8k8.row.col.f64.f64.f64.f64 "
                 "{%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};"
                 : "+d"(low[0]), "+d"(low[1]), "+d"(high[0]), "+d"(high[1])
                 : "d"(low_left[0]), "d"(high_left[0]), "d"(low_left[1]), "d"(high_left[1]), "d"(right[0]),
                   "d"(right[1]));
}

//@ copy_on_chip
// to = from, done when __pipeline_wait_prior() says so.
template <class T> __device__ void copy_on_chip(T* to, const T* from) {
  if constexpr (sizeof(T) == 4 || sizeof(T) == 8)
    __pipeline_memcpy_async(to, from, sizeof(T));
  else
    *to = *from;
}

//@ multiply multiply_tiles : Matrix Limits Update OfTerms Sum Prod minimum tensor_multiply copy_on_chip
// c = alpha * a @ b + beta * c. A block of 128 threads makes 64 x 64 elements, a warp 32 x 32 of them, and goes
// along the sum in steps of 8. While it adds up one step, the next ones are on their way to shared memory.
template <class T, int limit_count>
__global__ void __launch_bounds__(128)
    multiply_tiles(int64_t rows, int64_t columns, int64_t inner, T alpha, Matrix<const T> a,
                   Matrix<const T> b, T beta, Matrix<T> c, Limits<limit_count> limits, Target use,
                   bool of_terms) {
  constexpr int tile = 64, depth = 8;
  constexpr int pitch = tile + 4; // 4 lines side by side are in different banks
  constexpr int stages = sizeof(T) <= 8 ? 5 : 2, stage_size = 2 * depth * pitch;
  __shared__ __align__(16) T lines[stages][2 * depth][pitch]; // of a, then of b; a line is a point of the sum
  const int64_t tiles_across = (columns + tile - 1) / tile, last = (rows - 1) / tile;
  // Rows of tiles with the longest sums come first, so that none of them is left for the end.
  const auto points_of_row = [&](int64_t row) {
    const Range range = limits.adds_range(row * tile, 0, tile, inner, true);
    return range.end - range.first;
  };
  const bool downward = points_of_row(0) >= points_of_row(last);
  const int64_t tile_row = blockIdx.x / tiles_across;
  const int64_t i0 = (downward ? tile_row : last - tile_row) * tile, j0 = blockIdx.x % tiles_across * tile;
  if (!limits.stores_somewhere(i0, j0, tile)) return;

  // Neighbouring threads load neighbours in memory: 4 a line where lines go along the sum. What is beyond an
  // edge is the edge again, and not stored in the end.
  const int height = rows - i0 < tile ? rows - i0 : tile, width = columns - j0 < tile ? columns - j0 : tile;
  const int thread = threadIdx.x;
  const bool a_along = a.column == 1, b_along = b.column == 1;
  const int inward = thread % 4 + thread / 16 % 2 * 4, outward = thread / 4 % 4 + thread / 32 * 4;
  const int a_k = a_along ? inward : thread / tile, b_k = b_along ? thread / tile : inward;
  const int a_i = a_along ? outward : thread % tile, b_j = b_along ? thread % tile : outward;
  const int a_deeper = a_along ? 0 : 2, b_deeper = b_along ? 2 : 0;
  const int a_apart = a_along ? 16 : 2 * pitch, b_apart = b_along ? 2 * pitch : 16; // in shared memory
  const Range counted = limits.adds_range(i0, j0, tile, inner, true);
  // Where this thread's elements of the next step are, and where they go; a few additions a step keep both.
  const T *a_from[4], *b_from[4];
#pragma unroll
  for (int n = 0; n < 4; ++n) {
    const int i = a_i + (a_along ? 16 * n : 0), j = b_j + (b_along ? 0 : 16 * n);
    a_from[n] = &a.at(i0 + (i < height ? i : height - 1), counted.first + a_k + a_deeper * n);
    b_from[n] = &b.at(counted.first + b_k + b_deeper * n, j0 + (j < width ? j : width - 1));
  }
  T *a_to = &lines[0][a_k][a_i], *b_to = &lines[0][depth + b_k][b_j];
  int64_t coming = counted.first;
  int filled = 0; // stage
  const auto load_next = [&] {
    const int points = coming < counted.end ? minimum(counted.end - coming, depth) : 0;
#pragma unroll
    for (int n = 0; n < 4; ++n) {
      if (a_k + a_deeper * n < points) copy_on_chip(a_to + n * a_apart, a_from[n]);
      if (b_k + b_deeper * n < points) copy_on_chip(b_to + n * b_apart, b_from[n]);
      a_from[n] += depth * a.column;
      b_from[n] += depth * b.row;
    }
    coming += depth;
    filled = filled == stages - 1 ? 0 : filled + 1;
    const int turn = filled > 0 ? stage_size : (1 - stages) * stage_size;
    a_to += turn, b_to += turn;
    __pipeline_commit();
  };

  // Of its warp's elements, from (top, left) on, a lane has rows r + 8 * m and columns 8 * (n / 2) + 2 * s + n % 2.
  constexpr int down = 4, across = 8;
  const int r = thread % 32 / 4, s = thread % 4, top = thread / 64 * 32, left = thread / 32 % 2 * 32;
  const auto row_of = [&](int m) { return 8 * m + r; };
  const auto column_of = [&](int n) { return n / 2 * 8 + 2 * s + n % 2; };
  T sum[down][across] = {};
  const auto add_points = [&](const T(*lines)[pitch]) {
    T a_here[down][2], b_here[across / 2][2];
#pragma unroll
    for (int m = 0; m < 2 * down; ++m) {
      a_here[m / 2][m % 2] = lines[s + m % 2 * 4][top + row_of(m / 2)];
      b_here[m / 2][m % 2] = lines[depth + s + m % 2 * 4][left + m / 2 * 8 + r];
    }
#pragma unroll
    for (int m = 0; m < down; m += 2)
#pragma unroll
      for (int n = 0; n < across; n += 2)
        tensor_multiply(&sum[m][n], &sum[m + 1][n], a_here[m], a_here[m + 1], b_here[n / 2]);
  };
  const auto add_point = [&](const T(*lines)[pitch], int k, auto row_counts, auto counts) {
    T b_here[across];
#pragma unroll
    for (int n = 0; n < across; ++n) b_here[n] = lines[depth + k][left + column_of(n)];
#pragma unroll
    for (int m = 0; m < down; ++m) {
      if (!row_counts(row_of(m))) continue;
      const T value = lines[k][top + row_of(m)], a_here = of_terms ? Prod::combine(alpha, value) : value;
#pragma unroll
      for (int n = 0; n < across; ++n)
        if (counts(row_of(m), column_of(n)))
          sum[m][n] = Sum::combine(sum[m][n], Prod::combine(a_here, b_here[n]));
    }
  };

  // Points that count for all of the tile are between those that have to be looked at.
  const Range whole = limits.adds_range(i0, j0, tile, inner, false);
  const bool by_row = limits.adds_by_row();
  const auto add_step = [&](const T(*lines)[pitch], int64_t k0, int points) {
    const bool by_tensor_cores = has_tensor_cores<T> && points == depth && !of_terms;
    bool all = k0 >= whole.first && k0 + points <= whole.end;
    if (all && by_tensor_cores) return add_points(lines);
    const auto near = limits.from(i0 + top, j0 + left, k0);
    if (!all) {
      if (!near.adds_in(32, 32, points, true)) return;
      all = near.adds_in(32, 32, points, false);
      if (all && by_tensor_cores) return add_points(lines);
    }
    const auto every = [](int, int) { return true; };
    for (int k = 0; k < points; ++k)
      if (all || by_row)
        add_point(
            lines, k, [&](int i) { return all || near.adds(i, 0, k); }, every);
      else
        add_point(
            lines, k, [](int) { return true; }, [&](int i, int j) { return near.adds(i, j, k); });
  };
#pragma unroll 1
  for (int stage = 0; stage < stages - 1; ++stage) load_next();
  int stage = 0;
#pragma unroll 1
  for (int64_t k0 = counted.first; k0 < counted.end; k0 += depth) {
    __pipeline_wait_prior(stages - 2);
    __syncthreads(); // the step is on chip, and the one before has been added
    add_step(lines[stage], k0, minimum(counted.end - k0, depth));
    load_next();
    stage = stage == stages - 1 ? 0 : stage + 1;
  }
#pragma unroll
  for (int m = 0; m < down; ++m)
#pragma unroll
    for (int n = 0; n < across; ++n) {
      const int64_t i = i0 + top + row_of(m), j = j0 + left + column_of(n);
      if (i >= rows || j >= columns || !limits.stores(i, j)) continue;
      T value = of_terms ? sum[m][n] : Prod::combine(alpha, sum[m][n]);
      if (use == Update) value = Sum::combine(value, Prod::combine(beta, c.at(i, j)));
      c.at(i, j) = value;
    }
}

template <Target use, class T, Scale scale = OfTerms, int limit_count>
void multiply(int64_t rows, int64_t columns, int64_t inner, T alpha, Matrix<const T> a, Matrix<const T> b,
              T beta, Matrix<T> c, Limits<limit_count> limits, cudaStream_t stream) {
  if (rows <= 0 || columns <= 0) return;
  const int64_t tiles = (rows + 63) / 64 * ((columns + 63) / 64);
  // A factor that is no number belongs to each term: a sum of nothing is 0.
  const bool of_terms = scale == OfTerms && !(alpha - alpha == 0);
  multiply_tiles<T, limit_count><<<unsigned(tiles), 128, 0, stream>>>(rows, columns, inner, alpha, a, b, beta,
                                                                      c, limits, use, of_terms);
}

//@ multiply_elements : Matrix Limits Update OfTerms Sum Prod
// Likewise, a thread an element: for what is rare.
template <Target use, class T, Scale scale, int limit_count>
__global__ void multiply_elements(int64_t rows, int64_t columns, int64_t inner, T alpha, Matrix<const T> a,
                                  Matrix<const T> b, T beta, Matrix<T> c, Limits<limit_count> limits) {
  const int64_t threads = int64_t(gridDim.x) * blockDim.x;
  for (int64_t n = int64_t(blockIdx.x) * blockDim.x + threadIdx.x; n < rows * columns; n += threads) {
    const int64_t i = n / columns, j = n % columns;
    if (!limits.stores(i, j)) continue;
    T sum = {};
    for (int64_t k = 0; k < inner; ++k) {
      const T term = Prod::combine(a.at(i, k), b.at(k, j));
      if (limits.adds(i, j, k)) sum = Sum::combine(sum, scale == OfTerms ? Prod::combine(alpha, term) : term);
    }
    if (scale == OfSum) sum = Prod::combine(alpha, sum);
    c.at(i, j) = use == Update ? Sum::combine(sum, Prod::combine(beta, c.at(i, j))) : sum;
  }
}
