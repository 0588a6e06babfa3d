//===- Kernels.cpp - kernels as objects of a function, and their launches -----------------------------===//
#include "appyc/IR/Kernels.h"
#include "appyc/IR/Build.h"
#include "appyc/IR/Walk.h"
#include <algorithm>
#include <map>
#include <set>
#include <string>

namespace appyc::ir {

namespace {

/// The body with other arrays.
Stmt withArrays(const Stmt& body, const std::map<Symbol, Symbol>& names) {
  if (names.empty()) return body;
  const auto nameOf = [&](const Symbol& s) {
    const auto found = names.find(s);
    return found == names.end() ? s : found->second;
  };
  return rewrite(
      body,
      [&](const Stmt& s) -> Stmt {
        if (const auto* store = s.as<Store>())
          return makeStmt(s->span, Store{nameOf(store->buffer), store->index, store->value, store->atomicOp});
        if (const auto* signal = s.as<Signal>())
          return makeStmt(s->span, Signal{signal->kind, nameOf(signal->progress), signal->step});
        return {};
      },
      [&](const Expr& e) -> Expr {
        const auto* l = e.as<Load>();
        return l && names.count(l->buffer) ? make(Load{l->type, nameOf(l->buffer), l->index}) : Expr();
      });
}

/// The body with scalars and loops' indices of its own, so that it may stand beside the original.
Stmt withOwnScalars(const Stmt& body, const std::vector<Symbol>& but) {
  std::map<Symbol, Symbol> own;
  for (const Symbol& name : assignedVars(body)) own.emplace(name, name.hint());
  each<For>(body, [&](const For& loop) { own.emplace(loop.index, loop.index.hint()); });
  for (const Symbol& name : but) own.erase(name);
  const auto nameOf = [&](const Symbol& s) {
    const auto found = own.find(s);
    return found == own.end() ? s : found->second;
  };
  return rewrite(
      body,
      [&](const Stmt& s) -> Stmt {
        StmtNode copy = *s;
        if (auto* a = std::get_if<Assign>(&copy.node))
          a->var = nameOf(a->var);
        else if (auto* c = std::get_if<Collective>(&copy.node))
          c->var = nameOf(c->var);
        else if (auto* loop = std::get_if<For>(&copy.node)) {
          loop->index = nameOf(loop->index);
          loop->mapping.unswitched = nameOf(loop->mapping.unswitched);
          for (Reduction& r : loop->reductions) r.var = nameOf(r.var);
        } else
          return {};
        return Stmt(std::make_shared<const StmtNode>(std::move(copy)));
      },
      [&](const Expr& e) -> Expr {
        const auto* v = e.as<Var>();
        return v && own.count(v->name) ? var(nameOf(v->name), v->type) : Expr();
      });
}

/// Do the parameters stand for themselves?
bool isSame(const Kernel& kernel, const std::vector<Argument>& arguments) {
  return std::equal(kernel.params.begin(), kernel.params.end(), arguments.begin(), arguments.end(),
                    [](const Symbol& p, const Argument& a) {
                      const auto* v = a.array ? nullptr : a.value.as<Var>();
                      return a.array == p || (v && v->name == p);
                    });
}

} // namespace

Stmt bodyWith(const Kernel& kernel, const std::vector<Argument>& arguments) {
  std::map<Symbol, Symbol> arrays;
  std::map<Symbol, Expr> numbers;
  for (size_t i = 0; i < kernel.params.size(); ++i) {
    const Symbol& p = kernel.params[i];
    const Argument& a = arguments[i];
    if (a.array && a.array != p) arrays[p] = a.array;
    const auto* same = a.array ? nullptr : a.value.as<Var>();
    if (!a.array && !(same && same->name == p)) numbers[p] = a.value;
  }
  return withArrays(substitute(kernel.body, numbers), arrays);
}

Function withBodiesInPlace(const Function& f) {
  if (f.kernels.empty()) return f;
  Function result = f;
  result.kernels.clear();
  std::set<std::string> seen;
  const auto placed = [&](const std::string& name, const std::vector<Argument>& arguments) {
    const Kernel& kernel = *f.findKernel(name);
    if (seen.insert(name).second || isSame(kernel, arguments)) return bodyWith(kernel, arguments);
    return bodyWith({name, kernel.params, withOwnScalars(kernel.body, kernel.params)}, arguments);
  };
  result.body = replace<Launch>(f.body, [&](const Launch& l, const Stmt& s) -> Stmt {
    if (l.body) return {};
    Launch inPlace = l;
    inPlace.body = placed(l.name, l.arguments);
    inPlace.arguments.clear();
    if (Vectors::Rows& rows = inPlace.vectors.rows; !rows.name.empty()) {
      rows.body = placed(rows.name, rows.arguments);
      rows.name.clear();
      rows.arguments.clear();
    }
    return makeStmt(s->span, std::move(inPlace));
  });
  return result;
}

} // namespace appyc::ir
