//===- Bounds.h - extremes over loops, and how an index moves with a loop ------------------------------===//
#pragma once
#include "appyc/IR/Nodes.h"
#include <map>
#include <optional>
#include <set>
#include <vector>

namespace appyc::analysis {
struct Context;

/// A number that `e`, in terms of variables that `body` assigns once, never exceeds.
std::optional<int64_t> constantMost(const ir::Expr& e, const ir::Stmt& body);
/// Scalars that have one value from the function's entry on: sizes, and parameters that it does not assign.
std::set<Symbol> knownAtEntry(const ir::Function& function);
/// Does its value follow from these scalars alone, without memory?
bool followsFrom(const ir::Expr& e, const std::set<Symbol>& scalars);
/// Do the bounds stay what they are at the function's entry?
bool hasKnownBounds(const ir::Function& function, const ir::For& loop);
/// `e`, or max(e, 0) where `e` is not evidently non-negative. Variables in `sizes` are known to be.
ir::Expr atLeastZero(const ir::Expr& e, const std::set<Symbol>& sizes);
/// The same where it is not certain (isNonNegative).
ir::Expr atLeastZero(const ir::Expr& e, const Context& context);

/// An expression without the indices of `loops` (outside in) that is never below `e`; an empty handle when
/// none is found.
ir::Expr upperBound(const ir::Expr& e, const std::vector<const ir::For*>& loops);

/// Are the `count` elements from `first` on surely among the `extent` of an axis?
bool isInRange(const ir::Expr& first, const ir::Expr& count, const ir::Expr& extent, const Context& context);
/// Does the element surely exist, whether it is read or not? False where memory tells which one it is.
bool isInRange(const ir::Function& function, const Symbol& array, const std::vector<ir::Expr>& index,
               const Context& context);

/// By how much `e` grows when the index grows by one, where that is the same for all values of the index; else empty.
ir::Expr growthOf(const ir::Expr& e, const Symbol& index);
/// The same, where that is one number.
std::optional<int64_t> coefficientOf(const ir::Expr& e, const Symbol& index);

/// What is added to `index` in `e`, where that is the same whatever values memory and the names in `varying` have; else
/// empty.
ir::Expr shiftFrom(const ir::Expr& e, const Symbol& index, const std::set<Symbol>& varying);

/// How `e` changes when `index` grows by one.
struct Slope {
  enum Kind { None, Constant, Unknown } kind = None;
  int64_t value = 0;
};
using Slopes = std::map<Symbol, Slope>;
/// `others`: how other names change then.
Slope slopeOf(const ir::Expr& e, const Symbol& index, const Slopes& others = {});
/// `dependents`: names of which nothing is known.
Slope slopeOf(const ir::Expr& e, const Symbol& index, const std::set<Symbol>& dependents);

} // namespace appyc::analysis
