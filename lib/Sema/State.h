//===- State.h - small parts of what is known while a function is lowered -------------------------------===//
#pragma once
#include "Value.h"
#include "appyc/AST/Nodes.h"
#include <vector>

namespace appyc::sema {

/// What a path of a function gives, and where.
struct Returned {
  Value value;
  Span where;
};

/// What follows a branch: the rest of the body that it stands in, and what follows that.
struct Rest {
  const ast::Body* body;
  size_t from;
  const Rest* then;
};

/// A name whose array is another one after a loop's step.
struct Rebinding {
  std::string name;
  Array before, after;
};

/// A branch that is open.
struct Branch {
  Expr condition;
  size_t list; ///< as many lists were open
};

/// An extent of arrays that are broadcast together. `value`: over sizes and scalar parameters, at the function's begin.
struct Joint {
  Symbol size;
  std::vector<Expr> parts;
  Expr value;
};

} // namespace appyc::sema
