//===- Recurrences.cpp - iterations that sum over all earlier ones ----------------------------------===//
#include "Recurrences.h"
#include "appyc/Analysis/Dependence.h"
#include "appyc/IR/Dsl.h"
#include "appyc/IR/Rewrite.h"
#include <algorithm>

namespace appyc::schedule {
using namespace ir;

bool isPlainLoop(const For& loop) { return loop.hints.mark == LoopMark::None && isConst(loop.step, 1); }

Stmt upward(const Stmt& s) {
  const auto* loop = s.as<For>();
  if (!loop || !isConst(loop->step, -1)) return loop ? s : Stmt();
  const Symbol i(loop->index.hint());
  For up = *loop;
  up.index = i;
  up.lo = intConst(0), up.hi = loop->lo - loop->hi, up.step = intConst(1);
  up.body = substitute(loop->body, {{loop->index, loop->lo - var(i)}});
  return makeStmt(s->span, std::move(up));
}

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

/// The same with earlier iterations counted by `k` from lo to i: `index` is what the loop's own index was.
static Recurrence counting(const Recurrence& r, const Symbol& k, const Expr& index) {
  const std::map<Symbol, Expr> renamed{{r.earlier->index, index}};
  For again = *r.earlier;
  again.index = k;
  again.lo = r.rows->lo;
  again.hi = var(r.rows->index);
  again.body = substitute(again.body, renamed);
  Recurrence out = r;
  out.loop = makeStmt(r.loop->span, std::move(again));
  out.earlier = out.loop.as<For>();
  out.term = substitute(r.term, renamed);
  return out;
}

std::optional<Recurrence> recurrenceIn(const std::vector<Stmt>& body, const For& rows) {
  if (body.size() < 3) return {};
  const auto* start = body[0].as<Assign>();
  const auto* inner = body[1].as<For>();
  if (!start || !start->value.is<Const>() || !inner || !isPlainLoop(*inner) || inner->reductions.size() != 1)
    return {};
  const Reduction& fold = inner->reductions.front();
  const auto* step = inner->body.as<Assign>();
  const Expr before = var(rows.index) - rows.lo;
  if (fold.var != start->var || !step || !equalIndex(inner->hi - inner->lo, before)) return {};
  // `total = total op term`, told by what a plain term would give.
  Recurrence r{&rows, inner, body[1], fold.var, fold.type, fold.op, start->value, {}, {}};
  const Expr total = var(fold.var, fold.type);
  if (const auto* b = step->value.as<Binary>(); b && equal(b->lhs, total)) r.term = b->rhs;
  if (!r.term || !equal(step->value, combine(fold.op, total, r.term)) || mentions(r.term, fold.var))
    return {};
  r.rest.assign(body.begin() + 2, body.end());
  for (const Stmt& s : r.rest) {
    const auto* store = s.as<Store>();
    if (!(s.is<Assign>() || (store && !store->atomicOp)) || chooses(s)) return {};
  }
  if (chooses(r.term)) return {};
  if (equalIndex(inner->lo, rows.lo)) return r;
  const Symbol k(inner->index.hint());
  return counting(r, k, inner->lo + (var(k) - rows.lo));
}

Recurrence reversed(const Recurrence& r) {
  const Symbol k(r.earlier->index.hint());
  return counting(r, k, r.rows->lo + (var(r.rows->index) - 1) - var(k));
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
