//===- Upward.h - loops that run down as loops that run up ----------------------------------------------===//
#pragma once
#include "appyc/IR/Nodes.h"

namespace appyc::ir {

/// The same with each loop in steps of -1, of which nothing is asked, as one that counts up through the same iterations;
/// in their order, unless that is free.
Stmt loopsUpward(const Stmt&);

} // namespace appyc::ir
