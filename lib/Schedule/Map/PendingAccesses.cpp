//===- PendingAccesses.cpp - what the lanes of a worker may still be at -------------------------------===//
#include "PendingAccesses.h"
#include "appyc/IR/Build.h"
#include "appyc/IR/Walk.h"
#include <algorithm>

namespace appyc::schedule {
using namespace ir;

static Access::Uses usedIn(const Stmt& s) {
  Access::Uses uses{loadedBuffers(s), storedBuffers(s), assignedVars(s)};
  visit(
      s,
      [&](const Stmt& part) {
        if (const auto* loop = part.as<For>())
          for (const Reduction& r : loop->reductions) uses.names.insert(r.var);
        return true;
      },
      [&](const Expr& e) {
        if (const auto* v = e.as<Var>()) uses.names.insert(v->name);
        return true;
      });
  return uses;
}

Access::Access(const Stmt& s) : by(s), uses(std::make_shared<const Uses>(usedIn(s))) {}

bool Access::touches(const std::set<Symbol>& buffers) const {
  return intersect(buffers, uses->loads) || intersect(buffers, uses->stores);
}

void Pending::add(const Access& access) {
  if (std::ranges::none_of(accesses, [&](const Access& known) {
        return known.by == access.by && known.ofScratch == access.ofScratch;
      }))
    accesses.push_back(access);
}

void Pending::add(const Pending& other) {
  for (const Access& a : other.accesses) add(a);
  folds.insert(other.folds.begin(), other.folds.end());
}

Pending Pending::ofArrays(const std::set<Symbol>& scratch) const {
  Pending left{{}, folds};
  for (const Access& a : accesses)
    if (a.touches(scratch)) left.accesses.emplace_back(a).ofScratch = true;
  return left;
}

/// What is said of the same statement again is the same one, so that Pending::add() knows it.
void PastValues::rename(Access& access, std::vector<Renaming> renamed) {
  std::erase_if(renamed, [&](const Renaming& r) { return access.uses->names.count(r.from) == 0; });
  if (renamed.empty()) return;
  std::vector<std::pair<Symbol, Symbol>> key;
  for (const Renaming& r : renamed) key.emplace_back(r.from, r.to);
  auto known = renamed_.find({access.by.get(), key});
  if (known == renamed_.end()) {
    std::map<Symbol, Expr> values;
    for (const Renaming& r : renamed) values[r.from] = var(r.to, r.type);
    const Stmt other = substitute(access.by, values);
    known = renamed_.emplace(std::pair(access.by.get(), key), std::pair(access.by, Access(other))).first;
  }
  const bool scratchOnly = access.ofScratch;
  access = known->second.second;
  access.ofScratch = scratchOnly;
}

void PastValues::rename(Pending& pending, const std::vector<Renaming>& renamed) {
  for (Access& earlier : pending.accesses) rename(earlier, renamed);
}

/// Some earlier value of a variable; which one is of no account, as each access is asked about by itself.
Symbol PastValues::oldOf(Symbol name) { return old_.try_emplace(name, name.hint()).first->second; }

void PastValues::renew(Pending& pending, Symbol name, Symbol loop) {
  rename(pending, {{name, oldOf(loop ? loop : name), DType::I64}});
}

void PastValues::renew(Pending& pending, const std::map<Symbol, DType>& changed) {
  std::vector<Renaming> renamed;
  for (const auto& [name, type] : changed) renamed.push_back({name, oldOf(name), type});
  rename(pending, renamed);
}

} // namespace appyc::schedule
