//===- JoinProducers.h - one loop over blocks that takes in what stands before it -----------------------===//
#pragma once
#include "appyc/Analysis/Dependence.h"
#include "appyc/Cost/RedundantWork.h"
#include "appyc/IR/Nodes.h"
#include <set>
#include <vector>

namespace appyc::schedule {

/// A statement that can be taken in: a scalar, an element, a loop of these that lanes can share.
bool isProducer(const ir::Stmt& s);

struct JointLoop {
  ir::Stmt loop; ///< empty where `obstacle` says why there is none
  const char* obstacle = "";
  cost::RedundantWork repeated; ///< what each block does besides its own iteration
  std::set<Symbol> dropped;     ///< temporaries that it needs no more
};

/// The statements `producers` and `consumer`, a parallel loop behind them, as one loop. Every iteration computes the
/// scalars; vectors are computed where an iteration reads their elements; one iteration more, in front, stores
/// what they store, but for what nobody else touches: `own`. `around`: loops and sizes.
JointLoop joinProducers(const std::vector<ir::Stmt>& producers, const ir::Stmt& consumer,
                        const std::set<Symbol>& own, const analysis::Context& around);

} // namespace appyc::schedule
