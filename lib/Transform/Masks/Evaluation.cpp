//===- Evaluation.cpp - straight code with what its scalars hold, under assumptions ---------------------===//
#include "Evaluation.h"
#include "appyc/IR/Build.h"
#include "appyc/IR/Rewrite.h"
#include "appyc/IR/Simplify.h"
#include <algorithm>

namespace appyc::transform {
using namespace ir;

namespace {

bool isComparison(const Expr& e) {
  const auto* b = e.as<Binary>();
  return b && b->op >= BinaryOp::Eq && b->op <= BinaryOp::Ge;
}

/// Values are trees: one that grows with each assignment is given up.
bool isLarge(const Expr& e) {
  constexpr int mostNodes = 256;
  int nodes = 0;
  visit(e, [&](const Expr&) { return ++nodes <= mostNodes; });
  return nodes > mostNodes;
}

} // namespace

/// A comparison of resolved operands is what an assumption says of it.
Expr Evaluation::rebuilt(const Expr& e) const {
  if (isComparison(e))
    for (const Assumption& a : assumptions_) {
      if (equal(a.comparison, e)) return boolConst(a.holds);
      if (equal(unary(UnaryOp::LogicalNot, a.comparison), e)) return boolConst(!a.holds);
    }
  return simplifiedNode(e);
}

Expr Evaluation::resolved(const Expr& e) const {
  if (const auto* v = e.as<Var>()) {
    const auto found = values_.find(v->name);
    return found == values_.end() ? e : found->second;
  }
  return rebuilt(mapChildren(e, [&](const Expr& child) { return resolved(child); }));
}

Expr Evaluation::valueOf(const Symbol& scalar, DType type) const { return resolved(var(scalar, type)); }

bool Evaluation::isKnown(const Expr& e) const {
  const std::set<Symbol> free = freeVars(e);
  return std::none_of(free.begin(), free.end(), [&](const Symbol& s) { return unknowns_.count(s) > 0; });
}

/// With what is constant put in, and comparisons noted.
Expr Evaluation::simplified(const Expr& e, bool always) {
  if (const auto* v = e.as<Var>()) {
    const auto found = values_.find(v->name);
    return found != values_.end() && found->second.is<Const>() ? found->second : e;
  }
  if (isComparison(e)) {
    Expr value = resolved(e);
    if (value.is<Const>()) return value;
    comparisons.push_back(value);
  }
  if (always && e.is<Load>()) loads.push_back(resolved(e));
  const auto* choice = e.as<Select>();
  const auto* logical = e.as<Binary>();
  if (logical && logical->op != BinaryOp::LogicalAnd && logical->op != BinaryOp::LogicalOr) logical = nullptr;
  bool first = true; // what always runs of a choice or of `and` and `or`
  const Expr inner = mapChildren(e, [&](const Expr& child) {
    const bool runs = always && (first || (!choice && !logical));
    first = false;
    return simplified(child, runs);
  });
  return inner == e ? e : simplifiedNode(inner);
}

void Evaluation::set(const Symbol& scalar, Expr value) {
  if (isLarge(value)) {
    const Symbol unknown("unknown");
    unknowns_.insert(unknown);
    value = var(unknown, typeOf(value));
  }
  values_[scalar] = std::move(value);
}

void Evaluation::forget(const Stmt& s) {
  visit(s, [&](const Stmt& part) {
    const auto* a = part.as<Assign>();
    if (!a) return true;
    const Symbol unknown("unknown");
    unknowns_.insert(unknown);
    values_[a->var] = var(unknown, typeOf(a->value));
    return true;
  });
}

Stmt Evaluation::runIf(const Stmt& s, const If& branch) {
  const Expr cond = simplified(branch.cond, !conditional_);
  if (const auto known = constantBool(resolved(branch.cond))) {
    const Stmt& chosen = *known ? branch.then : branch.otherwise;
    return chosen ? run(chosen) : block({});
  }
  const bool outer = conditional_;
  conditional_ = true;
  const auto before = values_;
  Stmt then = run(branch.then);
  const auto taken = std::exchange(values_, before);
  const Stmt otherwise = branch.otherwise ? run(branch.otherwise) : Stmt();
  conditional_ = outer;
  const auto untaken = values_;
  forget(then);
  if (otherwise) forget(otherwise);
  for (auto& [name, value] : values_) { // what both ways agree on is still known
    const auto a = taken.find(name), b = untaken.find(name);
    if (a != taken.end() && b != untaken.end() && equal(a->second, b->second)) value = a->second;
  }
  const auto isEmpty = [](const Stmt& part) {
    const auto* list = part.as<Block>();
    return list && list->body.empty();
  };
  if (isEmpty(then) && (!otherwise || isEmpty(otherwise))) return then;
  return makeStmt(s->span, If{cond, then, otherwise});
}

Stmt Evaluation::runLoop(const Stmt& s, const For& loop) {
  const bool outer = conditional_;
  conditional_ = true;
  For inner = loop;
  inner.lo = simplified(loop.lo, !outer);
  inner.hi = simplified(loop.hi, !outer);
  inner.step = simplified(loop.step, !outer);
  forget(loop.body); // values of the iteration before
  inner.body = run(loop.body);
  forget(loop.body);
  conditional_ = outer;
  return makeStmt(s->span, std::move(inner));
}

Stmt Evaluation::run(const Stmt& s) {
  if (s.is<Block>()) return mapChildren(s, [&](const Stmt& child) { return run(child); });
  if (const auto* a = s.as<Assign>()) {
    const Expr value = simplified(a->value, !conditional_);
    set(a->var, resolved(a->value));
    return value == a->value ? s : makeStmt(s->span, Assign{a->var, value});
  }
  if (const auto* branch = s.as<If>()) return runIf(s, *branch);
  if (const auto* loop = s.as<For>()) return runLoop(s, *loop);
  if (!s.is<Alloc>()) acts = true;
  if (!s.is<Store>()) {
    forget(s);
    return s;
  }
  return mapExprs(s, [&](const Expr& e) { return simplified(e, !conditional_); });
}

} // namespace appyc::transform
