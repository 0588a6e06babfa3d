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

} // namespace

std::vector<Stmt> sliceOf(const std::vector<Stmt>& list, std::set<Symbol> needed) {
  List slice;
  for (size_t k = list.size(); k-- > 0;) {
    if (!intersect(assignedVars(list[k]), needed)) continue;
    needed.merge(readScalars(list[k]));
    slice.insert(slice.begin(), list[k]);
  }
  return slice;
}

std::optional<FoldsApart> foldsApart(const For& outer, const analysis::Context& known) {
  const auto* inner = outer.body.as<For>();
  if (!inner) return {};
  const std::set<Symbol> folded = analysis::handedOn(inner->body);
  const List list = underOwnConditions(statementsOf(inner->body), folded);
  List storing, folding;
  std::set<Symbol> besideStores; // scalars that are set where something is stored
  std::set<Symbol> ofFolds;      // and by what is folded
  for (size_t k = 0; k < list.size(); ++k) {
    const bool folds = mentionsAny(list[k], folded);
    if (folds)
      ofFolds.merge(assignedVars(list[k]));
    else
      storing.push_back(list[k]);
    if (!folds && !storedBuffers(list[k]).empty()) {
      besideStores.merge(assignedVars(list[k]));
      continue;
    }
    if (!storedBuffers(list[k]).empty() || isStoredBehind(list, k)) return {};
    folding.push_back(list[k]);
  }
  if (folded.empty() || storing.empty() || mentionsAny(block(folding), besideStores) ||
      intersect(readScalars(block(storing)), ofFolds))
    return {};
  const Span span = outer.body->span;
  const Stmt stores = makeStmt(span, withBody(*inner, block(storing)));
  const Stmt folds = withOwnScalars(makeStmt(span, withBody(*inner, block(sliceOf(folding, folded)))),
                                    assignedVars(block(storing)));
  FoldsApart apart{withBody(outer, stores), withBody(outer, withoutOrigins(folds)), {}};
  apart.stores.reductions.clear();
  apart.folds.hints.origins.clear();
  analysis::Context context = known;
  if (analysis::leadsTo(apart.folds, apart.stores, context, false)) return {};
  const analysis::Inside inside(context, outer);
  if (analysis::leadsTo(*folds.as<For>(), *stores.as<For>(), context, false)) return {};
  return apart;
}

std::optional<FoldsApart> foldsOfKept(const For& outer) {
  const auto* inner = outer.body.as<For>();
  if (!inner) return {};
  const std::set<Symbol> folded = analysis::handedOn(inner->body);
  const Builder build{outer.body->span};
  const std::vector<Expr> at{positionIn(outer), positionIn(*inner)},
      extents{maxOf(outer.hi - outer.lo, 0), maxOf(inner->hi - inner->lo, 0)};
  FoldsApart apart;
  List storing, folding;
  std::set<Symbol> ofStores; // scalars
  for (const Stmt& s : underOwnConditions(statementsOf(inner->body), folded)) {
    if (!mentionsAny(s, folded)) {
      ofStores.merge(assignedVars(s));
      storing.push_back(s);
      continue;
    }
    std::map<Symbol, Expr> read;
    each<Var>(s, [&](const Var& v) {
      if (!ofStores.count(v.name) || read.count(v.name)) return;
      apart.kept.push_back({Symbol(v.name.hint()), v.type, extents});
      storing.push_back(build.store(apart.kept.back(), at, make(v)));
      read.emplace(v.name, build.let(v.name.hint(), load(apart.kept.back(), at), folding));
    });
    folding.push_back(readAs(s, read));
  }
  const Stmt stores = block(storing), folds = block(folding);
  if (folded.empty() || ofStores.empty() || !storedBuffers(folds).empty() ||
      intersect(loadedBuffers(folds), storedBuffers(inner->body)) ||
      intersect(assignedVars(folds), readScalars(stores)) || intersect(assignedVars(folds), ofStores))
    return {};
  const Stmt foldsInside = makeStmt(outer.body->span, withBody(*inner, folds));
  apart.stores = withBody(outer, makeStmt(outer.body->span, withBody(*inner, stores)));
  apart.folds = withBody(outer, withoutOrigins(foldsInside));
  apart.stores.reductions.clear();
  apart.folds.hints.origins.clear();
  return apart;
}

} // namespace appyc::loops
