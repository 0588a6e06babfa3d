//===- SplitReductions.h - more threads for few long reductions -------------------------------------===//
#pragma once
#include "appyc/IR/Pass.h"

namespace appyc::schedule {

/// Loop -> Loop (cuda). A nest of parallel loops of threads that each reduce over a long inner loop, where
/// neighbours read neighbouring elements (x = A.T @ y): the inner loop is cut into chunks, so that enough
/// threads run.
///   for i: s = 0                          =>   for c: for i: s = 0; for j in chunk c: s = s + A[j,i] * y[j]
///          for j: s = s + A[j,i] * y[j]                      partial[c * n + i] = s
///          x[i] = s                            for i: s = 0; for c: s = s + partial[c * n + i]
///                                                     x[i] = s
/// Of several loops only where the host finds them to have few points at the call.
/// Returns `nest` itself where that does not apply. Adds its buffer to the function.
ir::Stmt splitReductions(const ir::Stmt& nest, ir::Function& function, const ir::PassContext& ctx);

} // namespace appyc::schedule
