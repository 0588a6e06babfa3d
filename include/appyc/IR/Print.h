//===- Print.h - the ir as readable annotated Python; verify() checks each level's rules -----------===//
#pragma once
#include "appyc/IR/Nodes.h"
#include <string>

namespace appyc::ir {

std::string print(const Module&);
std::string print(const Stmt&);
std::string print(const Expr&);

/// Checks node legality for `level` (Nodes.def), operand types, index ranks, that every symbol is defined,
/// that barriers stand only inside Launch. Returns the first broken rule with the offending ir, or an empty
/// text.
std::string verify(const Module&, Level level);

} // namespace appyc::ir
