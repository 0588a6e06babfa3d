//===- groups_cpu.h - points sorted into groups by counting --------------------------------------------===//
#pragma once
#include "groups.h"

//@ group_points : Masks
// Are the masks apart? Then order[start[g]] ... order[start[g + 1] - 1] are the points of group g, ascending.
template <Edge lower_edge, Edge upper_edge, Listing = Ordered, class T, class... V>
void group_points(const T* points, int64_t count, const T* lower, const T* upper, int64_t groups, bool* apart,
                  int32_t* start, int32_t* order, int32_t* scratch, Carried<V>... carried) {
  const Masks<lower_edge, upper_edge, T> masks{lower, upper, int(groups)};
  *apart = true;
  for (int g = 0; g + 1 < groups; ++g) *apart = *apart && masks.are_apart(g, masks.lower, masks.upper);
  if (!*apart) return;
  int32_t* group_of = scratch;
  const double density = masks.density(lower);
#pragma omp parallel for if (count > 8192)
  for (int64_t p = 0; p < count; ++p)
    group_of[p] = masks.find(points[p], masks.guess(points[p], lower, density), lower, upper);
  for (int64_t g = 0; g <= groups; ++g) start[g] = 0;
  for (int64_t p = 0; p < count; ++p) ++start[group_of[p]];
  int32_t before = 0;
  for (int64_t g = 0; g <= groups; ++g) {
    const int32_t size = start[g];
    start[g] = before;
    before += size;
  }
  for (int64_t p = 0; p < count; ++p)
    if (group_of[p] < groups) order[start[group_of[p]]++] = int32_t(p);
  for (int64_t g = groups; g > 0; --g) start[g] = start[g - 1]; // each has moved on to the group's end
  start[0] = 0;
  for (int32_t k = 0; k < start[groups]; ++k) ((carried.to[k] = carried.from[order[k]]), ...);
}

//@ fold_points Fold fold : Masks
// One value of each point is folded by Op. to[part][group]: the folds.
template <class Op, class V, class T> struct Fold {
  const V* values;
  T* to;
  T nothing;
  void add(int64_t at, int64_t p) const { to[at] = Op::combine(to[at], T(values[p])); }
};
template <class Op, class V, class T>
Fold<Op, V, T> fold(const V* values, T* to, std::common_type_t<T> nothing) {
  return {values, to, nothing};
}

// Folds each group's points in the parts that the device has: min(512, tiles of 4096), of 2048 groups and more one.
template <Edge lower_edge, Edge upper_edge, class T, class... F>
void fold_points(const T* points, int64_t count, const T* lower, const T* upper, int64_t groups, bool* apart,
                 int32_t* sizes, int32_t*, F... folds) {
  const Masks<lower_edge, upper_edge, T> masks{lower, upper, int(groups)};
  const int64_t tiles = (count + 4095) / 4096, parts = groups >= 2048 ? 1 : tiles < 512 ? tiles : 512;
  *apart = true;
  for (int g = 0; g + 1 < groups; ++g) *apart = *apart && masks.are_apart(g, lower, upper);
  if (!*apart) return;
  for (int64_t at = 0; at < parts * groups; ++at) {
    if (sizes != nullptr) sizes[at] = 0;
    ((folds.to[at] = folds.nothing), ...);
  }
  const double density = masks.density(lower);
  for (int64_t p = 0; p < count; ++p) {
    const int g = masks.find(points[p], masks.guess(points[p], lower, density), lower, upper);
    if (g == groups) continue;
    const int64_t at = p / 4096 % parts * groups + g;
    if (sizes != nullptr) ++sizes[at];
    (folds.add(at, p), ...);
  }
}
