//===- AffineSteps.cpp - steps x = a * x + b -----------------------------------------------------------===//
//   d = v[i] - mean
//   mean = mean + d / n        =>   a = 1 + -1 / n,  b = v[i] / n
#include "ScanLoops.h"
#include "appyc/IR/Dsl.h"
#include "appyc/IR/Walk.h"
#include "appyc/Loops/Loops.h"

namespace appyc::schedule {
using namespace ir;

namespace {

struct AffineForm {
  Expr a, b;
};

/// The value as a * v + b, of floats that are free of v, where it is made of sums, and of products and quotients with what is.
std::optional<AffineForm> affineForm(const Expr& value, const Symbol& v) {
  const DType type = typeOf(value);
  if (!isFloat(type)) return std::nullopt;
  if (value.is<Var>() && value.as<Var>()->name == v) return AffineForm{constOf(type, 1), constOf(type, 0)};
  if (!mentions(value, v)) return AffineForm{constOf(type, 0), value};
  if (const auto* u = value.as<Unary>(); u && u->op == UnaryOp::Neg) {
    const auto form = affineForm(u->arg, v);
    if (!form) return std::nullopt;
    return AffineForm{unary(UnaryOp::Neg, form->a), unary(UnaryOp::Neg, form->b)};
  }
  const auto* b = value.as<Binary>();
  const bool isSum = b && (b->op == BinaryOp::Add || b->op == BinaryOp::Sub);
  const bool scales = b && ((b->op == BinaryOp::Mul && mentions(b->lhs, v) != mentions(b->rhs, v)) ||
                            (b->op == BinaryOp::Div && !mentions(b->rhs, v)));
  if (!isSum && !scales) return std::nullopt;
  const auto left = affineForm(b->lhs, v), right = affineForm(b->rhs, v);
  if (!left || !right) return std::nullopt;
  if (isSum) return AffineForm{binary(b->op, left->a, right->a), binary(b->op, left->b, right->b)};
  if (mentions(b->lhs, v)) return AffineForm{binary(b->op, left->a, b->rhs), binary(b->op, left->b, b->rhs)};
  return AffineForm{binary(b->op, b->lhs, right->a), binary(b->op, b->lhs, right->b)};
}

} // namespace

std::optional<ScanLoop::Affine> ScanLoop::affineStep(const Symbol& x) const {
  const auto assigned = assignedTo(x);
  const auto form = assigned ? affineForm(assigned->second, x) : std::nullopt;
  if (!form) return std::nullopt;
  std::set<Symbol> needed = freeVars(form->a);
  needed.merge(freeVars(form->b));
  const std::vector<Stmt> before = loops::sliceOf(
      {body.begin(), body.begin() + static_cast<std::ptrdiff_t>(assigned->first)}, std::move(needed));
  const Stmt made = block(before);
  const bool isApart = consistsOf<Assign, Block>(made) && !readScalars(made).count(x) &&
                       !intersect(analysis::exposedScalars(made), assignedVars(block(body)));
  return isApart ? std::optional(Affine{before, form->a, form->b}) : std::nullopt;
}

} // namespace appyc::schedule
