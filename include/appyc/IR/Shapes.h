//===- Shapes.h - the sizes of results, as the library tells them --------------------------------------===//
#pragma once
#include "appyc/IR/Abi.h"

namespace appyc::ir {

struct ComputedExtent {
  Expr extent;
  bool isBesideNone; ///< of a part of what may be None instead: there it may be anything
};
/// Extents of results that are made by arithmetic, in order: what ENTRY_shapes computes, so that the arrays that a
/// caller makes have the sizes that the function fills.
std::vector<ComputedExtent> computedExtents(const Function&);
/// The parameters of ENTRY_shapes, which is there if any extents are computed; the last one takes them all.
std::vector<CParam> shapeParams(const Function&);

} // namespace appyc::ir
