//===- groups.h - masks of one group of points each ----------------------------------------------------===//
#pragma once
#include "standalone.h"

//@ Masks Edge Closed Open
enum Edge { Closed, Open };

// Mask g holds at the points x with lower[g] <= x <= upper[g], or < where an edge is open.
template <Edge lower_edge, Edge upper_edge, class T> struct Masks {
  const T *lower, *upper;
  int groups;

  APPY_DEVICE static bool is_above(T x, T edge) { return lower_edge == Closed ? edge <= x : edge < x; }
  APPY_DEVICE static bool is_below(T x, T edge) { return upper_edge == Closed ? x <= edge : x < edge; }

  // Whether mask g + 1 holds at larger points only than mask g does. No NaN is.
  APPY_DEVICE bool are_apart(int g) const {
    const T end = upper[g], next = lower[g + 1];
    return lower[g] <= next && (lower_edge == Closed && upper_edge == Closed ? end < next : end <= next);
  }

  // Groups per unit of x, if all are of one width.
  APPY_DEVICE double density() const { return (groups - 1) / (double(lower[groups - 1]) - double(lower[0])); }

  // The group of x, or `groups` where x is in none: by bisection, which begins where equal widths would have it.
  // `edges` is `lower`, or a copy nearby.
  APPY_DEVICE int find(T x, const T* edges, double density) const {
    const double distance = (double(x) - double(edges[0])) * density;
    const int guess = !(distance > 0) ? 0 : distance < groups ? int(distance) : groups - 1;
    int first = 0,
        end = groups; // x is above the lower edges before `first`, and not above those from `end` on
    const auto look_at = [&](int g) {
      if (is_above(x, edges[g]))
        first = g + 1;
      else
        end = g;
    };
    for (int g = guess - 1; g <= guess + 1; ++g)
      if (first <= g && g < end) look_at(g);
    while (first < end) look_at((first + end) / 2);
    return first > 0 && is_below(x, upper[first - 1]) ? first - 1 : groups;
  }
};
