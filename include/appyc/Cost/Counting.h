//===- Counting.h - what operations and accesses cost, in elements side by side --------------------------===//
// One unit is an element that neighbouring lanes access side by side.
#pragma once
#include "appyc/Analysis/Bounds.h"
#include "appyc/IR/Nodes.h"
#include <set>
#include <vector>

namespace appyc::cost {

/// What two neighbouring lanes access, whose `lane` differs by one: the same element, neighbours in memory, or others.
/// `dependents`: how other names change with `lane`.
enum class Neighbours { Same, SideBySide, Scattered };
Neighbours neighboursOf(const std::vector<ir::Expr>& subscripts, const Symbol& lane,
                        const analysis::Slopes& dependents);
/// How names that statements set change with `lane`: of loops, those of one iteration.
analysis::Slopes slopesIn(const ir::Stmt& body, const Symbol& lane);

/// An access by lanes along the index `lane` (no symbol: by one thread).
int64_t unitsOfAccess(const std::vector<ir::Expr>& subscripts, const Symbol& lane);
/// What an operation takes, without its operands.
int64_t unitsOfOperation(const ir::Expr& e);
/// All that is in `e`; what is in `loaded`, and then `e` as well, is loaded once.
int64_t unitsOfExpr(const ir::Expr& e, const Symbol& lane, std::vector<ir::Expr>& loaded);
/// The index of the innermost of `loops` that is one of lanes along x; no symbol where none is.
Symbol laneOf(const std::vector<const ir::For*>& loops);

/// The most iterations of `loop`, inside `around` (outside in), in terms of what is not among `unknown`; an empty handle where
/// that cannot be told.
ir::Expr mostTrips(const ir::For& loop, const std::vector<const ir::For*>& around,
                   const std::set<Symbol>& unknown);

/// Arithmetic of f64, and of other numbers, but for subscripts.
struct Operations {
  int64_t doubles = 0, singles = 0;
  Operations& operator+=(const Operations& other);
};
Operations operationsOf(const ir::Expr& e);

} // namespace appyc::cost
