//===- Walk.cpp - what stands in a tree --------------------------------------------------------------===//
#include "appyc/IR/Walk.h"
#include "appyc/IR/Build.h"
#include <algorithm>

namespace appyc::ir {

bool anyStmt(const Stmt& s, const std::function<bool(const Stmt&)>& pred) {
  bool found = false;
  visit(s, [&](const Stmt& part) { return !(found = found || pred(part)); });
  return found;
}

bool anyExpr(const Expr& e, const std::function<bool(const Expr&)>& pred) {
  bool found = false;
  visit(e, [&](const Expr& part) { return !(found = found || pred(part)); });
  return found;
}

bool anyExpr(const Stmt& s, const std::function<bool(const Expr&)>& pred) {
  bool found = false;
  visit(
      s, [&](const Stmt&) { return !found; },
      [&](const Expr& part) { return !(found = found || pred(part)); });
  return found;
}

bool mentionsAny(const Expr& e, const std::set<Symbol>& names) {
  bool found = false;
  visit(e, [&](const Expr& part) {
    if (const auto* v = part.as<Var>()) found |= names.count(v->name) > 0;
    return !found;
  });
  return found;
}

bool mentionsAny(const Stmt& s, const std::set<Symbol>& names) {
  if (names.empty()) return false;
  bool found = false;
  visit(
      s,
      [&](const Stmt& part) {
        if (const auto* a = part.as<Assign>()) found |= names.count(a->var) > 0;
        return !found;
      },
      [&](const Expr& e) {
        if (const auto* v = e.as<Var>()) found |= names.count(v->name) > 0;
        return !found;
      });
  return found;
}

std::set<Symbol> readScalars(const Stmt& s) {
  std::set<Symbol> read;
  visit(
      s, [](const Stmt&) { return true; },
      [&](const Expr& e) {
        read.merge(freeVars(e));
        return false;
      });
  return read;
}

bool isStraight(const Stmt& s) {
  const std::vector<Stmt> body = statementsOf(s);
  return std::all_of(body.begin(), body.end(), [](const Stmt& x) {
    const auto* store = x.as<Store>();
    return x.is<Assign>() || (store && !store->atomicOp);
  });
}

Stmt renameScalar(const Stmt& s, Symbol from, Symbol to) {
  auto renameTargets = [&](const Stmt& part) -> Stmt {
    if (const auto* a = part.as<Assign>(); a && a->var == from)
      return makeStmt(part->span, Assign{to, a->value});
    if (const auto* c = part.as<Collective>(); c && c->var == from)
      return makeStmt(part->span, Collective{to, c->type, c->op, c->scope, c->apart, c->part});
    const auto* loop = part.as<For>();
    if (!loop || std::none_of(loop->reductions.begin(), loop->reductions.end(),
                              [&](const Reduction& r) { return r.var == from; }))
      return {};
    For renamed = *loop;
    for (Reduction& r : renamed.reductions)
      if (r.var == from) r.var = to;
    return makeStmt(part->span, std::move(renamed));
  };
  return rewrite(s, renameTargets, [&](const Expr& e) -> Expr {
    const auto* v = e.as<Var>();
    return v && v->name == from ? var(to, v->type) : Expr();
  });
}

Stmt withoutOrigins(const Stmt& s) {
  return replace<For>(s, [](const For& loop, const Stmt& part) -> Stmt {
    if (loop.hints.origins.empty()) return {};
    For own = loop;
    own.hints.origins.clear();
    return makeStmt(part->span, std::move(own));
  });
}

} // namespace appyc::ir
