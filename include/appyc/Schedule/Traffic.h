//===- Traffic.h - the bytes a kernel has to move -----------------------------------------------------===//
#pragma once
#include "appyc/IR/Nodes.h"
#include <vector>

namespace appyc::schedule {

/// In terms of sizes and of scalars that are known at the launch.
struct Traffic {
  ir::Expr read, written;
};
/// The bytes of global memory that the kernel touches, each element once: what a cache that never forgets
/// would leave. An array counts as a whole where its elements cannot be told from the loops, for indirect
/// subscripts or chunks.
Traffic trafficOf(const ir::Launch& kernel, const std::vector<ir::Buffer>& buffers);

} // namespace appyc::schedule
