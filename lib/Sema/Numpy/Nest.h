//===- Nest.h - loops in order over the elements of an array ----------------------------------------------===//
#pragma once
#include "Value.h"
#include "appyc/Support/Source.h"
#include <optional>
#include <vector>

namespace appyc::sema {

/// Loops around a statement, one for each axis but `without`, whose index is 0 there.
struct Nest {
  std::vector<Symbol> indices;
  Indices at;
  explicit Nest(const std::vector<Expr>& shape, std::optional<size_t> without) {
    static constexpr const char* kNames[] = {"i", "j", "k", "l"};
    for (size_t d = 0; d < shape.size(); ++d) {
      indices.emplace_back(kNames[d % 4]);
      at.push_back(d == without ? ir::intConst(0) : ir::var(indices.back()));
    }
  }
  ir::Stmt around(const std::vector<Expr>& shape, std::optional<size_t> without, ir::Stmt body,
                  Span where) const {
    for (size_t d = shape.size(); d-- > 0;)
      if (d != without)
        body =
            ir::makeStmt(where, ir::serialLoop(indices[d], ir::intConst(0), shape[d], ir::intConst(1), body));
    return body;
  }
};

} // namespace appyc::sema
