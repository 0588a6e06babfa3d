//===- Masks.h - loops over points that act between two edges only --------------------------------------===//
#pragma once
#include "Evaluation.h"
#include "appyc/Analysis/Dependence.h"
#include "appyc/IR/Dsl.h"
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

//===--- PointGroups.cpp --------------------------------------------------------------------------------===//

/// Scalars that the host knows without asking the device, and what is known of them.
struct HostKnown {
  analysis::Context context;
  std::set<Symbol> scalars;
};

/// What is made before the loop, and for which masks.
struct Grouping {
  Mask mask;
  Symbol index; ///< of the points, in mask.point
  ir::Expr from, count, groups, pays;
  Symbol enabled; ///< no symbol: always
  ir::Buffer apart, keys;
  ir::Buffer start{}, order{}; ///< of the points by key
  bool onlyFolds = false;      ///< the points are folded by key, not ordered
  ir::Buffer sizes{};          ///< of the groups
  /// A fold of the group's points.
  struct Fold {
    ir::ReduceOp op;
    ir::Expr value; ///< of a point
    Symbol from;    ///< array whose elements are the values; no symbol: they are computed first
    ir::Buffer to;
  };
  std::vector<Fold> folds{};
};
/// What is to be made for the mask: the groups are the iterations of `at.parallel`. `onlyFolds`: points are folded by key, not
/// ordered.
Grouping groupingOf(const Mask& mask, const PointLoop& at, const ir::Expr& from, const ir::Expr& count,
                    const ir::Expr& groups, const ir::Expr& pays, bool onlyFolds, const HostKnown& known);
/// Can what the one makes stand for the other?
bool serves(const Grouping& g, const Grouping& other);
/// A fold by key, with room for the parts of each group.
ir::Buffer foldsOf(const Grouping& g, const std::string& hint, ir::DType type);
/// The arrays, and the statements that fill them, behind what stands in `out`.
void makeGroups(const Grouping& g, const ir::For& parallel, const ir::Builder& build, ir::Function& function,
                const HostKnown& known, std::vector<ir::Stmt>& out);

} // namespace appyc::transform
