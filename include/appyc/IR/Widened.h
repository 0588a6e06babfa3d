//===- Widened.h - arguments that are stretched before the call --------------------------------------------===//
#pragma once
#include "appyc/IR/Mapping.h"
#include <vector>

namespace appyc::ir {

/// Axes of parameters that are equally long, or of one element, which Python's caller repeats first. Other calls raise.
struct Widened {
  struct Axis {
    int param, axis;
    bool may; ///< it may have one element; those that may are the first
  };
  Expr equal; ///< that they are, over the function's sizes
  std::vector<Axis> axes;
  Expr number;                ///< that they are as long as; may be none
  std::vector<unsigned> seen; ///< no call at which just those have one element: bit k is axes[k]
};

} // namespace appyc::ir
