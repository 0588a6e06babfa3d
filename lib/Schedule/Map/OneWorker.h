//===- OneWorker.h - a run of statements as a kernel of one thread or one block ----------------------===//
#pragma once
#include "Units.h"
#include "appyc/Cost/KernelCost.h"
#include "appyc/Schedule/Passes.h"

namespace appyc::schedule {

/// The kernel of a `Unit::Run`: one block whose threads share the loops in `lanes`, or one thread.
struct OneWorker {
  ir::LaunchShape shape;
  ir::Stmt body;
  cost::LaneLoops lanes;
};
OneWorker oneWorker(const Unit& run, const ir::Function&, const analysis::Liveness&, ir::PassContext&);

} // namespace appyc::schedule
