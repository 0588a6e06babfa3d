//===- MutualCalls.h - functions that call each other -------------------------------------------------------===//
#pragma once
#include "appyc/AST/Nodes.h"

namespace appyc::sema {

/// The module, in which functions that call each other are one that calls itself.
ast::Module withMutualCalls(const ast::Module& module);

} // namespace appyc::sema
