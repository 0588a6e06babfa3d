//===- ForwardNames.cpp - names that say nothing are not declared ------------------------------------------===//
// A copy of a variable is read as that variable, and what the next statement alone reads in the same line of the source is
// written there.
#include "Statements.h"
#include "appyc/Cxx/Print.h"
#include "appyc/IR/Rewrite.h"
#include "appyc/IR/Walk.h"
#include <algorithm>

namespace appyc::target {

using namespace ir;

namespace {

/// How often `e` reads `v`; where that hangs on a condition, `apart` times more.
int readsOf(const Expr& e, const Symbol& v, int apart) {
  int count = 0;
  const auto add = [&](const Expr& part, int factor) { count += readsOf(part, v, apart) * factor; };
  if (const auto* name = e.as<Var>()) return name->name == v ? 1 : 0;
  if (const auto* choice = e.as<Select>()) {
    add(choice->cond, 1), add(choice->then, apart), add(choice->otherwise, apart);
    return count;
  }
  if (const auto* b = e.as<Binary>()) {
    const bool mayBeSkipped = b->op == BinaryOp::LogicalAnd || b->op == BinaryOp::LogicalOr;
    add(b->lhs, 1), add(b->rhs, mayBeSkipped ? apart : 1);
    return count;
  }
  mapChildren(e, [&](const Expr& part) {
    add(part, 1);
    return part;
  });
  return count;
}

bool sets(const Stmt& s, const Symbol& v) {
  return assignedVars(s).contains(v) || any<Exchange>(s, [&](const Exchange& e) { return e.var == v; }) ||
         any<Atomic>(s, [&](const Atomic& a) { return a.old == v; });
}

bool isResult(const Function& f, const Symbol& v) {
  return std::ranges::any_of(f.results, [&](const Result& r) { return r.name == v || r.of == v; });
}

} // namespace

/// `const int64_t n = length;`: all that reads it reads `length`, which nothing sets meanwhile.
bool Statements::forwardsCopy(const Assign& a, size_t at, std::vector<Stmt>& all) {
  const auto* from = a.value.as<Var>();
  if (!from || isResult(c_.function, from->name) ||
      declaredType(a.var, false).name != declaredType(from->name, false).name)
    return false;
  size_t last = at;
  for (size_t i = at + 1; i < all.size(); ++i)
    if (mentionsAny(all[i], {a.var})) last = i;
  for (size_t i = at + 1; i <= last; ++i)
    if (sets(all[i], from->name)) return false;
  for (size_t i = at + 1; i <= last; ++i) all[i] = substitute(all[i], {{a.var, a.value}});
  return true;
}

/// `const double x = a[i]; total += x;`
bool Statements::forwardsValue(const Assign& a, size_t at, std::vector<Stmt>& all) {
  constexpr size_t most = 40; // characters of it
  if (at + 1 == all.size() || a.value.is<Const>() || rounded(a.var, a.value)) return false;
  const Stmt& next = all[at + 1];
  if (!(next.is<Assign>() || next.is<Store>()) || c_.lineOf(all[at]->span) != c_.lineOf(next->span))
    return false;
  for (size_t i = at + 2; i < all.size(); ++i)
    if (mentionsAny(all[i], {a.var})) return false;
  int reads = 0;
  forEachExpr(next, [&](const Expr& e) { reads += readsOf(e, a.var, readsMemory(a.value) ? 2 : 1); });
  if (reads != 1 || cxx::print(expressions_.value(a.value)).size() > most) return false;
  all[at + 1] = substitute(next, {{a.var, a.value}});
  return true;
}

bool Statements::isForwarded(size_t at, const Placement::Item& item, const Symbols& liveOut,
                             std::vector<Stmt>& all) {
  const auto* a = all[at].as<Assign>();
  if (!c_.cuda || !a || !item.declares || !item.isConst || item.isUnread || dead_.contains(a->var) ||
      liveOut.contains(a->var) || keepsName(a->var) || isResult(c_.function, a->var) ||
      typeOf(a->value) != c_.facts.variable(a->var).type)
    return false;
  if (!forwardsCopy(*a, at, all) && !forwardsValue(*a, at, all)) return false;
  undeclared_.insert(a->var);
  return true;
}

} // namespace appyc::target
