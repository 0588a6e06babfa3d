//===- Walk.cpp - what stands in a tree --------------------------------------------------------------===//
#include "appyc/IR/Walk.h"
#include "appyc/IR/Build.h"
#include "appyc/IR/Called.h"
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

/// Does the expression call a function in whose body, or in those of functions that this calls, `pred` holds?
static bool callsAny(const Expr& e, const std::function<bool(const Stmt&)>& pred) {
  return any<Apply>(e, [&](const Apply& a) {
    const auto inside = [&](const Expr& inner) { return inner.is<Apply>() && callsAny(inner, pred); };
    return !a.function || anyStmt(a.function->body, pred) || anyExpr(a.function->body, inside);
  });
}

bool callsLoop(const Expr& e) {
  return callsAny(e, [](const Stmt& s) { return s.is<For>() || s.is<While>(); });
}

static bool hasBranches(const Stmt& s) { return s.is<If>() || s.is<For>() || s.is<While>(); }

bool isStraight(const Stmt& s) {
  const std::vector<Stmt> body = statementsOf(s);
  if (anyExpr(s, [](const Expr& e) { return e.is<Apply>() && callsAny(e, hasBranches); })) return false;
  return std::all_of(body.begin(), body.end(), [](const Stmt& x) {
    const auto* store = x.as<Store>();
    return x.is<Assign>() || (store && !store->atomicOp);
  });
}

namespace {

Symbol nameIn(const std::map<Symbol, Symbol>& names, const Symbol& s) {
  const auto found = names.find(s);
  return found == names.end() ? s : found->second;
}

/// `s` with `T::*symbol` by its other name; empty where it keeps it.
template <class T> Stmt renamedIn(const Stmt& s, Symbol T::*symbol, const std::map<Symbol, Symbol>& names) {
  const auto* node = s.as<T>();
  if (!node || !names.count(node->*symbol)) return {};
  T copy = *node;
  copy.*symbol = nameIn(names, node->*symbol);
  return makeStmt(s->span, std::move(copy));
}

/// Of a loop its index, the one that it is compiled apart by, and its reductions.
Stmt renamedLoop(const Stmt& s, const For& loop, const std::map<Symbol, Symbol>& names) {
  const auto* blocks = loop.mapping.as<PerBlock>();
  const bool isNamed =
      names.count(loop.index) || (blocks && names.count(blocks->unswitched)) ||
      std::ranges::any_of(loop.reductions, [&](const Reduction& r) { return names.count(r.var); });
  if (!isNamed) return {};
  For copy = loop;
  copy.index = nameIn(names, loop.index);
  if (auto* own = copy.mapping.as<PerBlock>()) own->unswitched = nameIn(names, own->unswitched);
  for (Reduction& r : copy.reductions) r.var = nameIn(names, r.var);
  return makeStmt(s->span, std::move(copy));
}

} // namespace

Stmt renameScalars(const Stmt& s, const std::map<Symbol, Symbol>& names) {
  if (names.empty()) return s;
  return rewrite(
      s,
      [&](const Stmt& part) -> Stmt {
        if (const auto* loop = part.as<For>()) return renamedLoop(part, *loop, names);
        if (const Stmt set = renamedIn(part, &Assign::var, names)) return set;
        if (const Stmt old = renamedIn(part, &Atomic::old, names)) return old;
        if (const Stmt got = renamedIn(part, &Exchange::var, names)) return got;
        return renamedIn(part, &Collective::var, names);
      },
      [&](const Expr& e) -> Expr {
        const auto* v = e.as<Var>();
        return v && names.count(v->name) ? var(nameIn(names, v->name), v->type) : Expr();
      });
}

Stmt renameScalar(const Stmt& s, Symbol from, Symbol to) { return renameScalars(s, {{from, to}}); }

