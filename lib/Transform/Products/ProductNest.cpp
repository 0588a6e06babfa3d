//===- ProductNest.cpp - axes, boxes and terms of a loop nest ---------------------------------------===//
#include "Products.h"
#include "appyc/IR/Dsl.h"
#include "appyc/IR/Rewrite.h"
#include "appyc/IR/Simplify.h"
#include <algorithm>
#include <utility>

namespace appyc::transform {

using ir::Expr;
using ir::Stmt;

//===--- axes ---------------------------------------------------------------------------------------===//

bool mentionsAny(const Expr& e, const std::vector<Axis>& axes) {
  return std::any_of(axes.begin(), axes.end(), [&](const Axis& a) { return ir::mentions(e, a.index); });
}

void collectSubscripts(const Expr& e, std::vector<Expr>& out) {
  ir::visit(e, [&](const Expr& part) {
    if (const auto* l = part.as<ir::Load>()) out.insert(out.end(), l->index.begin(), l->index.end());
    return true;
  });
}

/// `e` below which an index stays: max(e, 0) bounds as e does, min(a, b) as a and b.
static void addUpperBounds(const Expr& e, std::vector<Expr>& out) {
  const Expr end = ir::unclipped(e);
  const auto* b = end.as<ir::Binary>();
  if (!b || b->op != ir::BinaryOp::Min) return out.push_back(end);
  addUpperBounds(b->lhs, out);
  addUpperBounds(b->rhs, out);
}

static Axis axisOf(Symbol index, const Expr& lo, const Expr& hi) {
  Axis axis{std::move(index), lo, {}, {}, {}};
  addUpperBounds(hi, axis.his);
  return axis;
}

Expr shift(Axis& axis, const std::vector<Axis>& before, const std::vector<Expr>& subscripts) {
  for (const Expr& e : subscripts) {
    if (coefficientOf(e, axis.index) != 1) continue;
    Expr rest = e - ir::var(axis.index);
    if (!mentionsAny(rest, before)) continue;
    axis.lo = axis.lo + rest;
    for (Expr& hi : axis.his) hi = hi + rest;
    return rest;
  }
  return {};
}

/// The end of `e`'s range over the axes before, as a box; empty when it is not linear.
static Expr extreme(Expr e, const std::vector<Axis>& axes, size_t before, bool upper) {
  for (size_t i = before; i-- > 0;) {
    const Axis& axis = axes[i];
    std::optional<int64_t> c = coefficientOf(e, axis.index);
    if (!c) return {};
    if (*c == 0) continue;
    // Later axes have gone; the box of this one mentions none.
    Expr end = (*c > 0) == upper ? axis.boxHi - 1 : axis.boxLo;
    e = ir::substitute(e, {{axis.index, end}});
  }
  return e;
}

bool setBoxes(std::vector<Axis>& axes) {
  for (size_t i = 0; i < axes.size(); ++i) {
    Axis& axis = axes[i];
    axis.boxLo = extreme(axis.lo, axes, i, false);
    axis.boxHi = {};
    for (const Expr& hi : axis.his) {
      Expr end = extreme(hi, axes, i, true);
      if (!end) return false;
      axis.boxHi = axis.boxHi ? ir::minOf(axis.boxHi, end) : end;
    }
    if (!axis.boxLo || !axis.boxHi || mentionsAny(axis.boxLo, axes) || mentionsAny(axis.boxHi, axes))
      return false;
  }
  return true;
}

//===--- nests --------------------------------------------------------------------------------------===//

static bool readsNoMemory(const std::vector<Axis>& axes, const std::vector<Expr>& index) {
  auto free = [](const Expr& e) { return !ir::readsMemory(e); };
  return std::all_of(index.begin(), index.end(), free) &&
         std::all_of(axes.begin(), axes.end(), [&](const Axis& a) {
           return free(a.lo) && std::all_of(a.his.begin(), a.his.end(), free);
         });
}

/// Domain axes that occur as part of a sum are counted by the sum.
static void shiftDomain(Nest& nest) {
  std::vector<Expr> subscripts = nest.leaf.index;
  collectSubscripts(nest.leaf.value, subscripts);
  for (size_t i = nest.loops.size(); i < nest.axes.size(); ++i) {
    Axis& axis = nest.axes[i];
    std::vector<Axis> before(nest.axes.begin(), nest.axes.begin() + static_cast<std::ptrdiff_t>(i));
    Expr rest = shift(axis, before, subscripts);
    if (!rest) continue;
    Symbol sum(axis.index.hint());
    nest.toShifted[axis.index] = ir::var(sum) - ir::substitute(rest, nest.toShifted);
    nest.toText[sum] = ir::var(axis.index) + rest;
    for (Expr& e : subscripts) e = ir::substitute(e, {{axis.index, nest.toShifted[axis.index]}});
    axis.index = sum;
    axis.lo = ir::substitute(axis.lo, nest.toShifted);
    for (Expr& hi : axis.his) hi = ir::substitute(hi, nest.toShifted);
  }
}

std::optional<ir::IndexStmt> leafOf(const Stmt& s) {
  if (const auto* index = s.as<ir::IndexStmt>()) return *index;
  const auto* store = s.as<ir::Store>();
  if (!store) return std::nullopt;
  return ir::IndexStmt{{}, store->buffer, store->index, store->value, store->atomicOp, true, 0};
}

std::optional<Nest> nestOf(const Stmt& s) {
  Nest nest;
  Stmt body = s;
  while (const auto* loop = body.as<ir::For>()) {
    if (!ir::isConst(loop->step, 1) || loop->hints.mark == ir::LoopMark::Sequential) return std::nullopt;
    nest.loops.push_back(loop);
    nest.axes.push_back(axisOf(loop->index, loop->lo, loop->hi));
    body = loop->body;
  }
  nest.span = body->span;
  const std::optional<ir::IndexStmt> leaf = leafOf(body);
  if (!leaf) return std::nullopt;
  nest.leaf = *leaf;
  if (nest.leaf.atomicOp || !nest.leaf.noOverlap || ir::isBool(ir::typeOf(nest.leaf.value)))
    return std::nullopt;
  for (const ir::Range& range : nest.leaf.domain)
    nest.axes.push_back(axisOf(range.index, ir::intConst(0), range.extent));
  if (nest.axes.size() < 2 || !readsNoMemory(nest.axes, nest.leaf.index)) return std::nullopt;
  shiftDomain(nest);
  return nest;
}

//===--- terms --------------------------------------------------------------------------------------===//

/// The factors of a product; signs are counted in `negative`.
static void flattenProduct(const Expr& e, std::vector<Expr>& factors, bool& negative) {
  const auto* b = e.as<ir::Binary>();
  if (b && b->op == ir::BinaryOp::Mul) {
    flattenProduct(b->lhs, factors, negative);
    return flattenProduct(b->rhs, factors, negative);
  }
  if (const auto* u = e.as<ir::Unary>(); u && u->op == ir::UnaryOp::Neg) {
    negative = !negative;
    return flattenProduct(u->arg, factors, negative);
  }
  factors.push_back(e);
}

static void split(const Expr& e, const Term& around, std::vector<Term>& out) {
  const auto* b = e.as<ir::Binary>();
  if (b && (b->op == ir::BinaryOp::Add || b->op == ir::BinaryOp::Sub)) {
    split(b->lhs, around, out);
    Term right = around;
    right.negative ^= b->op == ir::BinaryOp::Sub;
    return split(b->rhs, right, out);
  }
  if (const auto* u = e.as<ir::Unary>(); u && u->op == ir::UnaryOp::Neg) {
    Term negated = around;
    negated.negative = !negated.negative;
    return split(u->arg, negated, out);
  }
  Term term = around;
  std::vector<Expr> factors;
  flattenProduct(e, factors, term.negative);
  auto isSum = [](const Expr& f) {
    const auto* r = f.as<ir::Reduce>();
    return r && r->op == ir::ReduceOp::Sum;
  };
  auto sum = std::find_if(factors.begin(), factors.end(), isSum);
  if (sum == factors.end() || std::count_if(factors.begin(), factors.end(), isSum) > 1) {
    term.factors.insert(term.factors.end(), factors.begin(), factors.end());
    return out.push_back(std::move(term));
  }
  const ir::Reduce reduce = *sum->as<ir::Reduce>();
  factors.erase(sum);
  term.factors.insert(term.factors.end(), factors.begin(), factors.end());
  term.ofSum = term.factors.size();
  term.over.insert(term.over.end(), reduce.over.begin(), reduce.over.end());
  split(reduce.body, term, out);
}

std::vector<Term> termsOf(const Expr& value) {
  std::vector<Term> out;
  split(value, {}, out);
  return out;
}

Expr textOf(const Term& term, ir::DType type) {
  const auto productOf = [&](size_t from, size_t to) {
    Expr product;
    for (size_t i = from; i < to; ++i)
      product = product ? ir::binary(ir::BinaryOp::Mul, product, term.factors[i]) : term.factors[i];
    return product;
  };
  Expr product = productOf(term.ofSum, term.factors.size());
  if (!term.over.empty()) product = ir::make(ir::Reduce{type, ir::ReduceOp::Sum, term.over, product});
  if (term.ofSum > 0) product = ir::binary(ir::BinaryOp::Mul, productOf(0, term.ofSum), product);
  return term.negative ? ir::unary(ir::UnaryOp::Neg, product) : product;
}

} // namespace appyc::transform
