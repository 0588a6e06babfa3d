//===- Recurrences.cpp - iterations that sum over all earlier ones ----------------------------------===//
#include "Recurrences.h"
#include "Bounds.h"
#include "appyc/Analysis/Dependence.h"
#include "appyc/IR/Build.h"
#include "appyc/IR/Rewrite.h"
#include <algorithm>

namespace appyc::schedule {
using namespace ir;

bool isPlainLoop(const For& loop) { return loop.mark == LoopMark::None && isConst(loop.step, 1); }

/// Does it choose between values, so that not all it reads need be there?
static bool chooses(const Expr& e) {
  bool found = false;
  visit(e, [&](const Expr& part) {
    const auto* b = part.as<Binary>();
    found =
        found || part.is<Select>() || (b && (b->op == BinaryOp::LogicalAnd || b->op == BinaryOp::LogicalOr));
    return !found;
  });
  return found;
}

static bool chooses(const Stmt& s) {
  bool found = false;
  forEachExpr(s, [&](const Expr& e) { found = found || chooses(e); });
  return found;
}

std::optional<Recurrence> recurrenceIn(const std::vector<Stmt>& body, const For& rows) {
  if (body.size() < 3) return {};
  const auto* start = body[0].as<Assign>();
  const auto* inner = body[1].as<For>();
  if (!start || !start->value.is<Const>() || !inner || !isPlainLoop(*inner) || inner->reductions.size() != 1)
    return {};
  const Reduction& fold = inner->reductions.front();
  const auto* step = inner->body.as<Assign>();
  const auto* through = inner->hi.as<Var>();
  if (fold.var != start->var || !step || !through || through->name != rows.index ||
      !equalIndex(inner->lo, rows.lo))
    return {};
  // `total = total op term`, told by what a plain term would give.
  Recurrence r{&rows, inner, fold.var, fold.type, fold.op, start->value, {}, {}};
  const Expr total = var(fold.var, fold.type);
  if (const auto* b = step->value.as<Binary>(); b && equal(b->lhs, total)) r.term = b->rhs;
  if (!r.term || !equal(step->value, combine(fold.op, total, r.term)) || mentions(r.term, fold.var))
    return {};
  r.rest.assign(body.begin() + 2, body.end());
  for (const Stmt& s : r.rest) {
    const auto* store = s.as<Store>();
    if (!(s.is<Assign>() || (store && !store->atomicOp)) || chooses(s)) return {};
  }
  return chooses(r.term) ? std::nullopt : std::optional(r);
}

static int readsOf(const Stmt& s, const Symbol& name) {
  int count = 0;
  visit(
      s, [](const Stmt&) { return true; },
      [&](const Expr& e) {
        const auto* v = e.as<Var>();
        count += v && v->name == name;
        return true;
      });
  return count;
}

bool scalarsAreOwn(const Recurrence& r, const Function& function) {
  const Stmt rest = block(r.rest), all = block({makeStmt({}, *r.earlier), rest});
  std::set<Symbol> exposed = analysis::exposedScalars(rest), assigned = assignedVars(rest);
  if (assigned.count(r.total)) return false;
  exposed.erase(r.total);
  assigned.insert(r.total);
  return std::none_of(assigned.begin(), assigned.end(), [&](const Symbol& s) {
    return exposed.count(s) || readsOf(function.body, s) != readsOf(all, s);
  });
}

} // namespace appyc::schedule
