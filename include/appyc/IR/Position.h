//===- Position.h - where an element lies in memory -----------------------------------------------------===//
#pragma once
#include "appyc/IR/Nodes.h"

namespace appyc::ir {

/// The number of the element at `index` in an array of these extents. Axes that a reshape joined count as one:
/// element [k / n, k % n] is the k-th.
Expr positionOf(const std::vector<Expr>& extents, const std::vector<Expr>& index);

} // namespace appyc::ir
