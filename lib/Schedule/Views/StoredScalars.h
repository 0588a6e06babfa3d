//===- StoredScalars.h - what a step stores and loads again, in scalars -------------------------------===//
#pragma once
#include "appyc/IR/Nodes.h"
#include "appyc/IR/Rewrite.h"
#include <vector>

namespace appyc::schedule {

/// Loads of the element, of the scalar instead. The rule holds as long as both that it is given.
ir::ExprRule inPlaceOf(const Symbol& buffer, const std::vector<ir::Expr>& element, const ir::Expr& scalar);
int64_t storesInto(const ir::Stmt& in, const Symbol& buffer); ///< how many statements

/// Elements that a step stores, once or again and again, and loads itself are scalars until they have their value:
///   l[i] = a; m[i] = b / l[i]             =>  x = a; l[i] = x; m[i] = b / x
///   y[i] = a; y[i] = y[i] + b * y[i - 1]  =>  x = a; x = x + b * y[i - 1]; y[i] = x
void storesToScalars(std::vector<ir::Stmt>& body);

} // namespace appyc::schedule
