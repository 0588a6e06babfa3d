//===- groups.h - masks of one group of points each ----------------------------------------------------===//
#pragma once
#include "standalone.h"

//@ Masks
// Mask g holds at the points x with lower[g] <= x <= upper[g], or < where an edge is open.
template <class T> struct Masks {
  const T *lower, *upper;
  int groups;
  bool lower_open, upper_open;

  APPY_DEVICE bool is_above(T x, T edge) const { return lower_open ? edge < x : edge <= x; }
  APPY_DEVICE bool is_below(T x, T edge) const { return upper_open ? x < edge : x <= edge; }

  // Whether mask g + 1 holds at larger points only than mask g does. No NaN is.
  APPY_DEVICE bool are_apart(int g) const {
    const T end = upper[g], next = lower[g + 1];
    return lower[g] <= next && (lower_open || upper_open ? end <= next : end < next);
  }

  // Groups per unit of x, if all are of one width.
  APPY_DEVICE double density() const { return (groups - 1) / (double(lower[groups - 1]) - double(lower[0])); }

  // Where x would be, were all of one width; NaN anywhere gives 0.
  APPY_DEVICE int guess(T x, double density) const {
    const double distance = (double(x) - double(lower[0])) * density;
    return !(distance > 0) ? 0 : distance < groups ? int(distance) : groups - 1;
  }

  // The group of x, or `groups` where x is in none. Looks at the guess first, then in growing steps away from it, at
  // last in the middle of what is left.
  APPY_DEVICE int find(T x, double density) const {
    int g = guess(x, density);
    const bool rising = is_above(x, lower[g]);
    if (rising && is_below(x, upper[g])) return g;
    // x is above the lower edges before `first`, and not above those from `end` on.
    int first = rising ? g + 1 : 0, end = rising ? groups : g;
    for (int step = 0; first < end; step = 2 * step + 1) {
      const int middle = (end - first) / 2;
      if (step > middle) step = middle;
      g = rising ? first + step : end - 1 - step;
      if (is_above(x, lower[g]))
        first = g + 1;
      else
        end = g;
    }
    return first > 0 && is_below(x, upper[first - 1]) ? first - 1 : groups;
  }
};
