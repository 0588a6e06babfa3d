//===- AskedShape.h - grid and block that a schedule asks for -------------------------------------------===//
#pragma once
#include "appyc/Cost/KernelCost.h"
#include <string>
#include <vector>

namespace appyc::schedule {

/// What is asked of the loop: threads along x, blocks along other axes; of several that have become one nothing.
ir::Expr askedOf(const cost::NestMapping& mapping, const std::vector<ir::For>& loops, size_t i);
/// "grid (8, 100, 1), block 128"
std::string textOf(const ir::LaunchShape& shape);

} // namespace appyc::schedule
