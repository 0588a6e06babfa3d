//===- Loops.h - what a loop's node alone tells: its order, its iterations, what stands right in it -----===//
#pragma once
#include "appyc/IR/Nodes.h"
#include <optional>
#include <vector>

namespace appyc::ir {

/// Iterations may run in any order (up to reductions) and the user did not ask for order.
bool isParallel(const For& loop);
/// ceil((hi - lo) / step) as I64, which may come out negative for an empty loop; an empty handle when the step is no
/// constant.
Expr tripCount(const For& loop);
std::optional<int64_t> constantTrip(const For& loop); ///< never negative
bool isRow(const For&); ///< launches in a row that are bound to a graph, as one iteration: no loop

/// Loops one right inside the other, from the outside in, and what stands in the innermost.
struct NestView {
  std::vector<const For*> loops;
  Stmt body;
};
/// The loops of `s` as far as `pred` holds of each; none where `s` is no such loop.
template <class Pred> NestView nestWhere(const Stmt& s, Pred&& pred) {
  NestView nest{{}, s};
  for (const auto* loop = s.as<For>(); loop && pred(*loop); loop = nest.body.as<For>()) {
    nest.loops.push_back(loop);
    nest.body = loop->body;
  }
  return nest;
}

} // namespace appyc::ir
