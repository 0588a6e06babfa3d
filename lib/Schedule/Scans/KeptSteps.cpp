//===- KeptSteps.cpp - nests of serial loops whose steps keep an element each, or some do ---------------===//
#include "KeptSteps.h"
#include "appyc/IR/Dsl.h"
#include "appyc/IR/Loops.h"
#include "appyc/Loops/Loops.h"
#include <algorithm>

namespace appyc::schedule {
using namespace ir;

bool KeptSteps::reads(const Stmt& nest) {
  const auto isStep = [](const For& loop, const auto&) { return isSerial(loop) && isConst(loop.step, 1); };
  const auto [around, body] = loops::perfectNest(nest, isStep);
  loops = around;
  const std::vector<Stmt> steps = statementsOf(body);
  if (loops.empty() || steps.empty()) return false;
  std::vector<Stmt> stores(1, steps.back());
  before.assign(steps.begin(), steps.end() - 1);
  if (const auto* branch = steps.back().as<If>()) {
    if (branch->otherwise) return false;
    isKept = branch->cond;
    stores = statementsOf(branch->then);
  } else {
    stores = steps;
    before.clear();
  }
  return takesApart(std::move(stores)) && isIndependent(body);
}

/// Scalars of the step's own, stores at the counter, and at last its increase.
bool KeptSteps::takesApart(std::vector<Stmt> stores) {
  if (stores.empty()) return false;
  const auto* step = stores.back().as<Assign>();
  const auto* sum = step ? step->value.as<Binary>() : nullptr;
  const auto* counted = sum ? sum->lhs.as<Var>() : nullptr;
  if (!counted || sum->op != BinaryOp::Add || counted->name != step->var || !isConst(sum->rhs, 1))
    return false;
  counter = step->var;
  stores.pop_back();
  kept = std::move(stores);
  size_t count = 0;
  for (const Stmt& s : kept) {
    const auto* store = s.as<Store>();
    if (!store && !s.is<Assign>()) return false;
    if (!store) continue;
    const auto* at = store->index.size() == 1 ? store->index[0].as<Var>() : nullptr;
    if (!at || at->name != counter || store->atomicOp) return false;
    ++count;
  }
  return count > 0 && std::all_of(before.begin(), before.end(), [](const Stmt& s) { return s.is<Assign>(); });
}

/// Does each step see only what it would see alone? The extents of inner loops are those of all steps.
bool KeptSteps::isIndependent(const Stmt& body) const {
  std::set<Symbol> assigned = assignedVars(body), stored = storedBuffers(body), own;
  for (const For* loop : loops)
    for (const Expr* bound : {&loop->lo, &loop->hi})
      if (readsMemory(*bound) || mentionsAny(*bound, assigned) ||
          std::any_of(loops.begin(), loops.end(), [&](const For* l) { return mentions(*bound, l->index); }))
        return false;
  std::vector<Stmt> all = before;
  if (isKept) all.push_back(makeStmt({}, Assign{Symbol("asked"), isKept}));
  all.insert(all.end(), kept.begin(), kept.end());
  for (const Stmt& s : all) { // a scalar is set before it is read, and so in each step anew
    const auto* a = s.as<Assign>();
    const Expr& value = a ? a->value : s.as<Store>()->value;
    for (const Symbol& read : freeVars(value))
      if (assigned.count(read) && !own.count(read)) return false;
    if (intersect(loadedBuffers(value), stored)) return false;
    if (a) own.insert(a->var);
  }
  return std::none_of(own.begin(), own.end(), [&](const Symbol& s) { return isReadOutside(s, body); });
}
bool KeptSteps::isReadOutside(const Symbol& name, const Stmt& body) const {
  return countReads(function_.body, name) > countReads(body, name);
}

Expr KeptSteps::position() const {
  Expr at = intConst(0);
  for (const For* loop : loops) at = at * (loop->hi - loop->lo) + (var(loop->index) - loop->lo);
  return at;
}

std::map<Symbol, Expr> KeptSteps::scalars() const {
  std::map<Symbol, Expr> values;
  for (const std::vector<Stmt>* part : {&before, &kept})
    for (const Stmt& s : *part)
      if (const auto* a = s.as<Assign>())
        values[a->var] = values.contains(a->var) ? var(a->var) : substitute(a->value, values);
  return values;
}

std::optional<Routine::Operand> KeptSteps::elementsOf(const Expr& value) const {
  const auto* read = value.as<Load>();
  if (!read || read->index.empty()) return std::nullopt;
  const std::vector<Expr>& extents = function_.buffer(read->buffer).extents;
  const bool isVector = loops.size() == 1 && extents.size() == 1;
  Expr rest = var(loops.back()->index); // of one loop over all elements
  for (size_t d = extents.size(); d-- > 0;) {
    const For& loop = *loops[loops.size() == 1 ? 0 : std::min(d, loops.size() - 1)];
    const Expr at = loops.size() > 1 ? var(loop.index) : d == 0 ? rest : mod(rest, extents[d]);
    const bool isAll = isConst(loop.lo, 0) && (loops.size() == 1 || equal(loop.hi, extents[d]));
    if (!equal(read->index[d], at) || !(isAll || isVector)) return std::nullopt;
    rest = floorDiv(rest, extents[d]);
  }
  if (loops.size() > 1 && loops.size() != extents.size()) return std::nullopt;
  Routine::Operand first{read->buffer, std::vector<Expr>(extents.size(), intConst(0))};
  if (isVector) first.at = {loops[0]->lo};
  return first;
}

} // namespace appyc::schedule
