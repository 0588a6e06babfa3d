//===- FoldScales.cpp - scales of a product's target become part of its factors ---------------------===//
//   C[i, j] = C[i, j] * beta               =>     matmul C = A @ B + beta * C
//   matmul C = A @ B + C
//   matmul C = A @ B                       =>     matmul C = alpha * A @ B
//   C[i, j] = C[i, j] * alpha
//   C[i, j] = 0                            =>     C[i, j] = 0; matmul C = A @ B
//   matmul C = A @ B + C
// Only where both touch the same elements, triangles included. A factor of the target and a product together is
// none of each: an infinite one would make nan of two terms of unlike signs.
#include "Products.h"
#include "appyc/IR/Dsl.h"
#include "appyc/IR/Rewrite.h"
#include <algorithm>

namespace appyc::transform {

namespace {

using ir::Expr;
using ir::Stmt;

bool sameLimits(std::vector<ir::HalfSpace> a, std::vector<ir::HalfSpace> b) {
  // Limits of the sum do not matter.
  for (auto* list : {&a, &b}) std::erase_if(*list, [](const ir::HalfSpace& h) { return h.inner != 0; });
  return std::is_permutation(
      a.begin(), a.end(), b.begin(), b.end(), [](const ir::HalfSpace& x, const ir::HalfSpace& y) {
        return x.row == y.row && x.column == y.column && ir::equalIndex(x.bound, y.bound);
      });
}

/// The factor, known to the host, by which `s` multiplies exactly the elements that `m` updates; else empty.
Expr scaleOf(const Stmt& s, const ir::MatMul& m, const ProductBuilder& builder) {
  if (!ir::storedBuffers(s).count(m.target.buffer)) return {};
  std::optional<Nest> nest = nestOf(s);
  if (!nest || nest->axes.size() != 2 || nest->leaf.target != m.target.buffer) return {};
  std::vector<Term> terms = termsOf(nest->leaf.value);
  if (terms.size() != 1 || !terms[0].over.empty()) return {};
  auto isSelf = [&](const Expr& f) {
    const auto* l = f.as<ir::Load>();
    return l && l->buffer == m.target.buffer && ir::equalIndices(l->index, nest->leaf.index);
  };
  std::vector<Expr>& factors = terms[0].factors;
  auto self = std::find_if(factors.begin(), factors.end(), isSelf);
  if (self == factors.end() || factors.size() < 2) return {};
  factors.erase(self);
  if (!std::all_of(factors.begin(), factors.end(), [&](const Expr& f) { return builder.isHostKnown(f); }))
    return {};
  Product p;
  p.axes = nest->axes;
  if (!setBoxes(p.axes)) return {};
  std::vector<Expr> index;
  for (const Expr& e : nest->leaf.index) index.push_back(ir::substitute(e, nest->toShifted));
  const Expr& row = index[static_cast<size_t>(m.target.row)];
  size_t first = ir::mentions(row, p.axes[0].index) ? 0 : 1;
  p.roles = {{first}, {1 - first}, {}, {}};
  auto target = builder.matrixOf(m.target.buffer, index, p.axes, p.roles.rows, p.roles.columns);
  auto limits = builder.limitsOf(p);
  auto extent = [&](size_t i) { return p.axes[i].boxHi - p.axes[i].boxLo; };
  bool same = target && limits && target->row == m.target.row && target->column == m.target.column &&
              ir::equalIndices(target->at, m.target.at) && ir::equalIndex(extent(first), m.rows) &&
              ir::equalIndex(extent(1 - first), m.columns) && sameLimits(*limits, m.limits);
  return same ? textOf(terms[0], m.type) : Expr();
}

struct ScaledList {
  std::vector<Stmt> body;
  const ProductBuilder& builder;

  /// The nearest statement before (or after) `at` that touches the buffer.
  std::optional<size_t> neighbour(size_t at, const Symbol& buffer, bool after) const {
    for (size_t i = at; after ? ++i < body.size() : i-- > 0;)
      if (touches(body[i], buffer)) return i;
    return std::nullopt;
  }
  /// What has been set to 0 is not read. It may be more than the product stores, so it stays.
  bool startFromZero(size_t at) {
    ir::MatMul m = *body[at].as<ir::MatMul>();
    const std::optional<size_t> i = neighbour(at, m.target.buffer, false);
    if (!i || !isOne(m.beta)) return false;
    const std::optional<Nest> nest = nestOf(body[*i]);
    const Expr zero = ir::constOf(m.type, 0);
    if (!nest || nest->leaf.atomicOp || !ir::equal(nest->leaf.value, zero) ||
        !analysis::overwrite({body[*i]}, body[at], m.target.buffer, true, builder.known()))
      return false;
    m.beta = zero;
    body[at] = ir::makeStmt(body[at]->span, std::move(m));
    return true;
  }
  void erase(size_t i) { body.erase(body.begin() + static_cast<std::ptrdiff_t>(i)); }

  bool foldBefore(size_t at) {
    ir::MatMul m = *body[at].as<ir::MatMul>();
    if (!ir::readsTarget(m)) return false;
    std::optional<size_t> i = neighbour(at, m.target.buffer, false);
    Expr factor = i ? scaleOf(body[*i], m, builder) : Expr();
    if (!factor) return false;
    m.beta = times(m.beta, factor);
    body[at] = ir::makeStmt(body[at]->span, std::move(m));
    erase(*i);
    return true;
  }
  /// Only for one product: of several, the later ones would read a target that is scaled already.
  bool foldAfter(size_t at) {
    ir::MatMul m = *body[at].as<ir::MatMul>();
    std::optional<size_t> i = neighbour(at, m.target.buffer, true);
    Expr factor = i ? scaleOf(body[*i], m, builder) : Expr();
    std::optional<size_t> previous = neighbour(at, m.target.buffer, false);
    if (!factor || (previous && body[*previous].is<ir::MatMul>())) return false;
    if (ir::readsTarget(m) && !factor.is<ir::Const>()) return false;
    // What was added up of nothing is scaled, too, where it is all there is.
    const bool scalesTerms = !m.scalesSum && !m.alpha.is<ir::Const>();
    if (!ir::readsTarget(m) && !factor.is<ir::Const>()) {
      if (scalesTerms) return false;
      m.scalesSum = true;
    }
    m.alpha = times(m.alpha, factor);
    if (ir::readsTarget(m)) m.beta = times(m.beta, factor);
    body[at] = ir::makeStmt(body[at]->span, std::move(m));
    erase(*i);
    return true;
  }
};

} // namespace

std::vector<Stmt> foldScales(std::vector<Stmt> body, const ProductBuilder& builder) {
  ScaledList list{std::move(body), builder};
  for (size_t i = 0; i < list.body.size(); ++i)
    while (list.body[i].is<ir::MatMul>()) {
      const size_t count = list.body.size();
      if (list.foldBefore(i))
        --i;
      else if (list.startFromZero(i))
        continue;
      else if (!list.foldAfter(i) || list.body.size() == count)
        break;
    }
  return std::move(list.body);
}

} // namespace appyc::transform
