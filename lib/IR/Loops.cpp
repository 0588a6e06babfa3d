//===- Loops.cpp - what a loop's node alone tells ----------------------------------------------------===//
#include "appyc/IR/Loops.h"
#include "appyc/IR/Build.h"
#include <algorithm>

namespace appyc::ir {

bool isParallel(const For& loop) {
  return loop.order != Order::Serial && loop.hints.mark != LoopMark::Sequential;
}

bool isRow(const For& loop) {
  return loop.mapping.bind == Bind::Graph && isConst(loop.lo, 0) && isConst(loop.hi, 1);
}

Expr tripCount(const For& loop) {
  auto step = constantInt(loop.step);
  if (!step) return {};
  return *step > 0 ? ceilDiv(sub(loop.hi, loop.lo), intConst(*step))
                   : ceilDiv(sub(loop.lo, loop.hi), intConst(-*step));
}

std::optional<int64_t> constantTrip(const For& loop) {
  Expr count = tripCount(loop);
  auto value = count ? constantInt(count) : std::nullopt;
  return value ? std::optional(std::max<int64_t>(*value, 0)) : std::nullopt;
}

} // namespace appyc::ir
