//===- Relaxation.h - nests whose stores move elements one way ------------------------------------------------===//
#pragma once
#include "appyc/IR/Nodes.h"
#include <optional>
#include <set>

namespace appyc::transform {

/// Each store of the nest stands under a test that it lowers its element, beside a flag that it raises; and what it stores, and
/// whether it comes to that, is no more the larger, or the less often so, the smaller elements are. Or likewise upwards.
///   if d[s] + w < d[t]: d[t] = d[s] + w; raised = max(raised, 1)
struct Relaxation {
  ir::ReduceOp op; ///< Min: lowers; Max
  std::set<Symbol> flags;
};
/// `stored`: all arrays that change meanwhile. Nothing where the loop stores otherwise.
std::optional<Relaxation> relaxationOf(const ir::For& loop, const std::set<Symbol>& stored);

} // namespace appyc::transform
