//===- Fillings.h - nests that give each element of an array its value ------------------------------===//
//   for j < m: for i < n:  y = x[i] * 2; t[i, j] = y + a[j]        index {i, j}, names {y}, value y + a[j]
#pragma once
#include "appyc/IR/Nodes.h"
#include <map>
#include <optional>
#include <vector>

namespace appyc::transform {

/// What a nest of one iteration an element does.
struct Filling {
  std::vector<Symbol> index;     ///< the loop's over each axis of the array
  std::vector<ir::Assign> names; ///< of parts of the value, in front of the store
  ir::Stmt store;
  ir::Expr value;         ///< what it stores
  bool isAnyOrder = true; ///< no loop is kept in order

  /// The indices, of which each is what an element's place says.
  std::map<Symbol, ir::Expr> at(const std::vector<ir::Expr>& place) const;
};
/// Empty where the nest does anything else, or leaves elements out.
std::optional<Filling> fillingOf(const ir::Stmt& nest, const ir::Buffer&);

/// Does the index statement name each element of an array of these extents, in order?
bool storesEach(const ir::IndexStmt&, const std::vector<ir::Expr>& extents);

/// Has all loads of a filled array the value instead, which has no names.
ir::Stmt withValues(const ir::Stmt&, Symbol array, const Filling&);

} // namespace appyc::transform
