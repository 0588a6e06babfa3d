//===- Kernels.h - kernels as objects of a function, and their launches -------------------------------===//
#pragma once
#include "appyc/IR/Nodes.h"

namespace appyc::ir {

/// The function with what each launch runs in its place, under names of its own from the second launch on: for those who
/// ask of host and kernels together.
Function withBodiesInPlace(const Function&);
/// The same of those that passes have made: the user's own stay objects.
Function withMadeBodiesInPlace(const Function&);
/// What a launch of the kernel runs: its body, where the arguments stand for the parameters.
Stmt bodyWith(const Kernel&, const std::vector<Argument>&);

/// Of a given kernel's shared memory whose size the launch says: how many bytes; empty where it has none.
Expr sharedBytesOf(const Kernel&, const std::vector<Argument>&);

} // namespace appyc::ir
