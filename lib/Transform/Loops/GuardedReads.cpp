//===- GuardedReads.cpp - what an expression reads, under the conditions on which it is read -------------===//
#include "GuardedReads.h"
#include "appyc/IR/Build.h"
#include "appyc/IR/Rewrite.h"
#include <algorithm>

namespace appyc::transform {

using namespace ir;

void GuardedReads::guarded(const Expr& cond, const Expr& whenTrue, const Expr& whenFalse, Span where,
                           List& out) {
  const std::vector<Expr> seen = seen_;
  List then, otherwise;
  if (whenTrue) read(whenTrue, where, then);
  seen_ = seen;
  if (whenFalse) read(whenFalse, where, otherwise);
  seen_ = seen;
  const auto made = [&](List list) { return makeStmt(where, Block{std::move(list)}); };
  if (!then.empty())
    out.push_back(makeStmt(where, If{cond, made(then), otherwise.empty() ? Stmt() : made(otherwise)}));
  else if (!otherwise.empty())
    out.push_back(makeStmt(where, If{unary(UnaryOp::LogicalNot, cond), made(otherwise), {}}));
}

void GuardedReads::read(const Expr& e, Span where, List& out) {
  if (const auto* choice = e.as<Select>()) {
    read(choice->cond, where, out);
    return guarded(choice->cond, choice->then, choice->otherwise, where, out);
  }
  if (const auto* b = e.as<Binary>(); b && b->op == BinaryOp::LogicalAnd)
    return read(b->lhs, where, out), guarded(b->lhs, b->rhs, {}, where, out);
  if (const auto* b = e.as<Binary>(); b && b->op == BinaryOp::LogicalOr)
    return read(b->lhs, where, out), guarded(b->lhs, {}, b->rhs, where, out);
  mapChildren(e, [&](const Expr& child) {
    read(child, where, out);
    return child;
  });
  const auto* l = e.as<Load>();
  if (!l || std::any_of(seen_.begin(), seen_.end(), [&](const Expr& other) { return equal(e, other); }))
    return;
  seen_.push_back(e);
  onLoad_(*l, out);
}

} // namespace appyc::transform
