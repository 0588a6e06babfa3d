//===- Searches.cpp - branches of a loop that keep the best ------------------------------------------------===//
#include "Searches.h"
#include "appyc/IR/Rewrite.h"
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
static Expr unwrapped(const Expr& e) {
  return rewrite(e, [](const Expr& part) -> Expr {
    if (const auto* c = part.as<Call>(); c && c->fn == Intrinsic::WrapIndex) return c->args[0];
    const auto* choice = part.as<Select>(); // x + n if x < 0 else x
    const auto* test = choice ? choice->cond.as<Binary>() : nullptr;
    const bool wraps =
        test && test->op == BinaryOp::Lt && isConst(test->rhs, 0) && equal(test->lhs, choice->otherwise);
    return wraps ? choice->otherwise : Expr();
  });
}

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

} // namespace appyc::transform
