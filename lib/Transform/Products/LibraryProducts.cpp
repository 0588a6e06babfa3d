//===- LibraryProducts.cpp - who computes a matrix product: a library, or tiles ----------------------------===//
#include "LibraryProducts.h"
#include "appyc/IR/Dsl.h"
#include "appyc/IR/Print.h"
#include "appyc/IR/Walk.h"
#include <algorithm>
#include <fmt/format.h>

namespace appyc::transform {
using namespace ir;

/// One triangle with the diagonal of a square target, by operands laid out alike.
static bool isTriangle(const Product& p, const Matrix& target) {
  if (p.limits.size() != 1 || !equalIndex(p.rows, p.columns)) return false;
  const HalfSpace& h = p.limits.front();
  auto last = [](const Matrix& m) { return static_cast<int>(m.at.size()) - 1; };
  return h.inner == 0 && h.row * h.column == -1 && isConst(h.bound, 0) && target.column == last(target) &&
         ((p.a.column == last(p.a) && p.b.row == last(p.b)) ||
          (p.a.row == last(p.a) && p.b.column == last(p.b)));
}

bool LibraryProducts::fits(const Product& p, const Matrix& target, DType type) const {
  return ctx_.library && ctx_.cuda && (isFloat(type) || isComplex(type)) && isContiguous(p.a) &&
         isContiguous(p.b) && isContiguous(target) && (p.limits.empty() || isTriangle(p, target));
}

bool LibraryProducts::isPartOfOne(const Product& p, const MatMul& m) const {
  Product whole = p;
  whole.limits.clear();
  return !m.limits.empty() && !readsTarget(m) && fits(whole, m.target, m.type) &&
         std::all_of(m.limits.begin(), m.limits.end(), [](const HalfSpace& h) { return h.inner == 0; });
}

MatMul LibraryProducts::product(const Product& p, const Matrix& target, DType type, const Expr& beta) const {
  return {type,
          target,
          p.a,
          p.b,
          p.rows,
          p.columns,
          p.inner,
          p.scale,
          beta,
          p.limits,
          fits(p, target, type),
          p.scalesSum};
}

void LibraryProducts::report(const MatMul& m, bool isBatch, Span span) const {
  ctx_.diag.report(DiagId::Product, span,
                   fmt::format("{} of {} x {} x {}{}: {}",
                               isBatch ? "a batch of matrix products" : "a matrix product", print(m.rows),
                               print(m.inner), print(m.columns), m.limits.empty() ? "" : " within limits",
                               m.library   ? "cuBLAS computes it"
                               : ctx_.cuda ? "tiles in shared memory compute it"
                                           : "tiles in the caches compute it"));
}

std::optional<Buffer> MadeProducts::find(const MatMul& m) const {
  for (const auto& [o, buffer] : made_)
    if (o.type == m.type && sameMatrix(o.a, m.a) && sameMatrix(o.b, m.b) && equalIndex(o.rows, m.rows) &&
        equalIndex(o.columns, m.columns) && equalIndex(o.inner, m.inner) && equal(o.alpha, m.alpha) &&
        o.scalesSum == m.scalesSum && o.limits.empty() && m.limits.empty())
      return buffer;
  return std::nullopt;
}

void MadeProducts::forget(const std::vector<Stmt>& list) {
  std::set<Symbol> stored;
  for (const Stmt& s : list) stored.merge(storedBuffers(s));
  std::erase_if(made_, [&](const auto& made) {
    return stored.count(made.first.a.buffer) || stored.count(made.first.b.buffer);
  });
}

} // namespace appyc::transform
