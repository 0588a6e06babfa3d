//===- Scalars.cpp - scalars of a statement's own, elements that go on in scalars -----------------------===//
#include "appyc/Loops/Loops.h"

namespace appyc::loops {
using namespace ir;

std::vector<Stmt> privatize(const Builder& build, For& loop, const std::string& suffix) {
  std::vector<Stmt> start;
  for (Reduction& r : loop.reductions) {
    const Symbol own(r.var.hint() + suffix);
    start.push_back(build.assign(own, identity(r.op, r.type)));
    loop.body = renameScalar(loop.body, r.var, own);
    r.var = own;
  }
  return start;
}

Stmt withOwnScalars(const Stmt& s, const std::set<Symbol>& names) {
  std::map<Symbol, Symbol> own;
  for (const Symbol& name : names) own.emplace(name, name.hint());
  return renameScalars(s, own);
}
Stmt withOwnScalars(const Stmt& s) { return withOwnScalars(s, assignedVars(s)); }

Expr once(const Builder& build, const std::string& hint, const Expr& value, std::vector<Stmt>& out) {
  return constantInt(value) || value.is<Var>() ? value : build.let(hint, value, out);
}

bool keeps(const Stmt& s, const Expr& e) {
  return !mentionsAny(e, assignedVars(s)) && !intersect(loadedBuffers(e), storedBuffers(s));
}

bool mayForwardOver(const Stmt& s, const Store& store) {
  return !store.atomicOp && !storedBuffers(s).count(store.buffer) && keeps(s, store.value) &&
         std::all_of(store.index.begin(), store.index.end(), [&](const Expr& e) { return keeps(s, e); });
}

Expr forwarded(const Expr& e, const Store& store, const Expr& value) {
  return replace<Load>(e, [&](const Load& l) {
    return l.buffer == store.buffer && equalIndices(l.index, store.index) ? cast(l.type, value) : Expr();
  });
}
Stmt forwarded(const Stmt& s, const Store& store, const Expr& value) {
  return replace<Load>(s, [&](const Load& l) {
    return l.buffer == store.buffer && equalIndices(l.index, store.index) ? cast(l.type, value) : Expr();
  });
}

NamedStore withName(const Builder& build, Store store, const Symbol& name) {
  const Expr value = var(name, typeOf(store.value));
  const Stmt set = build.assign(name, std::move(store.value));
  store.value = value;
  return {set, build.make(std::move(store)), value};
}

} // namespace appyc::loops
