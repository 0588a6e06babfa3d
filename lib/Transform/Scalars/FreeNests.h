//===- FreeNests.h - nests whose iterations hand on nothing but flags that they raise --------------------------===//
#pragma once
#include "appyc/IR/Nodes.h"
#include <functional>
#include <map>
#include <optional>
#include <set>

namespace appyc::transform {

/// Scalars that a nest only raises: raised = max(raised, 1).
std::set<Symbol> flagsOf(const ir::Stmt& nest);
/// The nest with its loops that store, as far as they hand on nothing but these, in any order.
ir::Stmt inAnyOrder(const ir::Stmt& nest, const std::set<Symbol>& flags);
/// The nest with indivisible stores, each of which moves its element that way; those without one are as they are. So are truth
/// values, which the hardware does not update by themselves: all stores of them are of one value.
ir::Stmt withUpdates(const ir::Stmt& nest,
                     const std::function<std::optional<ir::ReduceOp>(const ir::Store&)>& way);
/// `e` with scalars as their values, and subscripts as they are before they count from the end: of one array, equal ones are then
/// equal by their text.
ir::Expr writtenOut(const ir::Expr& e, const std::map<Symbol, ir::Expr>& values);

} // namespace appyc::transform
