//===- StepStores.h - what a step stores, each element in its loops -----------------------------------===//
#pragma once
#include "appyc/Analysis/Dependence.h"
#include "appyc/IR/Nodes.h"
#include <optional>
#include <vector>

namespace appyc::schedule {

/// The loop with loops inside that count like what they store:
///   for k: for i in [0, n - k - 1): A[k + 1 + i] = f  =>  for k: for i in [k + 1, n): A[i] = f
ir::Stmt countingLikeStores(const ir::Stmt& steps);

/// A statement of a step in the loops around it.
struct Leaf {
  ir::Stmt body;
  std::vector<const ir::For*> loops; ///< of the text, but for what stands in them
};
struct StepStores {
  std::vector<Leaf> leaves;
  std::vector<ir::Stmt> kept; ///< of which leaves' loops are
};

/// The stores of a step in the order of the text, where it consists of these in proven loops. Who reads a scalar that the step
/// sets reads instead the element in which it is kept, or what it is made of:
///   f = A[i, k] / p; A[i, k] = f; .. f ..  =>  A[i, k] = A[i, k] / p; .. A[i, k] ..
std::optional<StepStores> storesOf(const ir::Function&, const ir::For& steps,
                                   const analysis::Context& around);

} // namespace appyc::schedule
