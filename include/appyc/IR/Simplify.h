//===- Simplify.h - the canonical form of expressions ------------------------------------------------===//
// What is the same for all values has one form, whatever made it: constants are folded, and rows of Rules.def applied.
// Makers of nodes (Build.h) give nothing else; what is put together otherwise is made canonical here.
#pragma once
#include "appyc/IR/Nodes.h"
#include <optional>

namespace appyc::ir {

/// The node in canonical form, its children being so.
Expr simplifiedNode(const Expr&);
/// The same of arithmetic on indices, which does not overflow: sums gathered, of bounds the one that decides.
Expr simplifiedIndex(const Expr&);
/// What a condition is, if that is known.
std::optional<bool> constantBool(const Expr&);
/// Of max(e, 0), e: as the end of a range from 0 on both are the same.
Expr unclipped(const Expr&);

} // namespace appyc::ir
