//===- groups.h - masks of one group of points each ----------------------------------------------------===//
#pragma once
#include "standalone.h"

//@ Masks Edge Closed Open Listing Ordered Unordered Carried carry
enum Edge { Closed, Open };
enum Listing { Ordered, Unordered }; // whether the points' numbers are asked for

// An array whose elements, one for each point, go with the points.
template <class V> struct Carried {
  const V* from;
  V* to;
};
template <class V> Carried<V> carry(const V* from, V* to) { return {from, to}; }

// Mask g holds at the points x with lower[g] <= x <= upper[g], or < where an edge is open.
template <Edge lower_edge, Edge upper_edge, class T> struct Masks {
  const T *lower, *upper;
  int groups;

  APPY_DEVICE static bool is_above(T x, T edge) { return lower_edge == Closed ? edge <= x : edge < x; }
  APPY_DEVICE static bool is_below(T x, T edge) { return upper_edge == Closed ? x <= edge : x < edge; }

  // In all of these `low` is `lower`, or a copy nearby; so is `high`.

  // Whether mask g + 1 holds at larger points only than mask g does. No NaN is.
  APPY_DEVICE bool are_apart(int g, const T* low, const T* high) const {
    const T end = high[g], next = low[g + 1];
    return low[g] <= next && (lower_edge == Closed && upper_edge == Closed ? end < next : end <= next);
  }

  // Groups per unit of x, if all are of one width.
  APPY_DEVICE double density(const T* low) const {
    return (groups - 1) / (double(low[groups - 1]) - double(low[0]));
  }

  // Where x would be, were all of one width; NaN anywhere gives 0.
  APPY_DEVICE int guess(T x, const T* low, double density) const {
    const double distance = (double(x) - double(low[0])) * density;
    return !(distance > 0) ? 0 : distance < groups ? int(distance) : groups - 1;
  }

  // The group of x, or `groups` where x is in none. Looks at g first, then in growing steps away from it, at last
  // in the middle of what is left.
  APPY_DEVICE int find(T x, int g, const T* low, const T* high) const {
    const bool rising = is_above(x, low[g]);
    if (rising && is_below(x, high[g])) return g;
    // x is above the lower edges before `first`, and not above those from `end` on.
    int first = rising ? g + 1 : 0, end = rising ? groups : g;
    for (int step = 0; first < end; step = 2 * step + 1) {
      const int middle = (end - first) / 2;
      if (step > middle) step = middle;
      g = rising ? first + step : end - 1 - step;
      if (is_above(x, low[g]))
        first = g + 1;
      else
        end = g;
    }
    return first > 0 && is_below(x, high[first - 1]) ? first - 1 : groups;
  }
};
