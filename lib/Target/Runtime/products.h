//===- products.h - matrices, and which points of their products count ---------------------------------===//
#pragma once
#include "operators.h"

//@ Matrix
// A matrix in memory: its element (i, j) is data[i * row + j * column].
template <class T> struct Matrix {
  T* data;
  int64_t row, column; // distances between neighbours
  APPY_DEVICE T& at(int64_t i, int64_t j) const { return data[i * row + j * column]; }
  APPY_DEVICE Matrix transposed() const { return {data, column, row}; }
};

//@ Limits Limit
// Holds at the points (i, j, k) with row * i + column * j + inner * k <= bound.
struct Limit {
  int row, column, inner;
  int64_t bound;
  template <class = void> APPY_DEVICE bool holds(int64_t i, int64_t j, int64_t k) const {
    return row * i + column * j + inner * k <= bound;
  }
  // At some, at all points from (i, j, k) on, of a box of so many. Templates, as few programs need both.
  template <class = void>
  APPY_DEVICE bool holds_somewhere(int64_t i, int64_t j, int64_t k, int extent, int depth) const {
    return holds(row < 0 ? i + extent - 1 : i, column < 0 ? j + extent - 1 : j,
                 inner < 0 ? k + depth - 1 : k);
  }
  template <class = void>
  APPY_DEVICE bool holds_everywhere(int64_t i, int64_t j, int64_t k, int extent, int depth) const {
    return holds(row > 0 ? i + extent - 1 : i, column > 0 ? j + extent - 1 : j,
                 inner > 0 ? k + depth - 1 : k);
  }
};

// Those that mention k say which points of the sum count, the others which elements of the target are stored.
template <int count> struct Limits {
  Limit all[count > 0 ? count : 1];
  template <class Holds> APPY_DEVICE bool each(bool of_sum, Holds holds) const {
    bool result = true;
    for (int n = 0; n < count; ++n) result = result && ((all[n].inner != 0) != of_sum || holds(all[n]));
    return result;
  }
  APPY_DEVICE bool stores(int64_t i, int64_t j) const {
    return each(false, [=](const Limit& l) { return l.holds(i, j, 0); });
  }
  APPY_DEVICE bool stores_somewhere(int64_t i, int64_t j, int extent) const {
    return each(false, [=](const Limit& l) { return l.holds_somewhere(i, j, 0, extent, 1); });
  }
  APPY_DEVICE bool adds(int64_t i, int64_t j, int64_t k) const {
    return each(true, [=](const Limit& l) { return l.holds(i, j, k); });
  }
  APPY_DEVICE bool adds_somewhere(int64_t i, int64_t j, int64_t k, int extent, int depth) const {
    return each(true, [=](const Limit& l) { return l.holds_somewhere(i, j, k, extent, depth); });
  }
  APPY_DEVICE bool adds_everywhere(int64_t i, int64_t j, int64_t k, int extent, int depth) const {
    return each(true, [=](const Limit& l) { return l.holds_everywhere(i, j, k, extent, depth); });
  }
};

//@ OfTerms OfSum Scale
// What a factor multiplies: all that is summed up, or the sum. A sum of nothing is 0; that times nan is nan.
enum Scale { OfTerms, OfSum };
//@ Update Overwrite Target
// What a product does to its target: beta * target is added, or the target is not read.
enum Target { Update, Overwrite };
