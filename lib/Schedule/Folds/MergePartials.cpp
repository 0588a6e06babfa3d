//===- MergePartials.cpp - a lane's partial result that starts where its total starts is the total ---===//
//   s = 0;  p = 0;  for j (lanes): p = p + a[j];  Collective(p);  s = s + p
//   =>  s = 0;  for j (lanes): s = s + a[j];  Collective(s)
#include "WorkerMapping.h"
#include "appyc/IR/Build.h"
#include "appyc/IR/Walk.h"
#include <algorithm>

namespace appyc::schedule {

using namespace cost;
using namespace ir;

namespace {

bool mentionsScalar(const Stmt& s, const Symbol& name) { return mentionsAny(s, {name}); }

bool isIdentity(const Stmt& s, const Symbol& name, const Collective& c) {
  const auto* a = s.as<Assign>();
  return a && a->var == name && equal(a->value, identity(c.op, c.type));
}

/// The variable that statement `s` folds the collective's result into.
Symbol totalOf(const Stmt& s, const Collective& c) {
  const auto* a = s.as<Assign>();
  if (!a || a->var == c.var || typeOf(a->value) != c.type) return {};
  return equal(a->value, combine(c.op, var(a->var, c.type), var(c.var, c.type))) ? a->var : Symbol{};
}

/// Merges one partial of the list; false when there is none.
bool mergeOne(std::vector<Stmt>& list) {
  for (size_t at = 1; at + 1 < list.size(); ++at) {
    const auto* c = list[at].as<Collective>();
    const Symbol total = c ? totalOf(list[at + 1], *c) : Symbol{};
    if (!total) continue;
    // Back to where the partial starts, then to where the total does: nothing in between may touch the total.
    size_t start = at, partial = list.size();
    while (start-- > 0) {
      if (partial == list.size() && isIdentity(list[start], c->var, *c))
        partial = start;
      else if (mentionsScalar(list[start], total))
        break;
    }
    if (partial == list.size() || start == size_t(-1) || !isIdentity(list[start], total, *c)) continue;
    const auto isRead = [&](const Stmt& s) { return mentionsScalar(s, c->var); };
    if (std::any_of(list.begin() + static_cast<long>(at) + 2, list.end(), isRead)) continue;
    const std::map<Symbol, Expr> rename = {{c->var, var(total, c->type)}};
    for (size_t i = partial + 1; i <= at; ++i) list[i] = substitute(list[i], rename);
    list.erase(list.begin() + static_cast<long>(at) + 1);
    list.erase(list.begin() + static_cast<long>(partial));
    return true;
  }
  return false;
}

} // namespace

Stmt mergePartials(const Stmt& body) {
  return rewrite(body, [](const Stmt& s) -> Stmt {
    const auto* list = s.as<Block>();
    if (!list) return {};
    std::vector<Stmt> merged = list->body;
    bool changed = false;
    while (mergeOne(merged)) changed = true;
    return changed ? block(std::move(merged)) : Stmt{};
  });
}

} // namespace appyc::schedule
