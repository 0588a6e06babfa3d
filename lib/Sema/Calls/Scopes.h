//===- Scopes.h - names of files and of modules ----------------------------------------------------------===//
#pragma once
#include "State.h"
#include "appyc/Support/Diagnostics.h"

namespace appyc::sema {

/// `TupleValue::made` of a list that a file binds, and all calls share.
inline constexpr uint64_t kOfFile = uint64_t(253) << 48;
/// Reports imports of names that modules of the user's do not bind.
void checkImports(const Program& program, Diagnostics& diag);
/// Does the package's own text import from its module of that name?
bool importsSubmodule(const ast::Module& package, const std::string& name);
/// `f(a, b)`: calls what a decorator makes of the function.
ast::Function callerOf(const ast::Function& fn);
/// Attributes of numpy, math, appy and torch that are no functions.
std::optional<Value> moduleConstant(const std::string& path);

} // namespace appyc::sema
