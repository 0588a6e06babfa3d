//===- ModuleScope.h - names that a file binds outside its functions ------------------------------===//
#pragma once
#include "TreeSitter.h"
#include "appyc/AST/Nodes.h"
#include "appyc/Support/Diagnostics.h"
#include <functional>

namespace appyc::frontend {

/// Import statements at the top level. `from m import *` gives {"*", "m"}.
std::vector<ast::Import> readImports(const Source& source, Node root);

/// Names bound at the top level. Those bound only by assignments there, last to an expression of the subset, that no code of
/// the file may change, have a value; the others say why they have none. `isTranslated`: of a `def`, whose
/// stores Sema judges.
std::vector<ast::Constant> readConstants(const Source& source, Node root,
                                         const std::function<bool(Node)>& isTranslated);

} // namespace appyc::frontend
