//===- WorkerMapping.h - a worker's statements shared among its lanes -------------------------------===//
#pragma once
#include "appyc/Analysis/Liveness.h"
#include "appyc/Cost/KernelCost.h"

namespace appyc::schedule {

/// Loops in `lanes` are bound to the lanes of the worker, a block or a warp, their reductions folded by
/// collectives. All other code is run by every lane with the same values, but for stores, which only the
/// first lane does.
///   for j: s = s + A[i,j]      =>   p = 0; for j (lanes): p = p + A[i,j];  Collective(p, sum);  s = s + p
///   y[i] = s                        only the first thread: y[i] = s
/// A serial loop in a block for which one warp is enough (For::warps) is run by the first warp.
ir::Stmt shareAmongLanes(const ir::Stmt& body, const cost::LaneLoops& lanes, ir::Scope worker,
                         const analysis::Liveness& live);

/// Who of a worker's lanes is the first.
ir::Only::First firstLaneOf(ir::Scope worker);

/// What the lanes of one block or warp do, shared among those of another kind of worker.
ir::Stmt forWorker(const ir::Stmt& body, ir::Scope worker);

/// Partials that start at the identity, as their totals do, become the totals (MergePartials.cpp).
ir::Stmt mergePartials(const ir::Stmt& body);

} // namespace appyc::schedule
