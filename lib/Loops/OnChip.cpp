//===- OnChip.cpp - pieces of arrays in shared memory ----------------------------------------------------===//
#include "appyc/Loops/Loops.h"

namespace appyc::loops {
using namespace ir;

Buffer newArray(Function& function, const Builder& build, Buffer array, std::vector<Stmt>& out) {
  function.buffers.push_back(array);
  out.push_back(build.alloc(array));
  return array;
}

Buffer copied(Function& f, const Builder& build, const std::string& hint, const Buffer& array,
              std::vector<Stmt>& out) {
  const Buffer of = array; // which may be one of the function's
  const Buffer copy = newArray(f, build, {Symbol(hint), of.type, of.extents}, out);
  out.push_back(forAll(build, "k", of.extents, [&](const std::vector<Expr>& at) {
    return build.store(copy, at, make(Load{of.type, of.name, at}));
  }));
  return copy;
}

Buffer onChip(Function& function, const Builder& build, const std::string& hint, DType type,
              std::vector<Expr> extents, std::vector<Stmt>& out) {
  return newArray(function, build, {Symbol(hint), type, std::move(extents), true}, out);
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

Stmt staged(const Builder& build, const Buffer& copy, int64_t rows, int64_t columns, int lanes,
            const OfCell& exists, const OfCell& value) {
  return forCells(build, "cell", rows, columns, lanes, [&](const Expr& r, const Expr& c) {
    return build.store(copy, {r, c}, select(exists(r, c), value(r, c), constOf(copy.type, 0)));
  });
}

Stmt givenBack(const Builder& build, const Buffer& copy, int64_t rows, int64_t columns, int lanes,
               const OfCell& exists, const Buffer& array,
               const std::function<std::vector<Expr>(const Expr&, const Expr&)>& at) {
  return forCells(build, "cell", rows, columns, lanes, [&](const Expr& r, const Expr& c) {
    return build.when(exists(r, c), build.store(array, at(r, c), load(copy, {r, c})));
  });
}

} // namespace appyc::loops
