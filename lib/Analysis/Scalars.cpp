//===- Scalars.cpp - scalars of a loop body: private, reduced or carried --------------------------------------------===//
#include "Scalars.h"
#include "appyc/Analysis/Dependence.h"
#include "appyc/IR/Build.h"
#include "appyc/IR/Rewrite.h"
#include <algorithm>
#include <map>
#include <optional>

namespace appyc::analysis {

namespace {

/// Walks one iteration in order; collects scalars that are read before they are surely assigned.
struct Exposure {
  const std::set<Symbol>* assigned; ///< only these are asked about; null: all
  std::set<Symbol> exposed;

  void read(const ir::Expr& e, const std::set<Symbol>& defined) {
    ir::visit(e, [&](const ir::Expr& x) {
      if (const auto* v = x.as<ir::Var>(); v && (!assigned || assigned->count(v->name)) && !defined.count(v->name)) exposed.insert(v->name);
      return true;
    });
  }
  void walk(const ir::Stmt& s, std::set<Symbol>& defined) {
    if (const auto* b = s.as<ir::Block>()) {
      for (const ir::Stmt& child : b->body) walk(child, defined);
      return;
    }
    ir::forEachExpr(s, [&](const ir::Expr& e) { read(e, defined); });
    if (const auto* a = s.as<ir::Assign>()) {
      defined.insert(a->var);
    } else if (const auto* f = s.as<ir::For>()) {
      std::set<Symbol> inside = defined; // may run zero times: nothing it defines is sure afterwards
      inside.insert(f->index);
      walk(f->body, inside);
    } else if (const auto* w = s.as<ir::While>()) {
      std::set<Symbol> inside = defined;
      walk(w->body, inside);
    } else if (const auto* i = s.as<ir::If>()) {
      std::set<Symbol> then = defined, otherwise = defined;
      walk(i->then, then);
      if (i->otherwise) walk(i->otherwise, otherwise);
      std::set_intersection(then.begin(), then.end(), otherwise.begin(), otherwise.end(), std::inserter(defined, defined.end()));
    }
  }
};

struct Update {
  ir::ReduceOp op;
  ir::Expr operand;
};

/// `value` as `v op e` with e free of v.
std::optional<Update> updateOf(const ir::Expr& value, Symbol v) {
  auto isV = [&](const ir::Expr& e) {
    const auto* x = e.as<ir::Var>();
    return x && x->name == v;
  };
  if (const auto* s = value.as<ir::Select>(); s && ir::isInteger(s->type) && isV(s->otherwise)) { // e if e > v else v
    const auto* c = s->cond.as<ir::Binary>();
    if (!c || !isV(c->rhs) || !ir::equal(c->lhs, s->then) || ir::mentions(s->then, v)) return std::nullopt;
    if (c->op == ir::BinaryOp::Gt) return Update{ir::ReduceOp::Max, s->then};
    if (c->op == ir::BinaryOp::Lt) return Update{ir::ReduceOp::Min, s->then};
    return std::nullopt;
  }
  const auto* b = value.as<ir::Binary>();
  if (!b) return std::nullopt;
  bool left = isV(b->lhs), right = isV(b->rhs);
  ir::Expr operand = left ? b->rhs : b->lhs;
  if (left == right || ir::mentions(operand, v)) return std::nullopt;
  switch (b->op) {
  case ir::BinaryOp::Add: return Update{ir::ReduceOp::Sum, operand};
  case ir::BinaryOp::Sub: return left ? std::optional(Update{ir::ReduceOp::Sum, ir::unary(ir::UnaryOp::Neg, operand)}) : std::nullopt;
  case ir::BinaryOp::Mul: return Update{ir::ReduceOp::Prod, operand};
  case ir::BinaryOp::Min: return Update{ir::ReduceOp::Min, operand};
  case ir::BinaryOp::Max: return Update{ir::ReduceOp::Max, operand};
  case ir::BinaryOp::LogicalAnd: return Update{ir::ReduceOp::And, operand};
  case ir::BinaryOp::LogicalOr: return Update{ir::ReduceOp::Or, operand};
  default: return std::nullopt;
  }
}

/// The one reduction operator of all uses of `v` in `body`, if its only uses are updates by it.
std::optional<ir::Reduction> reductionOf(const ir::Stmt& body, Symbol v) {
  int reads = 0, updates = 0;
  bool other = false;
  std::optional<ir::Reduction> found;
  ir::visit(
      body,
      [&](const ir::Stmt& s) {
        const auto* a = s.as<ir::Assign>();
        if (!a || !(a->var == v)) return true;
        std::optional<Update> u = updateOf(a->value, v);
        other |= !u || (found && found->op != u->op);
        if (u) found = ir::Reduction{v, ir::typeOf(a->value), u->op};
        // `v if not e > v else e` names v twice
        updates += a->value.is<ir::Select>() ? 2 : 1;
        return true;
      },
      [&](const ir::Expr& e) {
        if (const auto* x = e.as<ir::Var>()) reads += x->name == v;
        return true;
      });
  return !other && reads == updates ? found : std::nullopt;
}

} // namespace

std::set<Symbol> exposedScalars(const ir::Stmt& s) {
  Exposure exposure{nullptr, {}};
  std::set<Symbol> defined;
  exposure.walk(s, defined);
  return exposure.exposed;
}

ScalarFacts classifyScalars(const ir::Stmt& body) {
  ScalarFacts facts;
  std::set<Symbol> assigned = ir::assignedVars(body), defined;
  Exposure exposure{&assigned, {}};
  exposure.walk(body, defined);
  for (Symbol v : assigned) {
    if (!exposure.exposed.count(v)) facts.privates.insert(v);
    else if (std::optional<ir::Reduction> r = reductionOf(body, v)) facts.reductions.push_back(*r);
    else facts.carried.push_back(v);
  }
  return facts;
}

} // namespace appyc::analysis
