//===- Numbers.h - expressions of the host as numbers, where sizes are some number -----------------------===//
#pragma once
#include "appyc/IR/Nodes.h"
#include <map>
#include <optional>
#include <set>

namespace appyc::cost {

/// Values of scalars that the host assigns once, in terms of none that it assigns.
std::map<Symbol, ir::Expr> valuesOf(const ir::Function& function);

/// The number that an expression is, where `size` is that of sizes and parameters; other variables are half as much.
struct Numbers {
  const std::map<Symbol, ir::Expr>& values;
  const std::set<Symbol>& given;
  double size;
  bool isOpen = false; ///< has a size been asked for?

  std::optional<double> of(const ir::Expr& e);
  /// Of a condition.
  std::optional<bool> holds(const ir::Expr& e);
};

} // namespace appyc::cost
