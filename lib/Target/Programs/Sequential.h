//===- Sequential.h - a module of any level as plain loops ----------------------------------------------===//
#pragma once
#include "appyc/IR/Nodes.h"

namespace appyc::target {

/// Loop or Scheduled -> Loop. The same program for one thread: loops in order whatever is known of them,
/// kernels where they are launched, updates that need not be indivisible.
ir::Module asSequential(const ir::Module&);

} // namespace appyc::target
