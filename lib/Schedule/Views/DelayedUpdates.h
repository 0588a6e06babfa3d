//===- DelayedUpdates.h - updates of what later steps own, as sums when these come ----------------------===//
#pragma once
#include "HostLoops.h"

namespace appyc::schedule {

/// Steps that change all elements behind them, as right-looking factorisations and solves by columns do, as steps that sum
/// up what all earlier ones do to their own row and column:
///   for k in [lo, hi):                               for t in [lo, hi):
///     own(k), own(k, i) for i > k                      A[t, t] = A[t, t] - sum(e(k, t, t) for k < t); own(t)
///     A[i, j] = A[i, j] - e(k, i, j) for i, j > k  =>  for i > t: A[i, t] = A[i, t] - sum(e(k, i, t) for k < t); own(t, i)
///                                                      for j > t: A[t, j] = A[t, j] - sum(e(k, t, j) for k < t)
/// So for vectors, for triangles of the square, and for vectors of rows. Empty where the loop is of another form, or where
/// it is not certain that all elements are updated by the same values (analysis::mayRunByTime). Sums are grouped otherwise.
/// Elements before a step's own, as a solve from the last row up has, count from that on.
ir::Stmt delayedUpdates(const ir::Function& function, const ir::Stmt& steps, const analysis::Context& around);

/// What `strategy` makes of the loop, or else of the loop with delayed updates. Its loops count like what they store:
///   for k: for i in [0, n - k - 1): A[k + 1 + i] = f  =>  for k: for i in [k + 1, n): A[i] = f
ir::Stmt orWithDelayedUpdates(const ir::Function& function, ir::PassContext&, const HostLoop&,
                              const std::function<ir::Stmt(const ir::Stmt& steps)>& strategy);

} // namespace appyc::schedule
