//===- ModuleScope.h - names that a file binds outside its functions ------------------------------===//
#pragma once
#include "TreeSitter.h"
#include "appyc/AST/Nodes.h"
#include "appyc/Support/Diagnostics.h"

namespace appyc::frontend {

/// Import statements at the top level. `from m import *` gives {"*", "m"}.
std::vector<ast::Import> readImports(const Source& source, Node root);

/// Names bound once in the whole file, at the top level, to a number: what functions read under them never
/// changes.
std::vector<ast::Constant> readConstants(const Source& source, Node root, Diagnostics& diag);

} // namespace appyc::frontend
