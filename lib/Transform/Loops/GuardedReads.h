//===- GuardedReads.h - what an expression reads, under the conditions on which it is read ---------------===//
#pragma once
#include "appyc/IR/Nodes.h"
#include <functional>
#include <vector>

namespace appyc::transform {

/// Statements before one that reads memory: `onLoad` appends what is to run before each load, and stands in an `if`
/// where only one side of a choice is evaluated.
class GuardedReads {
public:
  using List = std::vector<ir::Stmt>;
  explicit GuardedReads(std::function<void(const ir::Load&, List&)> onLoad) : onLoad_(std::move(onLoad)) {}
  void read(const ir::Expr& e, Span where, List& out);
  void forget() { seen_.clear(); } ///< another statement begins

private:
  void guarded(const ir::Expr& cond, const ir::Expr& whenTrue, const ir::Expr& whenFalse, Span where,
               List& out);

  std::function<void(const ir::Load&, List&)> onLoad_;
  std::vector<ir::Expr> seen_; ///< loads that the statement at hand has checked already
};

} // namespace appyc::transform
