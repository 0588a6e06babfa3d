//===- Distribution.cpp - statements of a nest in nests of their own ---------------------------------------===//
#include "appyc/Loops/Loops.h"
#include <algorithm>

namespace appyc::loops {
using namespace ir;

namespace {

using List = std::vector<Stmt>;

/// Does something behind it in the list store what it reads?
bool isStoredBehind(const List& list, size_t at) {
  bool stored = false;
  each<Load>(list[at], [&](const Load& l) {
    for (size_t k = at + 1; k < list.size(); ++k)
      each<Store>(list[k],
                  [&](const Store& s) { stored |= s.buffer == l.buffer && mayBeSame(s.index, l.index); });
  });
  return stored;
}

/// Without what sets only scalars that nothing behind it in the list reads.
List inUse(const List& list, std::set<Symbol> read) {
  List out;
  for (size_t k = list.size(); k-- > 0;) {
    if (!intersect(assignedVars(list[k]), read)) continue;
    read.merge(readScalars(list[k]));
    out.insert(out.begin(), list[k]);
  }
  return out;
}

/// The statements, each of those in a branch that folds and stores under its condition alone, where none of them changes that.
List underOwnConditions(const List& list, const std::set<Symbol>& folded) {
  List out;
  for (const Stmt& s : list) {
    const auto* branch = s.as<If>();
    if (!branch || branch->otherwise || !mentionsAny(s, folded) || storedBuffers(s).empty() ||
        !keeps(branch->then, branch->cond)) {
      out.push_back(s);
      continue;
    }
    for (const Stmt& part : underOwnConditions(statementsOf(branch->then), folded))
      out.push_back(makeStmt(part->span, If{branch->cond, part, {}}));
  }
  return out;
}

For around(const For& loop, Stmt body) {
  For copy = loop;
  copy.body = std::move(body);
  return copy;
}

} // namespace

std::optional<FoldsApart> foldsApart(const For& outer, const analysis::Context& known) {
  const auto* inner = outer.body.as<For>();
  if (!inner) return {};
  const std::set<Symbol> exposed = analysis::exposedScalars(inner->body);
  std::set<Symbol> folded = assignedVars(inner->body);
  std::erase_if(folded, [&](const Symbol& name) { return !exposed.count(name); });
  const List list = underOwnConditions(statementsOf(inner->body), folded);

  List storing, folding;
  std::set<Symbol> besideStores; // scalars that are set where something is stored
  for (size_t k = 0; k < list.size(); ++k) {
    const bool folds = mentionsAny(list[k], folded);
    if (!folds) storing.push_back(list[k]);
    if (!folds && !storedBuffers(list[k]).empty()) {
      besideStores.merge(assignedVars(list[k]));
      continue;
    }
    if (!storedBuffers(list[k]).empty() || isStoredBehind(list, k)) return {};
    folding.push_back(list[k]);
  }
  if (folded.empty() || storing.empty() || mentionsAny(block(folding), besideStores)) return {};
  const Span span = outer.body->span;
  const Stmt stores = makeStmt(span, around(*inner, block(storing)));
  const Stmt folds = withOwnScalars(makeStmt(span, around(*inner, block(inUse(folding, folded)))),
                                    assignedVars(block(storing)));
  FoldsApart apart{around(outer, stores), around(outer, withoutOrigins(folds))};
  apart.stores.reductions.clear();
  apart.folds.hints.origins.clear();
  analysis::Context context = known;
  if (analysis::leadsTo(apart.folds, apart.stores, context, false)) return {};
  const analysis::Inside inside(context, outer);
  if (analysis::leadsTo(*folds.as<For>(), *stores.as<For>(), context, false)) return {};
  return apart;
}

} // namespace appyc::loops
