//===- WorkerMapping.h - a worker's statements shared among its lanes -------------------------------===//
#pragma once
#include "appyc/Analysis/Liveness.h"
#include "appyc/Cost/KernelCost.h"

namespace appyc::schedule {

/// Who runs the statements of a worker: the threads of a block or those of a warp.
struct WorkerLanes {
  ir::Bind bind;   ///< Thread or Lane
  ir::Scope scope; ///< Block or Warp
  static WorkerLanes block() { return {ir::Bind::Thread, ir::Scope::Block}; }
  static WorkerLanes warp() { return {ir::Bind::Lane, ir::Scope::Warp}; }
};

/// Loops in `lanes` are bound to the lanes, their reductions folded by collectives. All other code is run by
/// every lane with the same values, but for stores, which only the first lane does.
///   for j: s = s + A[i,j]      =>   p = 0; for j (lanes): p = p + A[i,j];  Collective(p, sum);  s = s + p
///   y[i] = s                        only the first thread: y[i] = s
/// A serial loop in a block for which one warp is enough (For::warps) is run by the first warp.
ir::Stmt shareAmongLanes(const ir::Stmt& body, const cost::LaneLoops& lanes, WorkerLanes worker,
                         const analysis::Liveness& live);

/// Partials that start at the identity, as their totals do, become the totals (MergePartials.cpp).
ir::Stmt mergePartials(const ir::Stmt& body);

} // namespace appyc::schedule
