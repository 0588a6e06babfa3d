//===- products_cpu.h - matrix products by tiles in the caches -----------------------------------------===//
#pragma once
#include "products.h"

//@ multiply : Matrix Limits Update OfTerms Sum Prod
// c = alpha * a @ b + beta * c. A thread makes a tile of c at a time and goes along the sum in steps, whose
// part of b it copies, so that it stays in the cache.
template <Target use, class T, Scale scale = OfTerms, int limit_count>
void multiply(int64_t rows, int64_t columns, int64_t inner, T alpha, Matrix<const T> a, Matrix<const T> b,
              T beta, Matrix<T> c, Limits<limit_count> limits) {
  constexpr int tile = 64, depth = 64;
#pragma omp parallel for collapse(2) schedule(dynamic) if (double(rows) * columns * inner > 32768)
  for (int64_t i0 = 0; i0 < rows; i0 += tile)
    for (int64_t j0 = 0; j0 < columns; j0 += tile) {
      if (!limits.stores_somewhere(i0, j0, tile)) continue;
      const int down = int(rows - i0 < tile ? rows - i0 : tile),
                across = int(columns - j0 < tile ? columns - j0 : tile);
      T sum[tile][tile] = {}, b_step[depth][tile] = {};
      const Range counted = limits.adds_range(i0, j0, tile, inner, true),
                  whole = limits.adds_range(i0, j0, tile, inner, false);
      for (int64_t k0 = counted.first; k0 < counted.end; k0 += depth) {
        const int steps = int(counted.end - k0 < depth ? counted.end - k0 : depth);
        const bool all = whole.first <= k0 && k0 + steps <= whole.end;
        for (int k = 0; k < steps; ++k)
          for (int j = 0; j < across; ++j) b_step[k][j] = b.at(k0 + k, j0 + j);
        for (int i = 0; i < down; ++i)
          for (int k = 0; k < steps; ++k) {
            T left = a.at(i0 + i, k0 + k);
            if (scale == OfTerms) left = Prod::combine(alpha, left);
            for (int j = 0; j < tile; ++j)
              if (all || limits.adds(i0 + i, j0 + j, k0 + k))
                sum[i][j] = Sum::combine(sum[i][j], Prod::combine(left, b_step[k][j]));
          }
      }
      for (int i = 0; i < down; ++i)
        for (int j = 0; j < across; ++j) {
          if (!limits.stores(i0 + i, j0 + j)) continue;
          T value = sum[i][j];
          if (scale == OfSum) value = Prod::combine(alpha, value);
          if (use == Update) value = Sum::combine(value, Prod::combine(beta, c.at(i0 + i, j0 + j)));
          c.at(i0 + i, j0 + j) = value;
        }
    }
}
