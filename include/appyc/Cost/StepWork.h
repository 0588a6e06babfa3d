//===- StepWork.h - how much the kernels of one step of a loop do ---------------------------------------===//
#pragma once
#include "appyc/IR/Nodes.h"
#include <map>
#include <set>
#include <string>
#include <vector>

namespace appyc::cost {

/// What the parallel loops of a loop's kernels touch in one iteration, in elements that neighbouring lanes access
/// side by side; others count 8, a function 8, a quotient 2, the fold of a warp 64. At most, where iterations
/// differ. Loops of one thread or one block take their time wherever they run: they count nothing.
class StepWork {
public:
  explicit StepWork(const ir::For& steps) : steps_(&steps) {}
  void add(const ir::Launch& kernel);
  /// An empty handle where the host cannot know.
  ir::Expr total() const;

private:
  using Loops = std::vector<const ir::For*>;
  void walk(const ir::Stmt& s, Loops& loops, std::vector<ir::Expr>& loaded);
  void count(int64_t units, const Loops& loops);
  int64_t unitsOf(const ir::Stmt& s, const Loops& loops, std::vector<ir::Expr>& loaded) const;
  ir::Expr mostTripsOf(const ir::For& loop, const Loops& around) const;

  const ir::For* steps_;
  std::set<Symbol> own_; ///< scalars of the kernels
  struct Term {
    ir::Expr iterations;
    int64_t units;
  };
  std::map<std::string, Term> terms_; ///< by how the iterations are written
  bool known_ = true;
};

} // namespace appyc::cost
