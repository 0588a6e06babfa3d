//===- PointGroups.h - a loop's points in groups, by routines that the host calls --------------------------===//
#pragma once
#include "Masks.h"
#include "appyc/IR/Dsl.h"

namespace appyc::transform {

/// Scalars and expressions that the host knows without asking the device, and what is known of them.
struct HostKnown {
  analysis::Context context;
  std::set<Symbol> scalars;

  explicit HostKnown(const ir::Function&);
  bool has(const ir::Expr& e) const;
  ir::Expr atLeastZero(const ir::Expr& e) const;
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
