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

//@ Limits Limit Range
// Indices from `first` up to, not including, `end`.
struct Range {
  int64_t first, end;
};

// Holds at the points (i, j, k) with row * i + column * j + inner * k <= bound.
struct Limit {
  int row, column, inner;
  int64_t bound;
  template <class Int> APPY_DEVICE bool holds(Int i, Int j, Int k) const {
    return row * i + column * j + inner * k <= Int(bound);
  }
  // bound - row * i - column * j at the best (else: the worst) point of a tile from (i, j) on.
  template <class = void> APPY_DEVICE int64_t slack(int64_t i, int64_t j, int extent, bool best) const {
    return bound - row * ((row < 0) == best ? i + extent - 1 : i) -
           column * ((column < 0) == best ? j + extent - 1 : j);
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
    return each(false, [=](const Limit& l) { return l.holds(i, j, int64_t(0)); });
  }
  APPY_DEVICE bool stores_somewhere(int64_t i, int64_t j, int extent) const {
    return each(false, [=](const Limit& l) { return l.slack(i, j, extent, true) >= 0; });
  }
  template <class Int> APPY_DEVICE bool adds(Int i, Int j, Int k) const {
    return each(true, [=](const Limit& l) { return l.holds(i, j, k); });
  }
  // Whether somewhere (else: everywhere) in a box from (0, 0, 0) on a point counts.
  APPY_DEVICE bool adds_in(int rows, int columns, int points, bool somewhere) const {
    return each(true, [=](const Limit& l) {
      const auto extreme = [=](int factor, int extent) { return (factor < 0) == somewhere ? extent - 1 : 0; };
      return l.holds(extreme(l.row, rows), extreme(l.column, columns), extreme(l.inner, points));
    });
  }
  // Whether all of a row of the target adds the same points.
  APPY_DEVICE bool adds_by_row() const {
    return each(true, [](const Limit& l) { return l.column == 0; });
  }
  // The same limits for what is counted from (i, j, k) on, by numbers of 32 bits.
  APPY_DEVICE Limits from(int64_t i, int64_t j, int64_t k) const {
    constexpr int64_t most = 1 << 30;
    Limits result = *this;
    for (int n = 0; n < count; ++n) {
      const Limit& l = all[n];
      const int64_t left = l.bound - l.row * i - l.column * j - l.inner * k;
      result.all[n].bound = left > most ? most : left < -most ? -most : left;
    }
    return result;
  }
  // Of the `inner` points of the sum those that count somewhere (else: everywhere) in a tile from (i, j) on.
  APPY_DEVICE Range adds_range(int64_t i, int64_t j, int extent, int64_t inner, bool somewhere) const {
    Range range{0, inner};
    for (int n = 0; n < count; ++n) {
      if (all[n].inner == 0) continue;
      const int64_t slack = all[n].slack(i, j, extent, somewhere),
                    step = all[n].inner < 0 ? -all[n].inner : all[n].inner;
      const int64_t steps = slack / step - (slack % step < 0);
      if (all[n].inner > 0 && steps + 1 < range.end) range.end = steps + 1;
      if (all[n].inner < 0 && -steps > range.first) range.first = -steps;
    }
    return range.first < range.end ? range : Range{inner, inner};
  }
};

//@ OfTerms OfSum Scale
// What a factor multiplies: all that is summed up, or the sum. A sum of nothing is 0; that times nan is nan.
enum Scale { OfTerms, OfSum };
//@ Update Overwrite Target
// What a product does to its target: beta * target is added, or the target is not read.
enum Target { Update, Overwrite };
