//===- HoistFolds.cpp - a fold that no iteration changes is computed once, in front of the loop ---------===//
//   for i: y[i] = x[i] - sum(x[k] for k) / n    =>    total = sum(x[k] for k)
//                                                     for i: y[i] = x[i] - total / n
// As people write `x[i] - x.mean()` in loops. The fold is over whole arrays, so that nothing is read that a loop without
// iterations would not have been allowed to; what stands in branches stays.
#include "KnownValues.h"
#include "appyc/IR/Build.h"
#include "appyc/IR/Walk.h"
#include "appyc/Loops/FunctionPass.h"
#include "appyc/Transform/Passes.h"
#include <algorithm>

namespace appyc::transform {
using namespace ir;

namespace {

class Hoisting : loops::FunctionPass {
public:
  using FunctionPass::FunctionPass;

  Stmt visit(const Stmt& s) {
    if (!s) return s;
    std::vector<Stmt> out;
    const Stmt without = isLoop(s) ? hoisted(s, out) : s;
    const Stmt inner = mapChildren(without, [&](const Stmt& child) { return visit(child); });
    if (out.empty()) return inner;
    out.push_back(inner);
    return block(std::move(out));
  }

private:
  static bool isLoop(const Stmt& s) { return s.is<For>() || s.is<While>(); }

  /// The loop with names for what each iteration would fold again.
  Stmt hoisted(const Stmt& s, std::vector<Stmt>& out) {
    std::set<Symbol> changed = changedBy(s);
    changed.merge(allocatedBuffers(s));
    std::vector<std::pair<Expr, Expr>> named; // by indices' names, with the scalar
    collect(s, changed, named, out);
    if (named.empty()) return s;
    note(DiagId::Shared, s, "`{}` is folded once, in front of the loop, which does not change it",
         named.front().second.as<Var>()->name.hint());
    return rewrite(s, nullptr, [&](const Expr& e) -> Expr {
      if (!e.is<Reduce>()) return {};
      const Expr value = names_.canonical(e);
      const auto it = std::ranges::find_if(named, [&](const auto& n) { return equal(n.first, value); });
      return it == named.end() ? Expr() : it->second;
    });
  }

  /// Folds of statements that each iteration runs.
  void collect(const Stmt& s, const std::set<Symbol>& changed, std::vector<std::pair<Expr, Expr>>& named,
               std::vector<Stmt>& out) {
    if (s.is<Block>() || isLoop(s))
      forEachChild(s, [&](const Stmt& child) { collect(child, changed, named, out); });
    for (const Expr& fold : foldsOf(s)) {
      if (dependsOn(fold, changed) || !isOfWholeArrays(fold)) continue;
      const Expr value = names_.canonical(fold);
      if (std::ranges::any_of(named, [&](const auto& n) { return equal(n.first, value); })) continue;
      const Symbol name(nameOfFold(fold.as<Reduce>()->op));
      out.push_back(makeStmt(s->span, Assign{name, fold}));
      named.emplace_back(value, var(name, typeOf(fold)));
    }
  }

  /// Does it read elements alone that are there, whatever else is true?
  bool isOfWholeArrays(const Expr& fold) const {
    std::vector<Range> over;
    each<Reduce>(fold, [&](const Reduce& r) { over.insert(over.end(), r.over.begin(), r.over.end()); });
    bool all = has<Load>(fold);
    each<Load>(fold, [&](const Load& l) {
      const Buffer& array = function_.buffer(l.buffer);
      for (size_t d = 0; d < l.index.size(); ++d) {
        const auto* at = l.index[d].as<Var>();
        const auto range =
            std::ranges::find_if(over, [&](const Range& r) { return at && r.index == at->name; });
        all &= range != over.end() && equalIndex(range->extent, array.extents[d]);
      }
    });
    return all;
  }

  IndexNames names_;
};

} // namespace

void hoistFolds(Function& f, PassContext& ctx) {
  if (has<Reduce>(f.body) && has<For>(f.body)) f.body = Hoisting(f, ctx).visit(f.body);
}

} // namespace appyc::transform
