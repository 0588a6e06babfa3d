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

} // namespace appyc::ir
