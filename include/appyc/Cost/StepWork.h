//===- StepWork.h - how much the kernels of one step of a loop do ---------------------------------------===//
#pragma once
#include "appyc/IR/Nodes.h"

namespace appyc::cost {

/// What the parallel loops of a loop's kernels touch in one iteration, in elements that neighbouring lanes access
/// side by side; others count 8, a function 8, a quotient 2, the fold of a warp 64. At most, where iterations
/// differ. Loops of one thread or one block take their time wherever they run: they count nothing.
/// In terms of what the host knows; empty where it cannot know.
ir::Expr workOfSteps(const ir::For& steps);
/// The same of one iteration, in terms of the loop's index as well.
ir::Expr workOfStep(const ir::For& steps);

} // namespace appyc::cost
