//===- RedundantWork.h - what it costs that all blocks of a kernel do the same --------------------------===//
#pragma once
#include "appyc/IR/Nodes.h"
#include <utility>
#include <vector>

namespace appyc::schedule {

/// In elements that neighbouring lanes load side by side: what takes no longer than two or three launches.
constexpr int64_t kLittleWork = int64_t{1} << 23;

/// What an operation takes, without its operands, and an access by lanes along the index `lane` (no symbol: by
/// one thread): measured in elements that neighbouring lanes load side by side.
int64_t unitsOfOperation(const ir::Expr& e);
int64_t unitsOfAccess(const std::vector<ir::Expr>& subscripts, const Symbol& lane);

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

} // namespace appyc::schedule
