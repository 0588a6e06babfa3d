//===- PairSteps.h - steps over pairs, of which there are more than anything that is stored ----------------------===//
#pragma once
#include "appyc/IR/Dsl.h"
#include <optional>
#include <set>
#include <vector>

namespace appyc::schedule {

/// Pairs of a serial nest, so many rows of them at a time that what a step keeps for later finds room, with as many in each row:
///   for i in [0, n): for j in [i + 1, n): S  =>
///     for c in [0, batches): first = c * rows
///       for r in [0, rows): for k in [0, n - 1): if first + r < n and k < n - i - 1: S, where i = first + r, j = i + 1 + k
class PairSteps {
public:
  /// Nothing where the nest is none, or where its steps read elements for each pair.
  static std::optional<PairSteps> find(const ir::Stmt& nest, const std::set<Symbol>& sizes);

  const ir::Stmt& batch() const { return batch_; } ///< the two inner loops
  std::set<Symbol> counts() const;                 ///< scalars that say how many there are of what
  /// Around what has become of a batch.
  ir::Stmt around(const ir::Stmt& made) const;

private:
  std::vector<ir::Stmt> before_;
  Symbol first_{"first"};
  ir::Expr rows_, batches_;
  ir::Stmt batch_;
};

} // namespace appyc::schedule
