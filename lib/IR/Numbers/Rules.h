//===- Rules.h - the rows of Rules.def as trees --------------------------------------------------------===//
#pragma once
#include "appyc/IR/Nodes.h"
#include <string_view>
#include <vector>

namespace appyc::ir {

/// What the names of a row stand for: numbers of the row's type, and conditions.
struct Found {
  Expr x, y, z, p, q;
};

/// `from` and `to` over variables that stand for any expression (slotOf).
struct Rule {
  std::string_view name;
  bool ofIndices; ///< holds where arithmetic does not overflow
  Expr from, to;
  bool (*holds)(const Found&); ///< of what has been found, or null

  /// What the row makes of an expression (of arithmetic on indices), or an empty handle. Operands of `from` that may change
  /// places are tried both ways.
  Expr apply(const Expr&, bool indices = false) const;
};

/// The rows for operands of a type, in their order.
std::vector<Rule> rulesOf(DType);
/// Which name of a row a variable of `from` or `to` is.
Expr Found::*slotOf(const Symbol&);

} // namespace appyc::ir
