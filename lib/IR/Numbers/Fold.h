//===- Fold.h - arithmetic on constants, as NumPy does it ------------------------------------------===//
#pragma once
#include "appyc/IR/Nodes.h"
#include <string>

namespace appyc::ir {

/// Each gives an empty handle where the result is not folded: float arithmetic, and what NumPy leaves
/// undefined.
Expr foldBinary(BinaryOp op, const Const& a, const Const& b);
Expr foldUnary(UnaryOp op, const Const& a);
Expr foldAbs(const Const& a);
Expr foldCast(DType type, const Const& c);

/// As the ir is printed.
std::string constText(const Const& c);

} // namespace appyc::ir
