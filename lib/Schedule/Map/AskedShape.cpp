//===- AskedShape.cpp - grid and block that a schedule asks for -----------------------------------------===//
#include "AskedShape.h"
#include "appyc/IR/Print.h"
#include <fmt/format.h>

namespace appyc::schedule {
using namespace ir;

Expr askedOf(const cost::NestMapping& mapping, const std::vector<For>& loops, size_t i) {
  if (mapping.counts.empty() || (i == 0 && loops.size() != mapping.counts.size())) return {};
  return mapping.counts[mapping.counts.size() - loops.size() + i];
}

std::string textOf(const LaunchShape& shape) {
  const auto text = [](const Expr& e) { return e ? print(e) : std::string("1"); };
  return fmt::format("grid ({}, {}, {}), block {}", text(shape.grid[0]), text(shape.grid[1]),
                     text(shape.grid[2]),
                     shape.threads[0] ? text(shape.threads[0]) : std::to_string(shape.block[0]));
}

} // namespace appyc::schedule
