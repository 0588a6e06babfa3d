//===- Effects.cpp - what a statement reads and writes ------------------------------------------------===//
#include "appyc/Analysis/Effects.h"
#include "appyc/IR/Walk.h"

namespace appyc::analysis {
using namespace ir;

Effects effectsOf(const Stmt& s) {
  Effects of{loadedBuffers(s), storedBuffers(s), false, false};
  of.stores = !of.writes.empty();
  of.writes.merge(assignedVars(s));
  of.reads.merge(readScalars(s));
  each<Alloc>(s, [&](const Alloc& a) { of.writes.insert(a.buffer.name); });
  of.ends = anyStmt(
      s, [](const Stmt& part) { return part.is<Require>() || part.is<Print>() || part.is<Return>(); });
  return of;
}

bool mayConflict(const Effects& a, const Effects& b) {
  return intersect(a.writes, b.reads) || intersect(a.writes, b.writes) || intersect(a.reads, b.writes) ||
         (a.ends && (b.ends || b.stores)) || (b.ends && a.stores);
}
bool mayConflict(const Stmt& a, const Stmt& b) { return mayConflict(effectsOf(a), effectsOf(b)); }

std::map<Symbol, std::set<Way>> waysToShare(const For& loop) {
  std::map<Symbol, std::set<Way>> ways;
  std::map<Symbol, std::set<size_t>> ownRows; // subscripts that are the loop's index in all accesses
  std::set<Symbol> made;
  const auto add = [&](const Symbol& array, const std::vector<Expr>& index, const Way& way) {
    const bool isFirst = !ways.count(array);
    ways[array].insert(way);
    for (size_t d = 0; d < index.size(); ++d) {
      const auto* v = index[d].as<Var>();
      if (!v || v->name != loop.index)
        ownRows[array].erase(d);
      else if (isFirst)
        ownRows[array].insert(d);
    }
  };
  each<Alloc>(loop.body, [&](const Alloc& a) { made.insert(a.buffer.name); });
  each<Load>(loop.body, [&](const Load& l) { add(l.buffer, l.index, {Way::Read, {}}); });
  each<Store>(loop.body, [&](const Store& s) {
    add(s.buffer, s.index, {s.atomicOp ? Way::Update : Way::Write, s.atomicOp});
  });
  std::erase_if(ways, [&](const auto& of) {
    const bool isRead = of.second == std::set{Way{Way::Read, {}}};
    return isRead || !ownRows[of.first].empty() || made.count(of.first) > 0;
  });
  return ways;
}

const Effects& KnownEffects::operator()(const Stmt& s) {
  auto found = known_.find(s.get());
  if (found == known_.end()) found = known_.emplace(s.get(), Entry{s, effectsOf(s)}).first;
  return found->second.effects;
}

} // namespace appyc::analysis
