//===- ExprParts.h - what an expression is made of, in the order of evaluation ------------------------------===//
#pragma once
#include "appyc/AST/Nodes.h"
#include <vector>

namespace appyc::sema {

/// What is evaluated for the expression, in order; nothing of what is evaluated otherwise, as comprehensions are.
std::vector<ast::Expr> partsOf(const ast::Expr& e);
/// The expression with other parts.
ast::Expr withParts(const ast::Expr& e, std::vector<ast::Expr> p);

} // namespace appyc::sema
