//===- Scopes.h - names of files and of modules ----------------------------------------------------------===//
#pragma once
#include "State.h"
#include "appyc/Support/Diagnostics.h"

namespace appyc::sema {

/// Reports imports of names that modules of the user's do not bind.
void checkImports(const Program& program, Diagnostics& diag);
/// Does the package's own text import from its module of that name?
bool importsSubmodule(const ast::Module& package, const std::string& name);
/// Attributes of numpy, math, appy and torch that are no functions.
std::optional<Value> moduleConstant(const std::string& path);

} // namespace appyc::sema
