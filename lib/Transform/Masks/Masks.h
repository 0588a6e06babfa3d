//===- Masks.h - loops over points that act between two edges only --------------------------------------===//
#pragma once
#include "Evaluation.h"
#include "appyc/Analysis/Dependence.h"
#include <optional>

namespace appyc::transform {

/// `into` is folded with `value` at each point inside of a mask.
struct PointFold {
  ir::Reduction into;
  ir::Expr
      value; ///< over the points' index, of memory that the parallel loop leaves alone; it exists at all points
};

/// In an iteration of a parallel loop, the loop over points does nothing for the points without
///   lower <= point <= upper          (< where an edge is open)
struct Mask {
  ir::Expr point, lower, upper; ///< over the points' index; over the parallel loop's
  bool lowerOpen = false, upperOpen = false;
  std::vector<Assumption> comparisons;           ///< that hold within, as the loop makes them
  std::optional<std::vector<PointFold>> folds{}; ///< all that the loop does, where that is nothing else
  std::vector<ir::Reduction> addZero; ///< sums that each point outside adds +0.0 to: it can make 0.0 of -0.0
};

/// A loop over points in the body of a parallel loop.
struct PointLoop {
  const ir::For& parallel;
  const ir::For& loop;            ///< one of the statements of `parallel`'s body
  const Evaluation& before;       ///< what the statements before it have computed
  ir::Stmt after;                 ///< those behind it
  const analysis::Context& known; ///< around `parallel`
  const ir::Function& function;
};

/// What is computed where: `loop`'s body on its own values.
Evaluation bodyOf(const PointLoop&);
/// The mask of the loop's points. `reason`: why there is none, though two comparisons look like one.
std::optional<Mask> findMask(const PointLoop&, std::string& reason);

} // namespace appyc::transform
