//===- groups_cpu.h - elements by keys: found, ordered by counting, folded ------------------------------===//
#pragma once
#include "groups.h"
#include "host.h"

//@ find_groups : Masks
// keys[p]: the mask that holds at the point, or `groups`; apart[0] becomes 0 where these are not in order, each apart.
template <class T>
void find_groups(const T* points, const T* lower, const T* upper, int32_t* keys, int32_t* apart,
                 int64_t count, int64_t groups, int64_t lower_open, int64_t upper_open) {
  const Masks<T> masks{lower, upper, int(groups), lower_open != 0, upper_open != 0};
  for (int g = 0; g + 1 < groups; ++g)
    if (!masks.are_apart(g)) apart[0] = 0;
  const double density = masks.density();
#pragma omp parallel for if (count > 8192)
  for (int64_t p = 0; p < count; ++p) keys[p] = masks.find(points[p], density);
}

//@ order_by_key : Status
// order[start[k]] ... order[start[k + 1] - 1]: the elements of key k < bins, ascending.
inline int order_by_key(const int32_t* keys, int32_t* order, int32_t* start, int64_t count, int64_t bins) {
  for (int64_t k = 0; k <= bins; ++k) start[k] = 0;
  for (int64_t p = 0; p < count; ++p) ++start[keys[p]];
  int32_t before = 0;
  for (int64_t k = 0; k <= bins; ++k) {
    const int32_t size = start[k];
    start[k] = before;
    before += size;
  }
  for (int64_t p = 0; p < count; ++p)
    if (keys[p] < bins) order[start[keys[p]]++] = int32_t(p);
  for (int64_t k = bins; k > 0; --k) start[k] = start[k - 1]; // each has moved on to its run's end
  start[0] = 0;
  return Ok;
}

//@ fold_by_key complex_fold_by_key
// to[k]: the fold by Op of the values of key k < bins; sizes[k]: how many these are.
template <class Op, class V, class T>
void fold_by_key(const int32_t* keys, const V* values, T* to, int32_t* sizes, int64_t count, int64_t bins,
                 std::common_type_t<T> nothing) {
  for (int64_t k = 0; k < bins; ++k) {
    to[k] = nothing;
    sizes[k] = 0;
  }
  for (int64_t p = 0; p < count; ++p) {
    if (keys[p] >= bins) continue;
    to[keys[p]] = Op::combine(to[keys[p]], T(values[p]));
    ++sizes[keys[p]];
  }
}
