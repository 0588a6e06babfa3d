//===- Recurrences.cpp - iterations that sum over all earlier ones ----------------------------------===//
#include "Recurrences.h"
#include "appyc/Analysis/Dependence.h"
#include "appyc/IR/Dsl.h"
#include "appyc/IR/Walk.h"
#include <algorithm>

namespace appyc::schedule {
using namespace ir;

bool isPlainLoop(const For& loop) { return loop.hints.mark == LoopMark::None && isConst(loop.step, 1); }

bool chooses(const Expr& e) {
  return anyExpr(e, [](const Expr& part) {
    const auto* b = part.as<Binary>();
    return part.is<Select>() || (b && (b->op == BinaryOp::LogicalAnd || b->op == BinaryOp::LogicalOr));
  });
}

bool chooses(const Stmt& s) {
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

/// The last of a list of assignments with what the others compute in the place of their scalars.
static Stmt inOneStatement(const Stmt& body) {
  std::map<Symbol, Expr> values;
  const std::vector<Stmt> list = statementsOf(body);
  for (const Stmt& s : list) {
    const auto* set = s.as<Assign>();
    if (!set) return {};
    const Expr value = substitute(set->value, values);
    if (s == list.back()) return makeStmt(s->span, Assign{set->var, value});
    if (!values.emplace(set->var, value).second) return {};
  }
  return {};
}

/// Terms that are taken from a start are summed up alone, and what is left has its name before others read it:
///   s = b[i];  s -= e(i, k);  x[i] = s / L[i, i]     =>     sum = 0;  sum += e(i, k);  s = b[i] - sum;  x[i] = s / L[i, i]
/// Where the first statement alone reads it, it needs no name.
static bool takeFromStart(Recurrence& r, const Expr& step) {
  const auto* b = step.as<Binary>();
  if (!b || b->op != BinaryOp::Sub || r.op != ReduceOp::Sum || !equal(b->lhs, var(r.total, r.type)) ||
      mentions(b->rhs, r.total) || mentionsAny(r.init, assignedVars(r.rows->body)))
    return false;
  const auto leftBehind = [&] { return binary(BinaryOp::Sub, r.init, var(r.total, r.type)); };
  if (const Symbol left = r.total;
      countReads(block(r.rest), left) == 1 && countReads(r.rest.front(), left) == 1) {
    r.rest.front() = substitute(r.rest.front(), {{left, leftBehind()}});
  } else {
    r.total = Symbol(left.hint());
    r.rest.insert(r.rest.begin(), makeStmt(r.rest.front()->span, Assign{left, leftBehind()}));
  }
  r.term = b->rhs;
  r.init = constOf(r.type, 0);
  return true;
}

/// The square of an element as the product that it is.
static Expr asProduct(const Expr& term) {
  const auto* c = term.as<Call>();
  return c && c->fn == Intrinsic::Square && c->args[0].is<Load>()
             ? binary(BinaryOp::Mul, c->args[0], c->args[0])
             : term;
}

std::optional<Recurrence> recurrenceIn(const std::vector<Stmt>& body, const For& rows) {
  if (body.size() < 3) return {};
  const auto* start = body[0].as<Assign>();
  const auto* inner = body[1].as<For>();
  if (!start || !inner || !isPlainLoop(*inner) || inner->reductions.size() != 1) return {};
  const Reduction& fold = inner->reductions.front();
  const Stmt joint = inOneStatement(inner->body);
  const auto* step = joint ? joint.as<Assign>() : nullptr;
  const Expr before = var(rows.index) - rows.lo;
  if (fold.var != start->var || !step || !equalIndex(inner->hi - inner->lo, before)) return {};
  // `total = total op term`, told by what a plain term would give.
  Recurrence r{&rows,   inner,        body[1], fold.var, fold.type,
               fold.op, start->value, {},      {},       assignedVars(inner->body)};
  r.parts.erase(fold.var);
  r.rest.assign(body.begin() + 2, body.end());
  if (!takeFromStart(r, step->value)) {
    const Expr total = var(fold.var, fold.type);
    if (const auto* b = step->value.as<Binary>(); b && equal(b->lhs, total)) r.term = b->rhs;
    if (!start->value.is<Const>() || !r.term || !equal(step->value, combine(fold.op, total, r.term)) ||
        mentions(r.term, fold.var))
      return {};
  }
  for (const Stmt& s : r.rest) {
    const auto* store = s.as<Store>();
    if (!(s.is<Assign>() || (store && !store->atomicOp)) || chooses(s)) return {};
  }
  if (chooses(r.term)) return {};
  r.term = asProduct(r.term);
  if (equalIndex(inner->lo, rows.lo)) return r;
  const Symbol k(inner->index.hint());
  return counting(r, k, inner->lo + (var(k) - rows.lo));
}

Recurrence reversed(const Recurrence& r) {
  const Symbol k(r.earlier->index.hint());
  return counting(r, k, r.rows->lo + (var(r.rows->index) - 1) - var(k));
}

/// Is what terms are made of read in the terms alone?
static bool partsAreOwn(const Recurrence& r, const Function& function) {
  const auto inTerms = [&](const Symbol& s) { return countReads(r.loop, s); };
  return std::all_of(r.parts.begin(), r.parts.end(), [&](const Symbol& s) {
    return countReads(function.body, s) == inTerms(s) && !countReads(block(r.rest), s);
  });
}

bool scalarsAreOwn(const Recurrence& r, const Function& function) {
  if (!partsAreOwn(r, function)) return false;
  const Stmt rest = block(r.rest), all = block({makeStmt({}, *r.earlier), rest});
  std::set<Symbol> exposed = analysis::exposedScalars(rest), assigned = assignedVars(rest);
  if (assigned.count(r.total)) return false;
  exposed.erase(r.total);
  assigned.insert(r.total);
  return std::none_of(assigned.begin(), assigned.end(), [&](const Symbol& s) {
    return exposed.count(s) || countReads(function.body, s) > countReads(all, s);
  });
}

} // namespace appyc::schedule
