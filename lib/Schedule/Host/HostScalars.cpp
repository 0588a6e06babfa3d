//===- HostScalars.cpp - scalars of the host program, before and after some move to the device ----------===//
#include "HostScalars.h"
#include "appyc/Analysis/Dependence.h"
#include "appyc/IR/Dsl.h"
#include "appyc/IR/Loops.h"
#include "appyc/IR/Walk.h"
#include <algorithm>

namespace appyc::schedule {
using namespace ir;

std::map<Symbol, DType> scalarTypes(const Function& function) {
  std::map<Symbol, DType> types = assignedTypes(function.body);
  for (const Param& p : function.params)
    if (!p.isArray) types.emplace(p.name, p.type);
  return types;
}

Stmt readBoundsFirst(const Stmt& s) {
  const auto* loop = s.as<For>();
  if (!loop || !isParallel(*loop)) return mapChildren(s, readBoundsFirst);
  std::set<Symbol> written = storedBuffers(loop->body);
  std::vector<Stmt> before;
  For changed = *loop;
  for (Expr* bound : {&changed.lo, &changed.hi, &changed.step})
    if (intersect(loadedBuffers(*bound), written)) *bound = Builder{s->span}.let("bound", *bound, before);
  if (before.empty()) return s;
  before.push_back(makeStmt(s->span, std::move(changed)));
  return block(std::move(before));
}

/// Is each value that the host fetches stored right before, by none of `known`, and none read by a kernel?
static bool isFetchedAtOnce(const Stmt& body, const Symbol& home, const std::vector<Stmt>& known) {
  const Stmt kernels = rewrite(body, [](const Stmt& part) { return part.is<Fetch>() ? block({}) : Stmt(); });
  if (loadedBuffers(kernels).count(home)) return false;
  return !any<Block>(body, [&](const Block& list) {
    bool isStored = false;
    return std::any_of(list.body.begin(), list.body.end(), [&](const Stmt& s) {
      const auto* store = s.as<Store>();
      const auto* fetch = s.as<Fetch>();
      isStored |= store && store->buffer == home && std::ranges::find(known, s) == known.end();
      return fetch && fetch->buffer == home && !isStored;
    });
  });
}

Stmt withoutIdle(const Stmt& body, const std::vector<Stmt>& stores) {
  std::set<const StmtNode*> idle;
  for (const Stmt& s : stores)
    if (isFetchedAtOnce(body, s.as<Store>()->buffer, stores)) idle.insert(s.get());
  if (idle.empty()) return body;
  return rewrite(body, [&](const Stmt& s) { return idle.count(s.get()) ? block({}) : Stmt(); });
}

std::map<Symbol, Buffer> numbersHeld(const Function& function) {
  std::map<Symbol, int> writers, assignments;
  each<Store>(function.body, [&](const Store& store) { writers[store.buffer] += 2; });
  each<Assign>(function.body, [&](const Assign& a) { ++assignments[a.var]; });
  each<Routine>(function.body, [&](const Routine& r) {
    forEachOperand(r, [&](const Routine::Operand& operand, Effect effect) {
      if (effect != Effect::In) ++writers[operand.buffer];
    });
  });
  std::map<Symbol, Buffer> held;
  for (const Stmt& s :
       statementsOf(function.body)) { // in a loop one may be asked for when the next is written
    const auto* a = s.as<Assign>();
    if (!a || assignments[a->var] != 1) continue;
    const auto* read = a->value.as<Load>();
    const auto* same = a->value.as<Var>();
    const Buffer* number = read ? function.findBuffer(read->buffer) : nullptr;
    if (number && number->extents.empty() && writers[number->name] == 1)
      held.emplace(a->var, *number);
    else if (same && held.contains(same->name))
      held.emplace(a->var, held.at(same->name));
  }
  return held;
}

bool isOfResults(const std::vector<Unit>& units, const Unit& unit) {
  const auto isPlain = [](const Stmt& s) {
    bool plain = loadedBuffers(s).empty() && storedBuffers(s).empty() && !has<Apply>(s);
    visit(s, [&](const Stmt& part) {
      plain &= part.is<Assign>() || part.is<If>() || part.is<Block>();
      return plain;
    });
    return plain;
  };
  const auto* behind = &unit + 1;
  const auto* end = units.data() + units.size();
  return behind != end && end[-1].kind == Unit::Host && end[-1].body.front().is<Return>() &&
         std::ranges::all_of(unit.body, isPlain) && std::all_of(behind, end - 1, [&](const Unit& other) {
           return other.kind == Unit::Host && std::ranges::all_of(other.body, isPlain);
         });
}

std::vector<Stmt> computedOnHost(const Unit& unit, const std::set<Symbol>& results,
                                 const std::map<Symbol, Buffer>& asked) {
  std::map<Symbol, int> assignments;
  each<Assign>(block(unit.body), [&](const Assign& a) { ++assignments[a.var]; });
  std::map<Symbol, Symbol> names; // the host's
  std::vector<Stmt> out, rest, body = unit.body;
  for (size_t k = 0; k < body.size(); ++k) {
    const Stmt s = body[k];
    const auto* a = s.as<Assign>();
    const auto* copied = a ? a->value.as<Var>() : nullptr;
    if (copied && !results.count(a->var) && assignments[a->var] == 1 && !assignments.count(copied->name)) {
      for (Stmt& later : body) later = renameScalar(later, a->var, copied->name);
      continue;
    }
    const auto home = copied ? asked.find(copied->name) : asked.end();
    const bool isFirst = home != asked.end() && results.count(a->var) && assignments[a->var] == 1 &&
                         !assignments.count(copied->name) && names.emplace(copied->name, a->var).second;
    if (isFirst)
      out.push_back(makeStmt(s->span, Fetch{a->var, home->second.name, home->second.type}));
    else
      rest.push_back(s);
    if (!a || results.count(a->var)) continue;
    const Symbol anew(a->var.hint()); // of what stands before, recordings keep one value
    rest.back() = makeStmt(s->span, Assign{anew, a->value});
    for (size_t later = k + 1; later < body.size(); ++later)
      body[later] = renameScalar(body[later], a->var, anew);
  }
  for (const auto& [name, home] : asked)
    if (const auto [own, isNew] = names.emplace(name, Symbol(name.hint())); isNew)
      out.push_back(makeStmt(unit.body.front()->span, Fetch{own->second, home.name, home.type}));
  for (Stmt& s : rest)
    for (const auto& [name, own] : names) s = renameScalar(s, name, own);
  out.insert(out.end(), rest.begin(), rest.end());
  return out;
}

bool isOnlyResult(const std::vector<Stmt>& list, const Symbol& name) {
  int assignments = 0;
  for (const Stmt& s : list) {
    const auto* a = s.as<Assign>();
    if (a && a->var == name && !mentions(a->value, name))
      ++assignments;
    else if (mentionsAny(s, {name}))
      return false;
  }
  return assignments == 1;
}

std::vector<Stmt> withKnownApart(const std::vector<Stmt>& run) {
  std::vector<Stmt> rest = run, ofRun, out;
  std::set<Symbol> registers;
  for (size_t k = 0; k < rest.size(); ++k) {
    const Stmt s = rest[k];
    const std::set<Symbol> assigned = assignedVars(s);
    const bool isKnown = loadedBuffers(s).empty() && storedBuffers(s).empty() &&
                         !intersect(analysis::exposedScalars(s), registers) &&
                         (s.is<Assign>() || !intersect(assigned, registers));
    if (!isKnown) {
      ofRun.push_back(s);
      registers.insert(assigned.begin(), assigned.end());
    }
    for (const Symbol& name : assigned) {
      if (!isKnown ||
          std::ranges::none_of(ofRun, [&](const Stmt& part) { return mentionsAny(part, {name}); }))
        continue;
      const Symbol anew(name.hint());
      if (!s.is<Assign>())
        out.push_back(makeStmt(s->span, Assign{anew, var(name, assignedTypes(s).at(name))}));
      const auto* a = rest[k].as<Assign>();
      rest[k] = a ? makeStmt(s->span, Assign{anew, a->value}) : renameScalar(rest[k], name, anew);
      for (size_t later = k + 1; later < rest.size(); ++later)
        rest[later] = renameScalar(rest[later], name, anew);
    }
    out.push_back(rest[k]);
  }
  return out;
}

std::set<Symbol> scalarsOfArrays(const Stmt& nest, const std::set<Symbol>& ofDevice,
                                 const std::set<Symbol>& ofNest) {
  const auto namesIn = [&](const Expr& e) {
    std::set<Symbol> names;
    for (const Symbol& name : freeVars(e))
      if (ofDevice.count(name) && !ofNest.count(name)) names.insert(name);
    return names;
  };
  std::set<Symbol> all;
  each<Alloc>(nest, [&](const Alloc& made) {
    for (const Expr& e : made.buffer.extents) {
      const auto* least = e.as<Binary>();
      const bool isBounded =
          least && least->op == BinaryOp::Min && (namesIn(least->lhs).empty() || namesIn(least->rhs).empty());
      if (!isBounded) all.merge(namesIn(e));
    }
  });
  return all;
}

} // namespace appyc::schedule
