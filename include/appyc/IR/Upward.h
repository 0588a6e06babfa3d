//===- Upward.h - loops that run down as loops that run up ----------------------------------------------===//
#pragma once
#include "appyc/IR/Nodes.h"

namespace appyc::ir {

/// A loop in steps of -1 as one that counts up through the same iterations; in their order, unless that is free. Other
/// statements as they are.
Stmt upward(const Stmt&);
/// The same with all such loops in it of which nothing is asked.
Stmt loopsUpward(const Stmt&);

} // namespace appyc::ir
