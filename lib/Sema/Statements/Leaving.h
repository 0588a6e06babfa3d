//===- Leaving.h - statements that leave a loop or a function early ------------------------------------===//
#pragma once
#include "appyc/AST/Nodes.h"
#include <optional>

namespace appyc::sema {

/// The same function without `break`, `continue` and `else` of loops; each `return` ends a path that no loop is on.
ast::Function withoutLeaving(const ast::Function& fn);
ast::Module withoutLeaving(const ast::Module& module);

/// A function that calls itself last, as a loop; others as they are (Recursion.cpp).
ast::Function withoutRecursion(const ast::Function& fn);
struct UserFunction;
bool isMethod(const UserFunction& called);
/// As the program has it, but for what leaves loops that do not call the function.
ast::Function ofStates(const ast::Function& fn);
/// One that goes on when it has called itself, as a loop; none where that is not known to be right (Calls/Resumed.cpp).
std::optional<ast::Function> resumed(const ast::Function& fn, bool isMethod, bool isApart);

/// Does the body always end by `return` or `raise`?
bool alwaysReturns(const ast::Body& body);
/// Does it always end by `raise`?
bool alwaysRaises(const ast::Body& body);
bool mayReturn(const ast::Body& body);

} // namespace appyc::sema
