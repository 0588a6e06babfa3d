//===- PythonExpr.h - ir expressions over sizes and scalars as Python ----------------------------------===//
#pragma once
#include "appyc/IR/Nodes.h"
#include "appyc/Support/Quoted.h"
#include <map>
#include <string>

namespace appyc::wrapper {

/// Python names of the symbols an expression may use.
using Names = std::map<Symbol, std::string>;

/// The expression as Python that gives the same integer for values in range. It may call `_min`, `_floordiv`
/// and the like of the wrapper's support. Loads and reductions are an internal error: nothing of the kind is
/// known at a call.
std::string pythonExpr(const ir::Expr&, const Names&);

} // namespace appyc::wrapper