Stmt renameArrays(const Stmt& s, const std::map<Symbol, Symbol>& names) {
  if (names.empty()) return s;
  return rewrite(
      s,
      [&](const Stmt& part) -> Stmt {
        if (const auto* alloc = part.as<Alloc>(); alloc && names.count(alloc->buffer.name)) {
          Alloc copy = *alloc;
          copy.buffer.name = nameIn(names, alloc->buffer.name);
          return makeStmt(part->span, std::move(copy));
        }
        if (const auto* launch = part.as<Launch>(); launch && !launch->arguments.empty()) {
          Launch copy = *launch;
          for (std::vector<Argument>* list : {&copy.arguments, &copy.vectors.rows.arguments})
            for (Argument& a : *list)
              if (a.array) a.array = nameIn(names, a.array);
          return makeStmt(part->span, std::move(copy));
        }
        if (const auto* call = part.as<Routine>()) {
          if (std::ranges::none_of(call->operands, [&](const auto& o) { return names.contains(o.buffer); }))
            return {};
          Routine copy = *call;
          for (Routine::Operand& o : copy.operands) o.buffer = nameIn(names, o.buffer);
          return makeStmt(part->span, std::move(copy));
        }
        if (const Stmt store = renamedIn(part, &Store::buffer, names)) return store;
        if (const Stmt atomic = renamedIn(part, &Atomic::buffer, names)) return atomic;
        return renamedIn(part, &Signal::progress, names);
      },
      [&](const Expr& e) -> Expr {
        const auto* l = e.as<Load>();
        return l && names.count(l->buffer) ? make(Load{l->type, nameIn(names, l->buffer), l->index}) : Expr();
      });
}

Stmt moveElements(const Stmt& s, const std::map<Symbol, Symbol>& names,
                  const std::function<std::vector<Expr>(std::vector<Expr>)>& at) {
  return rewrite(
      s,
      [&](const Stmt& part) -> Stmt {
        const auto* store = part.as<Store>();
        const auto to = store ? names.find(store->buffer) : names.end();
        if (to == names.end()) return {};
        return makeStmt(part->span, Store{to->second, at(store->index), store->value, store->atomicOp});
      },
      [&](const Expr& e) -> Expr {
        const auto* l = e.as<Load>();
        const auto to = l ? names.find(l->buffer) : names.end();
        return to == names.end() ? Expr() : make(Load{l->type, to->second, at(l->index)});
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

std::set<Symbol> interfaceOf(const Function& f) {
  std::set<Symbol> names = namesOf(f.params);
  names.merge(namesOf(f.results));
  return names;
}

std::vector<FunctionRef> calledFunctions(const Module& m) {
  std::vector<FunctionRef> found;
  const std::function<bool(const Expr&)> look = [&](const Expr& e) {
    const auto* a = e.as<Apply>();
    const auto isIt = [&](const FunctionRef& f) { return sameFunction(f, a->function); };
    if (!a || !a->function || std::ranges::any_of(found, isIt)) return true;
    visit(a->function->body, nullptr, look);
    found.push_back(a->function);
    return true;
  };
  const auto lookIn = [&](const Function& f) {
    visit(f.body, nullptr, look);
    for (const Kernel& kernel : f.kernels) visit(kernel.body, nullptr, look);
    for (const Buffer& b : f.buffers)
      for (const Expr& e : b.extents) visit(e, look);
    for (const Result& r : f.results)
      for (const Expr& e : r.extents) visit(e, look);
  };
  for (const Function& f : m.functions) {
    lookIn(f);
    for (const Version& v : f.versions) {
      visit(v.condition, look);
      lookIn(v.function);
    }
  }
  return found;
}

bool visitBody(const Apply& a, const std::function<void(const Expr&)>& fn) {
  if (!a.function || has<For>(a.function->body) || has<While>(a.function->body)) return false;
  visit(a.function->body, [&](const Stmt& s) {
    forEachExpr(s, [&](const Expr& e) { visitThrough(e, [&](const Expr& part) { return fn(part), true; }); });
    return true;
  });
  return true;
}

void visitThrough(const Expr& e, const std::function<bool(const Expr&)>& fn) {
  visit(e, [&](const Expr& part) {
    const auto* a = part.as<Apply>();
    return (a && visitBody(*a, [&](const Expr& inner) { fn(inner); })) || fn(part);
  });
}

} // namespace appyc::ir
