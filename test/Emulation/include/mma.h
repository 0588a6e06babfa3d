//===- mma.h - tensor cores for doubles ---------------------------------------------------------------===//
// Lanes hold what they hold on the device: an element of each operand, two neighbours of the sum.
#pragma once
#include "cuda_runtime.h"

namespace nvcuda::wmma {

struct matrix_a;
struct matrix_b;
struct accumulator;
struct row_major;
struct col_major;
enum layout_t { mem_row_major, mem_col_major };

template <class Use, int m, int n, int k, class T, class Layout = void> struct fragment {
  static_assert(m == 8 && n == 8 && k == 4 && std::is_same_v<T, double>, "only doubles are emulated");
  static constexpr int num_elements = std::is_same_v<Use, accumulator> ? 2 : 1;
  T x[num_elements];
};

using Sum = fragment<accumulator, 8, 8, 4, double>;
template <class Layout> using Left = fragment<matrix_a, 8, 8, 4, double, Layout>;
template <class Layout> using Right = fragment<matrix_b, 8, 8, 4, double, Layout>;

inline void fill_fragment(Sum& to, double value) { to.x[0] = to.x[1] = value; }

/// Where the element (outer, inner) of an operand lies whose inner index runs along memory if `along`.
inline unsigned placeOf(bool along, unsigned outer, unsigned inner, unsigned distance) {
  return along ? outer * distance + inner : inner * distance + outer;
}
template <class Layout> void load_matrix_sync(Left<Layout>& to, const double* from, unsigned distance) {
  const unsigned lane = ::emulation::laneOfWarp();
  to.x[0] = from[placeOf(std::is_same_v<Layout, row_major>, lane / 4, lane % 4, distance)];
}
template <class Layout> void load_matrix_sync(Right<Layout>& to, const double* from, unsigned distance) {
  const unsigned lane = ::emulation::laneOfWarp();
  to.x[0] = from[placeOf(std::is_same_v<Layout, col_major>, lane / 4, lane % 4, distance)];
}
inline void store_matrix_sync(double* to, const Sum& from, unsigned distance, layout_t layout) {
  const unsigned lane = ::emulation::laneOfWarp();
  for (unsigned n = 0; n < 2; ++n)
    to[placeOf(layout == mem_row_major, lane / 4, lane % 4 * 2 + n, distance)] = from.x[n];
}

/// Waits for the whole warp, as it exchanges the operands.
template <class L, class R>
void mma_sync(Sum& to, const Left<L>& a, const Right<R>& b, const Sum& c, unsigned line = __builtin_LINE()) {
  const double mine[2] = {a.x[0], b.x[0]};
  const unsigned lane = ::emulation::laneOfWarp();
  const unsigned buffer = ::emulation::publish(line, ~0u, mine, sizeof mine);
  const auto theirs = [&](unsigned of, int operand) {
    double both[2];
    ::emulation::readPublished(buffer, of, both, sizeof both);
    return both[operand];
  };
  for (unsigned n = 0; n < 2; ++n) {
    double sum = c.x[n];
    for (unsigned k = 0; k < 4; ++k)
      sum = std::fma(theirs(lane / 4 * 4 + k, 0), theirs((lane % 4 * 2 + n) * 4 + k, 1), sum);
    to.x[n] = sum;
  }
}

} // namespace nvcuda::wmma
