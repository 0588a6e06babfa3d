//===- Scalars.cpp - scalars of a loop body: private, reduced or carried ----------------------------===//
#include "Scalars.h"
#include "appyc/Analysis/Dependence.h"
#include "appyc/IR/Build.h"
#include "appyc/IR/Walk.h"
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
    ir::each<ir::Var>(e, [&](const ir::Var& v) {
      if ((!assigned || assigned->count(v.name)) && !defined.count(v.name)) exposed.insert(v.name);
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
    } else if (s.is<ir::Only>()) { // by one of many: nothing that it defines is sure afterwards
      ir::forEachChild(s, [&](const ir::Stmt& side) {
        std::set<Symbol> inside = defined;
        walk(side, inside);
      });
    } else if (const auto* i = s.as<ir::If>()) {
      std::set<Symbol> then = defined, otherwise = defined;
      walk(i->then, then);
      if (i->otherwise) walk(i->otherwise, otherwise);
      std::set_intersection(then.begin(), then.end(), otherwise.begin(), otherwise.end(),
                            std::inserter(defined, defined.end()));
    }
  }
};

/// The fold that a binary operator is a step of.
std::optional<ir::ReduceOp> foldOf(const ir::Binary& b) {
  switch (b.op) {
  case ir::BinaryOp::Add:
  case ir::BinaryOp::Sub: return ir::ReduceOp::Sum;
  case ir::BinaryOp::Mul: return ir::ReduceOp::Prod;
  case ir::BinaryOp::Min: return ir::ReduceOp::Min;
  case ir::BinaryOp::Max: return ir::ReduceOp::Max;
  case ir::BinaryOp::BitAnd:
  case ir::BinaryOp::LogicalAnd: return ir::ReduceOp::And;
  case ir::BinaryOp::BitOr:
  case ir::BinaryOp::LogicalOr: return ir::ReduceOp::Or;
  case ir::BinaryOp::BitXor: return ir::ReduceOp::Xor;
  default: return std::nullopt;
  }
}

bool isVar(const ir::Expr& e, const Symbol& v) {
  const auto* x = e.as<ir::Var>();
  return x && x->name == v;
}

/// Is `e` v, or v folded by `op` with operands free of v: `v + a - b`?
bool foldsInto(const ir::Expr& e, const Symbol& v, ir::ReduceOp op) {
  if (isVar(e, v)) return true;
  const auto* b = e.as<ir::Binary>();
  if (!b || foldOf(*b) != op) return false;
  if (!ir::mentions(b->rhs, v)) return foldsInto(b->lhs, v, op);
  return b->op != ir::BinaryOp::Sub && !ir::mentions(b->lhs, v) && foldsInto(b->rhs, v, op);
}

/// The operator by which `v = value` collects into v.
std::optional<ir::ReduceOp> updateOf(const ir::Expr& value, const Symbol& v) {
  if (const auto* s = value.as<ir::Select>()) {
    const auto extreme = ir::extremeOf(*s, [&](const ir::Expr& e) { return isVar(e, v); });
    return extreme && !ir::mentions(extreme->by, v) ? std::optional(extreme->op) : std::nullopt;
  }
  const auto* b = value.as<ir::Binary>();
  std::optional<ir::ReduceOp> op = b ? foldOf(*b) : std::nullopt;
  return op && foldsInto(value, v, *op) ? op : std::nullopt;
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
        std::optional<ir::ReduceOp> op = updateOf(a->value, v);
        other |= !op || (found && found->op != *op);
        if (op) found = ir::Reduction{v, ir::typeOf(a->value), *op};
        // `e if e > v else v` names v twice
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

std::set<Symbol> handedOn(const ir::Stmt& body) {
  return ir::intersection(ir::assignedVars(body), exposedScalars(body));
}
bool hasOwnScalars(const ir::Stmt& body, const std::set<Symbol>& liveAfter) {
  return !ir::intersect(ir::assignedVars(body), liveAfter) && handedOn(body).empty();
}

ScalarFacts classifyScalars(const ir::Stmt& body) {
  ScalarFacts facts;
  std::set<Symbol> assigned = ir::assignedVars(body), defined;
  Exposure exposure{&assigned, {}};
  exposure.walk(body, defined);
  facts.surelyAssigned = ir::intersection(assigned, defined);
  for (const Symbol& v : assigned) {
    if (!exposure.exposed.count(v))
      facts.privates.insert(v);
    else if (std::optional<ir::Reduction> r = reductionOf(body, v))
      facts.reductions.push_back(*r);
    else
      facts.carried.push_back(v);
  }
  return facts;
}

} // namespace appyc::analysis
