//===- OwnedSteps.h - steps of a loop whose slices blocks can own ------------------------------------------===//
#pragma once
#include "HostLoops.h"
#include "appyc/Analysis/Liveness.h"
#include "appyc/Loops/Loops.h"

namespace appyc::schedule {

/// An array whose elements with the number of a block in subscript `dim` are that block's. It keeps them on chip for all
/// steps if they are state; what others read of a step is published, in memory, slice by slice.
struct Owned {
  using Index = std::vector<ir::Expr>;
  ir::Buffer array;
  size_t dim;
  bool stored = false;    ///< changes in the loop
  bool isState = false;   ///< blocks with work read their own part
  bool published = false; ///< these blocks read the step's slice, too
  bool isNew = false;     ///< nobody has given it values before; the step's owner gives its slice all
  ir::Buffer part{}, slices{};

  const ir::Expr& count() const { return array.extents[dim]; }
  Index inPart(Index index) const;
  Index inSlices(const Index& index) const;
  /// Where an element is: in the array, with all slices, with its owner.
  loops::Element inArray(const Index& index) const { return {array.name, index}; }
  loops::Element ofAll(const Index& index) const { return {slices.name, inSlices(index)}; }
  loops::Element ofOwner(const Index& index) const {
    return isState ? loops::Element{part.name, inPart(index)} : ofAll(index);
  }
  /// store(index) for each element whose number is `slice`.
  ir::Stmt forSlice(const ir::Builder& build, const ir::Expr& slice,
                    const std::function<ir::Store(const Index&)>& store) const;
};

/// A loop whose body is statements that the owner of the step's slice runs, and a parallel loop behind them, an iteration
/// for each slice that changes.
struct OwnedSteps {
  const ir::For& loop;
  std::vector<ir::Stmt> producers;
  const ir::For& work;
  std::vector<Owned> owned; ///< with as many slices each

  ir::Expr step() const { return ir::var(loop.index); }
  ir::Expr slice() const { return ir::var(work.index); }
  const ir::Expr& count() const { return owned[0].count(); }
};

/// None where the loop has another form, and where dependences lead to other blocks by other ways than these: a block runs
/// its statements in order, and waits in each step in which it has work until the step has been posted.
std::optional<OwnedSteps> ownedStepsOf(const HostLoop& at, const ir::Function& function,
                                       const analysis::Liveness& live);

} // namespace appyc::schedule
