//===- Recurrences.cpp - iterations that fold over all earlier ones ---------------------------------===//
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

/// The same with earlier iterations counted by `k` from `from` to i: `index` is what the loop's own index was.
static Recurrence counting(const Recurrence& r, const Symbol& k, const Expr& from, const Expr& index) {
  const std::map<Symbol, Expr> renamed{{r.earlier->index, index}};
  For again = *r.earlier;
  again.index = k;
  again.lo = from;
  again.hi = var(r.rows->index);
  again.body = substitute(again.body, renamed);
  Recurrence out = r;
  out.loop = makeStmt(r.loop->span, std::move(again));
  out.earlier = out.loop.as<For>();
  out.term = substitute(r.term, renamed);
  return out;
}

/// The last of a list of assignments, under the branches around it, with what the others compute in the place of their scalars.
struct LastStep {
  const Assign* set = nullptr;
  Expr value, condition; ///< none where it is always made
};
static std::optional<LastStep> lastStep(const Stmt& body, std::map<Symbol, Expr> values = {}) {
  const std::vector<Stmt> list = statementsOf(body);
  for (const Stmt& s : list) {
    const auto* branch = s.as<If>();
    if (branch && s == list.back() && !branch->otherwise) {
      auto inside = lastStep(branch->then, values);
      const Expr here = substitute(branch->cond, values);
      if (inside) inside->condition = inside->condition ? both(here, inside->condition) : here;
      return inside;
    }
    const auto* set = s.as<Assign>();
    if (!set) return {};
    const Expr value = substitute(set->value, values);
    if (s == list.back()) return LastStep{set, value, {}};
    if (!values.emplace(set->var, value).second) return {};
  }
  return {};
}

/// What a step puts to the total by its operator, or takes from it.
struct StepTerm {
  Expr term;
  bool isTaken = false;
};
static std::optional<StepTerm> termOf(const LastStep& step, const Reduction& fold) {
  const Expr total = var(fold.var, fold.type);
  const auto orNothing = [&](const Expr& term, bool isTaken) -> std::optional<StepTerm> {
    if (mentions(term, fold.var) || (step.condition && mentions(step.condition, fold.var))) return {};
    return StepTerm{step.condition ? select(step.condition, term, identity(fold.op, fold.type)) : term,
                    isTaken};
  };
  if (const auto* choice = step.value.as<Select>()) {
    const auto best = extremeOf(*choice, [&](const Expr& e) { return equal(e, total); });
    return best && best->op == fold.op ? orNothing(collectedBy(*best), false) : std::nullopt;
  }
  const auto* b = step.value.as<Binary>();
  if (!b || !equal(b->lhs, total)) return {};
  if (b->op == BinaryOp::Sub && fold.op == ReduceOp::Sum) return orNothing(b->rhs, true);
  return equal(step.value, combine(fold.op, total, b->rhs)) ? orNothing(b->rhs, false) : std::nullopt;
}

/// Terms that are put to a start, or taken from it, are summed up alone, and what is left has its name before others read it:
///   s = b[i];  s -= e(i, k);  x[i] = s / L[i, i]     =>     sum = 0;  sum += e(i, k);  s = b[i] - sum;  x[i] = s / L[i, i]
/// Where the first statement alone reads it, it needs no name.
static bool takeStart(Recurrence& r, bool isTaken) {
  if (mentionsAny(r.init, assignedVars(r.rows->body))) return false;
  const auto leftBehind = [&] {
    const Expr total = var(r.total, r.type);
    return isTaken ? binary(BinaryOp::Sub, r.init, total) : combine(r.op, r.init, total);
  };
  if (const Symbol left = r.total;
      countReads(block(r.rest), left) == 1 && countReads(r.rest.front(), left) == 1) {
    r.rest.front() = substitute(r.rest.front(), {{left, leftBehind()}});
  } else {
    r.total = Symbol(left.hint());
    r.rest.insert(r.rest.begin(), makeStmt(r.rest.front()->span, Assign{left, leftBehind()}));
  }
  r.init = identity(r.op, r.type);
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
  const auto step = lastStep(inner->body);
  const auto ahead = constantInt(inner->hi - inner->lo - (var(rows.index) - rows.lo));
  if (fold.var != start->var || !step || step->set->var != fold.var || !ahead || *ahead < 0 ||
      *ahead > kMostAhead)
    return {};
  const auto found = termOf(*step, fold);
  if (!found) return {};
  Recurrence r{&rows,   inner,        body[1],     fold.var, fold.type,
               fold.op, start->value, found->term, {},       assignedVars(inner->body)};
  r.parts.erase(fold.var);
  r.rest.assign(body.begin() + 2, body.end());
  if ((found->isTaken || !start->value.is<Const>()) && !takeStart(r, found->isTaken)) return {};
  for (const Stmt& s : r.rest) {
    const auto* store = s.as<Store>();
    if (!(s.is<Assign>() || (store && !store->atomicOp)) || chooses(s)) return {};
  }
  r.term = asProduct(r.term);
  const Expr from = rows.lo - *ahead;
  if (equalIndex(inner->lo, from)) return r;
  const Symbol k(inner->index.hint());
  return counting(r, k, from, inner->lo + (var(k) - from));
}

bool isPlain(const Recurrence& r) { return equalIndex(r.earlier->lo, r.rows->lo) && !chooses(r.term); }

Recurrence reversed(const Recurrence& r) {
  const Symbol k(r.earlier->index.hint());
  const Expr from = r.earlier->lo;
  return counting(r, k, from, from + (var(r.rows->index) - 1) - var(k));
}

Recurrence startedAtRows(const Recurrence& r) {
  const int64_t ahead = constantInt(r.rows->lo - r.earlier->lo).value_or(0);
  Recurrence out = r;
  for (int64_t k = 0; k < ahead; ++k)
    out.init = combine(r.op, out.init,
                       substitute(r.term, std::map<Symbol, Expr>{{r.earlier->index, r.earlier->lo + k}}));
  return counting(out, r.earlier->index, r.rows->lo, var(r.earlier->index));
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
