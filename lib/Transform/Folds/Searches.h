//===- Searches.h - branches of a loop that keep the best --------------------------------------------------===//
#pragma once
#include "appyc/Analysis/Dependence.h"
#include "appyc/IR/Dsl.h"
#include <optional>
#include <set>
#include <vector>

namespace appyc::transform {

/// `if key > best: best = key; ..`, or by `<`; and what the loop sets with it.
struct Search {
  Symbol best;
  ir::Expr start; ///< what it is before the loop, where it has no name in the source
  ir::DType type;
  bool isMost;
  struct Site {
    ir::Stmt branch;
    ir::Expr key;
  };
  std::vector<Site> sites{};
  std::set<Symbol> scalars{}, arrays{};

  bool isSameAs(const Search&) const;
  ir::Expr value() const { return ir::var(best, type); }
  ir::Expr isBetter(const ir::Expr& key, const ir::Expr& than) const {
    return isMost ? key > than : key < than;
  }
};

/// The last assignment to `name` in the branch's own list of statements; null without one.
const ir::Assign* assignedIn(const ir::Stmt& branch, const Symbol& name);

/// The search of which a branch is the one site: `if key > best: best = key; ..`, or `if a[i] > a[at]: at = i; ..`, whose best
/// gets a name.
std::optional<Search> searchBy(const ir::Stmt& s);

/// Is it a branch that keeps the best, or the first and then the best?
bool isSearch(const ir::Stmt& s);

/// The serial loop with comparisons alone in their branches; an empty handle where they are:
///   if c and key > best: ..              =>  if c: if key > best: ..
///   if at == -1 or a[i] > a[at]: at = i  =>  if a[i] > a[at]: at = i, from the first i on
ir::Stmt withSearchesAlone(const ir::Stmt& s, const ir::Function& function, analysis::Context& known);

} // namespace appyc::transform
