//===- Searches.cpp - branches of a loop that keep the best ------------------------------------------------===//
#include "Searches.h"
#include "appyc/Analysis/Bounds.h"
#include "appyc/IR/Dsl.h"
#include "appyc/IR/Loops.h"
#include "appyc/IR/Rewrite.h"
#include "appyc/IR/Walk.h"
#include "appyc/Loops/Loops.h"
#include <map>

namespace appyc::transform {
using namespace ir;

bool Search::isSameAs(const Search& o) const {
  return isMost == o.isMost && (start && o.start ? equal(start, o.start) : best == o.best);
}

const Assign* assignedIn(const Stmt& branch, const Symbol& name) {
  const Assign* found = nullptr;
  for (const Stmt& s : statementsOf(branch))
    if (const auto* a = s.as<Assign>(); a && a->var == name) found = a;
  return found;
}

/// Subscripts as if none were negative: of two that become the same, one place is known not to be.
static Expr unwrapped(const Expr& e) { return rewrite(e, beforeWrap); }

std::optional<Search> searchBy(const Stmt& s) {
  const auto* branch = s.as<If>();
  const auto* test = branch && !branch->otherwise ? branch->cond.as<Binary>() : nullptr;
  if (!test || (test->op != BinaryOp::Lt && test->op != BinaryOp::Gt)) return std::nullopt;
  const DType type = typeOf(test->lhs);
  if (!isInteger(type) && !isFloat(type)) return std::nullopt;
  for (const bool isRight : {true, false}) {
    const Expr &best = isRight ? test->rhs : test->lhs, &key = isRight ? test->lhs : test->rhs;
    const bool isMost = (test->op == BinaryOp::Gt) == isRight;
    const auto* name = best.as<Var>();
    const Assign* set = name ? assignedIn(branch->then, name->name) : nullptr;
    if (set && equal(set->value, key)) return Search{name->name, {}, type, isMost, {{s, key}}};
    std::map<Symbol, Expr> places; // of the best so far, and what they become
    for (const Symbol& v : freeVars(best))
      if (const Assign* place = assignedIn(branch->then, v)) places[v] = place->value;
    if (!places.empty() && readsMemory(best) && equal(unwrapped(substitute(best, places)), unwrapped(key)))
      return Search{Symbol("best"), best, type, isMost, {{s, key}}};
  }
  return std::nullopt;
}

/// `if at == -1 or a[i] > a[at]: at = i; ..`
struct SearchFromNone {
  Expr isNone;
  Search search;
  Stmt then;
};
static std::optional<SearchFromNone> searchFromNone(const Stmt& s) {
  const auto* branch = s.as<If>();
  const auto* either = branch && !branch->otherwise ? branch->cond.as<Binary>() : nullptr;
  const auto* test = either && either->op == BinaryOp::LogicalOr ? either->lhs.as<Binary>() : nullptr;
  const auto* at = test ? test->lhs.as<Var>() : nullptr;
  const bool isNone = at && ((test->op == BinaryOp::Eq && isConst(test->rhs, -1)) ||
                             (test->op == BinaryOp::Lt && isConst(test->rhs, 0)));
  if (!isNone || !assignedIn(branch->then, at->name)) return std::nullopt;
  const std::optional<Search> search = searchBy(makeStmt(s->span, If{either->rhs, branch->then, {}}));
  if (!search || !search->start || !mentions(search->start, at->name)) return std::nullopt;
  return SearchFromNone{either->lhs, *search, branch->then};
}

bool isSearch(const Stmt& s) { return searchBy(s).has_value() || searchFromNone(s).has_value(); }

/// if c and key > best: ..  =>  if c: if key > best: ..    `mayComeFirst`: may it be asked where what stands in front of it
/// does not hold?
static Stmt withSearchesInside(const Stmt& s, const std::function<bool(const Expr&)>& mayComeFirst) {
  return rewrite(s, [&](const Stmt& part) -> Stmt {
    const auto* branch = part.as<If>();
    if (!branch || branch->otherwise) return {};
    const std::vector<Expr> all = conjunctsOf(branch->cond);
    for (size_t k = 0; all.size() > 1 && k < all.size(); ++k) {
      const Stmt inner = makeStmt(part->span, If{all[k], branch->then, {}});
      if (!isSearch(inner)) continue;
      Expr others;
      for (size_t j = 0; j < all.size(); ++j) {
        if (j > k && !mayComeFirst(all[j])) return {};
        if (j != k) others = both(others, all[j]);
      }
      return makeStmt(part->span, If{others, inner, {}});
    }
    return {};
  });
}

//   for i: if c(i): if at == -1 or a[i] > a[at]: at = i
//     =>  first = the first i of which c holds
//         if at == -1: for i in [first, first + 1): at = i
//         best = a[at] if there is one
//         for i: if c(i): if a[i] > best: best = a[i]; at = i
static Stmt fromFirst(Span span, const For& loop) {
  const Builder build{span};
  const auto* guard = loop.body.as<If>();
  const bool isGuarded = guard && !guard->otherwise && !searchFromNone(loop.body);
  const std::optional<SearchFromNone> found = searchFromNone(isGuarded ? guard->then : loop.body);
  const Expr holds = isGuarded ? guard->cond : boolConst(true);
  if (!found || !isUnmarked(loop) || !isConst(loop.step, 1) || constantInt(loop.lo).value_or(-1) < 0 ||
      readsMemory(loop.hi) || !consistsOf<Block, Assign>(found->then) ||
      mentionsAny(holds, assignedVars(loop.body)) || mentionsAny(loop.hi, assignedVars(loop.body)))
    return {};
  const Search& search = found->search;
  const Symbol first("first"), best("best"), i(loop.index.hint()), j(loop.index.hint());
  const Expr one = select(substitute(holds, {{loop.index, var(i)}}), var(i), loop.hi);
  const Expr& key = search.sites.front().key;
  Stmt better =
      build.when(search.isBetter(key, var(best, search.type)), {build.assign(best, key), found->then});
  if (isGuarded) better = build.when(holds, {better});
  For rest = withBody(loop, better);
  const Stmt once = build.inOrder(j, var(first), minOf(var(first) + 1, loop.hi),
                                  substitute(found->then, {{loop.index, var(j)}}));
  return block(
      {build.assign(first, loop.hi),
       withoutOrigins(build.inOrder(i, loop.lo, loop.hi, build.assign(first, minOf(var(first), one)))),
       build.when(found->isNone, {once}),
       build.assign(best, select(var(first) < loop.hi, search.start, constOf(search.type, 0))),
       build.make(std::move(rest))});
}

Stmt withSearchesAlone(const Stmt& s, const Function& function, analysis::Context& known) {
  const For& loop = *s.as<For>();
  if (loop.order != Order::Serial) return {};
  For changed = loop;
  {
    const analysis::Inside inside(known, loop);
    const auto mayComeFirst = [&](const Expr& e) {
      return !anyExpr(e, [&](const Expr& part) {
        const auto* l = part.as<Load>();
        return l && !analysis::isInRange(function, l->buffer, l->index, known);
      });
    };
    changed.body = withSearchesInside(loop.body, mayComeFirst);
  }
  if (const Stmt made = fromFirst(s->span, changed)) return made;
  return changed.body == loop.body ? Stmt() : makeStmt(s->span, std::move(changed));
}

} // namespace appyc::transform
