//===- ShareNumbers.cpp - what the host computes twice is said once ------------------------------------===//
//   chunks = min(n // 64, 512)              chunks = min(n // 64, 512)
//   launch a(chunks)                  =>    launch a(chunks)
//   chunks_1 = min(n // 64, 512)            launch b(chunks)
//   launch b(chunks_1)
// Scalars that are set once, from others that are: each has one value wherever it is read.
#include "appyc/IR/Build.h"
#include "appyc/IR/Rewrite.h"
#include "appyc/IR/Walk.h"
#include "appyc/Schedule/Passes.h"
#include <algorithm>

namespace appyc::schedule {
using namespace ir;

namespace {

class NumberSharing {
public:
  explicit NumberSharing(const Function& f) {
    for (const Result& result : f.results) settings_[result.name] += 2; // whose names are known outside
    for (const Param& p : f.params) ++settings_[p.name];                // by the caller
    visit(f.body, [&](const Stmt& s) {
      if (const auto* a = s.as<Assign>()) ++settings_[a->var];
      if (const auto* fetch = s.as<Fetch>()) settings_[fetch->var] += 2; // from memory, which changes
      return true;
    });
  }

  /// The statement without settings of what has a name already.
  Stmt visited(const Stmt& s) {
    if (!s || s.is<Launch>()) return s;
    if (const auto* a = s.as<Assign>()) return kept(s, *a);
    return mapChildren(s, [&](const Stmt& child) {
      const size_t outside = known_.size();
      Stmt made = visited(child);
      if (!s.is<Block>()) known_.resize(outside); // what is set under a loop or branch is known there only
      return made;
    });
  }

  std::map<Symbol, Symbol> names{}; ///< the other name of what is no longer set

private:
  Stmt kept(const Stmt& s, const Assign& a) {
    if (settings_.at(a.var) != 1 || readsMemory(a.value)) return s;
    for (const Symbol& read : freeVars(a.value))
      if (const auto it = settings_.find(read); it != settings_.end() && it->second > 1) return s;
    const Stmt named = renameScalars(s, names);
    const Expr& value = named.as<Assign>()->value;
    if (value.is<Const>() || value.is<Var>()) return s;
    for (const auto& [var, known] : known_)
      if (equal(known, value) && typeOf(known) == typeOf(value)) {
        names.emplace(a.var, var);
        return block({});
      }
    known_.emplace_back(a.var, value);
    return s;
  }

  std::map<Symbol, int> settings_; ///< how often each scalar is set
  std::vector<std::pair<Symbol, Expr>> known_;
};

} // namespace

void shareNumbers(Function& f, PassContext&) {
  NumberSharing sharing(f);
  const Stmt body = sharing.visited(f.body);
  if (sharing.names.empty()) return;
  f.body = renameScalars(body, sharing.names);
  std::map<Symbol, Expr> shared;
  for (const auto& [name, of] : sharing.names) shared.emplace(name, var(of));
  for (Buffer& b : f.buffers)
    for (Expr& extent : b.extents) extent = substitute(extent, shared);
}

} // namespace appyc::schedule
