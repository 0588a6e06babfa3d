//===- Bounds.h - trip counts, extremes over loops, and how an index moves with a loop --------------===//
#pragma once
#include "appyc/IR/Nodes.h"
#include <optional>
#include <set>
#include <vector>

namespace appyc::schedule {

/// ceil((hi - lo) / step) as I64, which may come out negative for an empty loop; an empty handle when the
/// step is no constant.
ir::Expr tripCount(const ir::For& loop);
/// A number that `e`, in terms of variables that `body` assigns once, never exceeds.
std::optional<int64_t> constantMost(const ir::Expr& e, const ir::Stmt& body);
std::optional<int64_t> constantTrip(const ir::For& loop); ///< never negative
/// Do the bounds stay what they are at the function's entry?
bool hasKnownBounds(const ir::Function& function, const ir::For& loop);
/// `e`, or max(e, 0) where `e` is not evidently non-negative. Variables in `sizes` are known to be.
ir::Expr atLeastZero(const ir::Expr& e, const std::set<Symbol>& sizes);

/// An expression without the indices of `loops` (outside in) that is never below `e`; an empty handle when
/// none is found.
ir::Expr upperBound(const ir::Expr& e, const std::vector<const ir::For*>& loops);

/// How `e` changes when `index` grows by one.
struct Slope {
  enum Kind { None, Constant, Unknown } kind = None;
  int64_t value = 0;
};
Slope slopeOf(const ir::Expr& e, const Symbol& index, const std::set<Symbol>& dependents);

bool mentionsAny(const ir::Expr& e, const std::set<Symbol>& names);
bool mentionsAny(const ir::Stmt& s,
                 const std::set<Symbol>& names); ///< read anywhere in the statement, or assigned
std::set<Symbol> readScalars(const ir::Stmt& s); ///< those that are read anywhere in it
bool isStraight(const ir::Stmt& s);              ///< assignments and plain stores, one or a block of them
/// The scalar `from` called `to`, wherever it is read, assigned or reduced.
ir::Stmt renameScalar(const ir::Stmt& s, Symbol from, Symbol to);

} // namespace appyc::schedule
