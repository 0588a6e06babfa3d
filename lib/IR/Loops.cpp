//===- Loops.cpp - what a loop's node alone tells ----------------------------------------------------===//
#include "appyc/IR/Loops.h"
#include "appyc/IR/Build.h"
#include "appyc/IR/Walk.h"
#include <algorithm>

namespace appyc::ir {

bool isParallel(const For& loop) {
  return loop.order != Order::Serial && loop.hints.mark != LoopMark::Sequential;
}

bool hasOwnSize(const For& loop) {
  return loop.hints.vectorLength > 0 || loop.hints.warps > 0 || loop.hints.threads;
}

bool isUnmarked(const For& loop) { return loop.hints.mark == LoopMark::None && !hasOwnSize(loop); }

bool hasAskedThreads(const Stmt& s) {
  return any<For>(s, [](const For& loop) { return bool(loop.hints.threads); });
}

const Launch* openKernel(const Stmt& s) {
  const auto* launch = s.as<Launch>();
  return launch && launch->body && !hasAskedThreads(launch->body) ? launch : nullptr;
}

bool isSerial(const For& loop) { return loop.order == Order::Serial && loop.hints.mark == LoopMark::None; }

bool isPlainSerial(const For& loop) {
  return loop.order == Order::Serial && isUnmarked(loop) && isConst(loop.step, 1) && loop.reductions.empty();
}

bool isPlain(const For& loop) { return isParallel(loop) && isUnmarked(loop) && loop.reductions.empty(); }

bool isRow(const For& loop) {
  return loop.mapping.is<Recorded>() && isConst(loop.lo, 0) && isConst(loop.hi, 1);
}

bool isBound(const For& loop) { return !loop.mapping.is<Serial, VectorCopy>(); }

bool isOfThreads(const For& loop) { return loop.mapping.is<PerThread>(); }

bool isUnrolled(const For& loop) {
  const auto* serial = loop.mapping.as<Serial>();
  const auto* lanes = loop.mapping.as<PerLane>();
  return (serial && serial->unroll == 1) || (lanes && lanes->unroll);
}

std::optional<Axis> axisOf(const For& loop) {
  return std::visit(
      [](const auto& how) -> std::optional<Axis> {
        if constexpr (requires { how.axis; }) return how.axis;
        return std::nullopt;
      },
      loop.mapping);
}

std::optional<Scope> lanesOf(const For& loop) {
  const auto* lanes = loop.mapping.as<PerLane>();
  return lanes ? std::optional(lanes->scope) : std::nullopt;
}

int firstBlockOf(const For& loop) {
  const auto* warps = loop.mapping.as<PerWarp>();
  const auto* threads = loop.mapping.as<PerThread>();
  return warps ? warps->firstBlock : threads ? threads->firstBlock : 0;
}

bool isAlongLanes(const For& loop) {
  return loop.mapping.is<PerLane, PerThread>() && axisOf(loop) == Axis::X;
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
