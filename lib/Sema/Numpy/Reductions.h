//===- Reductions.h - what is folded into what -----------------------------------------------------------===//
#pragma once
#include "Value.h"
#include <optional>
#include <vector>

namespace appyc::sema {

/// How an array is folded.
struct Folding {
  std::vector<int> axes; ///< sorted
  bool keepDims = false;
  std::optional<Array> mask{}; ///< of the array's shape: the elements that count
};

} // namespace appyc::sema
