//===- Counting.h - what operations and accesses cost, in elements side by side --------------------------===//
// One unit is an element that neighbouring lanes access side by side.
#pragma once
#include "appyc/IR/Nodes.h"
#include <set>
#include <vector>

namespace appyc::schedule {

/// What two neighbouring lanes access, whose `lane` differs by one: the same element, neighbours in memory, or others.
/// `dependents` change with `lane` in a way that cannot be seen.
enum class Neighbours { Same, SideBySide, Scattered };
Neighbours neighboursOf(const std::vector<ir::Expr>& subscripts, const Symbol& lane,
                        const std::set<Symbol>& dependents);

/// An access by lanes along the index `lane` (no symbol: by one thread).
int64_t unitsOfAccess(const std::vector<ir::Expr>& subscripts, const Symbol& lane);
/// What an operation takes, without its operands.
int64_t unitsOfOperation(const ir::Expr& e);
/// All that is in `e`; what is in `loaded`, and then `e` as well, is loaded once.
int64_t unitsOfExpr(const ir::Expr& e, const Symbol& lane, std::vector<ir::Expr>& loaded);

} // namespace appyc::schedule
