//===- Pipeline.h - the tables of passes ------------------------------------------------------------===//
#pragma once
#include "appyc/IR/Pass.h"
#include <span>

namespace appyc::driver {

/// Tensor -> Loop.
std::span<const ir::Pass> tensorPasses();
/// Loop -> Loop. The target's own passes come after them.
std::span<const ir::Pass> loopPasses();
/// Does the pass keep a program short, so that code which few calls run may have it?
bool isPlain(std::string_view pass);

} // namespace appyc::driver
