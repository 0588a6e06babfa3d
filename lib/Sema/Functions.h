//===- Functions.h - the table of NumPy functions, as Sema looks things up -----------------------------===//
#pragma once
#include "appyc/IR/Nodes.h"
#include <map>
#include <string>

namespace appyc::sema {

/// Functions that are an operator under another name.
const std::map<std::string, ir::BinaryOp>& arithmeticNames();
const std::map<std::string, ir::BinaryOp>& comparisonNames();
/// Other names of functions.
const std::map<std::string, std::string>& aliases();

} // namespace appyc::sema
