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

const Effects& KnownEffects::operator()(const Stmt& s) {
  auto found = known_.find(s.get());
  if (found == known_.end()) found = known_.emplace(s.get(), Entry{s, effectsOf(s)}).first;
  return found->second.effects;
}

} // namespace appyc::analysis
