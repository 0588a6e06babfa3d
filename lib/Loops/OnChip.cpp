//===- OnChip.cpp - pieces of arrays in shared memory ----------------------------------------------------===//
#include "appyc/Loops/Loops.h"

namespace appyc::loops {
using namespace ir;

Buffer onChip(Function& function, const Builder& build, const std::string& hint, DType type,
              std::vector<Expr> extents, std::vector<Stmt>& out) {
  Buffer b{Symbol(hint), type, std::move(extents), true};
  function.buffers.push_back(b);
  out.push_back(build.alloc(b));
  return b;
}

Buffer tileOnChip(Function& function, const Builder& build, const std::string& hint, DType type, int64_t rows,
                  int64_t columns, std::vector<Stmt>& out) {
  return onChip(function, build, hint, type, {intConst(rows), intConst(columns + 1)}, out);
}

Stmt forCells(const Builder& build, const std::string& hint, int64_t rows, int64_t columns, int lanes,
              const std::function<Stmt(const Expr& r, const Expr& c)>& body) {
  const Symbol cell(hint);
  return unrolledInAnyOrder(build, cell, intConst(rows * columns),
                            body(floorDiv(var(cell), columns), mod(var(cell), columns)), lanes);
}

} // namespace appyc::loops
