//===- RedundantWork.h - what it costs that all blocks of a kernel do the same --------------------------===//
#pragma once
#include "appyc/IR/Nodes.h"
#include <utility>
#include <vector>

namespace appyc::cost {

/// Work of the loops that a block's lanes share, a sum over loops: those of one length are added up.
class RedundantWork {
public:
  void add(const ir::Stmt& s) { count(s, 1); }
  void leaveOut(const ir::Stmt& s) { count(s, -1); }
  /// A measure of as much work in each of `blocks`, and the number that it may not exceed where all together
  /// are `most` units.
  std::pair<ir::Expr, int64_t> inAll(const ir::Expr& blocks, int64_t most) const;

private:
  void count(const ir::Stmt& s, int64_t sign);

  std::vector<std::pair<ir::Expr, int64_t>> terms_; ///< trip counts, and units an iteration
};

} // namespace appyc::cost
