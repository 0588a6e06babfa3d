//===- KeptFunctions.h - functions of the file that stay functions -----------------------------------------===//
#pragma once
#include "Value.h"
#include "appyc/IR/Nodes.h"
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace appyc::sema {

struct Program;

/// What a function of numbers is when it is called with such numbers.
struct KeptFunction {
  ir::FunctionRef function; ///< none: it is inlined
  Scalar like;              ///< what it gives, but for `e`
  bool isIndex = false;     ///< whole numbers of whole numbers, without loops: what subscripts may be made of
};

/// Those of a program, each lowered once for each tuple of its arguments' types.
struct KeptFunctions {
  std::map<std::pair<const ast::Function*, std::string>, KeptFunction> found;
  std::map<const ast::Function*, bool> worth;     ///< long, or called more than once
  std::vector<std::pair<Span, std::string>> said; ///< which stay, and why others are inlined
};

} // namespace appyc::sema
