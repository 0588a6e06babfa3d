//===- AskedThreads.cpp - the mapping that a schedule's counts ask for ----------------------------------===//
//   for i: for j      i=threads(100), j=threads(128)             100 blocks of 128 threads
//                     i=threads(100), j=threads(1024).tpb(128)   8 x 100 blocks of 128
//   for i             i=threads(100)                             1 block of 128
// A loop that runs longer has its threads take turns, so that results do not depend on the counts.
#include "appyc/Cost/Device.h"
#include "appyc/Cost/KernelCost.h"
#include "appyc/IR/Dsl.h"
#include "appyc/IR/Loops.h"
#include "appyc/IR/Walk.h"
#include <algorithm>
#include <fmt/format.h>

namespace appyc::cost {
using namespace ir;

namespace {

int mostOfBlock(const For& loop) {
  return loop.hints.warps > 0 ? loop.hints.warps * Device::warp : Device::threadsOfBlock;
}

/// Loops that have counts, and in which no others have.
void innermost(const Stmt& s, LaneLoops& found) {
  if (!s) return;
  const auto* loop = s.as<For>();
  if (loop && loop->hints.threads && isParallel(*loop) && !hasAskedThreads(loop->body))
    found.insert(s.get());
  else
    forEachChild(s, [&](const Stmt& child) { innermost(child, found); });
}

} // namespace

Expr askedBlock(const For& loop) {
  const Expr warp = intConst(Device::warp);
  return minOf(maxOf(ceilDiv(loop.hints.threads, warp) * warp, warp), intConst(mostOfBlock(loop)));
}

std::optional<NestMapping> askedMapping(const Nest& nest, const PassContext& ctx) {
  NestMapping mapping;
  innermost(nest.body, mapping.lanes);
  const For& last = *nest.loops.back();
  const bool byThreads = mapping.lanes.empty();
  if (byThreads &&
      (!last.hints.threads || any<Alloc>(nest.body, [](const Alloc& a) { return a.buffer.onChip; })))
    return std::nullopt;
  for (const For* loop : nest.loops) mapping.counts.push_back(loop->hints.threads);
  mapping.xLoop = nest.loops.size() - 1;
  if (byThreads) {
    const Expr block = askedBlock(last);
    const std::optional<int64_t> known = constantInt(block);
    mapping.threads = known ? static_cast<int>(*known) : mostOfBlock(last);
    if (!known) mapping.block = block;
    mapping.why = "one thread an iteration";
    return mapping;
  }
  mapping.kind = NestMapping::Blocks;
  mapping.why = "one block an iteration, whose threads share the loops inside";
  visit(nest.body, [&](const Stmt& s) {
    const auto* loop = s.as<For>();
    if (!loop || !mapping.lanes.count(s.get())) return true;
    const int open = loop->hints.warps > 0 ? mostOfBlock(*loop) : ctx.vectorLength;
    mapping.threads =
        std::max(mapping.threads, static_cast<int>(constantInt(askedBlock(*loop)).value_or(open)));
    return true;
  });
  // Beside them others may be for the lanes, too.
  const LaneLoops asked = mapping.lanes;
  for (const StmtNode* other : chooseLaneLoops(nest.body, false)) {
    const auto& loop = std::get<For>(other->node);
    const bool isAround = hasAskedThreads(loop.body);
    const bool isInside = std::ranges::any_of(asked, [&](const StmtNode* s) {
      return s == other ||
             anyStmt(std::get<For>(s->node).body, [&](const Stmt& part) { return part.get() == other; });
    });
    if (!isAround && !isInside) mapping.lanes.insert(other);
  }
  return mapping;
}

} // namespace appyc::cost
