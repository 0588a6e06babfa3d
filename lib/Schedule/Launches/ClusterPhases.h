//===- ClusterPhases.h - kernels as parts of one that a cluster of blocks runs ----------------------------===//
#pragma once
#include "appyc/IR/Nodes.h"
#include <set>
#include <string>

namespace appyc::schedule {

/// What `kernel` does, for a launch of any number of blocks along x: threads count along one axis, or lanes of a
/// warp go along a row where lengths are among what is `changing`; a warp is the worker where a block was, and the
/// first block runs what one block ran. An empty handle where it cannot be, with the reason.
ir::Stmt phaseOf(const ir::Launch& kernel, const std::set<Symbol>& changing, std::string& why);

} // namespace appyc::schedule
