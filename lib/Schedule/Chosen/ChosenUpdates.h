//===- ChosenUpdates.h - nests of loops that update elements which the data choose ------------------------------===//
#pragma once
#include "appyc/IR/Nodes.h"
#include <set>
#include <vector>

namespace appyc::schedule {

/// `target[index] = target[index] op by`, and nothing else in the nest touches the target but other updates by `op`.
struct ChosenUpdate {
  const ir::Store* store;
  ir::Buffer target;
  ir::ReduceOp op;
  ir::Expr by;
  int64_t part = 0, of = 1; ///< which of so many updates of the target in a step
};

/// Loops, each the body of the one before and with bounds that stay what they are, around `body`.
struct UpdateNest {
  std::vector<const ir::For*> loops;
  ir::Stmt body;
  std::set<Symbol> inside; ///< the loops' indices, and scalars that the nest assigns
  std::vector<ChosenUpdate> updates;

  bool isFixed(const ir::Expr& index) const; ///< is it the same in all steps?
  const ChosenUpdate* updateAt(const ir::Stmt&) const;
};

/// The nest with loops of few iterations around updates written out, those of one element that follow each other as one, and
/// extremes without a branch: `if x < t[i]: t[i] = x` as `t[i] = x if x < t[i] else t[i]`.
///   for i in [0, 3): h[k[t, i]] += w[i]  =>  h[k[t, 0]] += w[0]; h[k[t, 1]] += w[1]; h[k[t, 2]] += w[2]
ir::Stmt withUpdatesWrittenOut(const ir::Stmt& nest);

/// Without updates where the outer loop is none that runs in order for the sake of them.
UpdateNest findUpdates(const ir::Stmt& nest, const ir::Function&);

} // namespace appyc::schedule
