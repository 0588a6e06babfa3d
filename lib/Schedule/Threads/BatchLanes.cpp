//===- BatchLanes.cpp - loads of a lane's next iterations before it waits for the first ---------------------===//
//   for i (lanes) in [lo, hi): s += a[i] * b[i]
//   => for first in [lo, hi) step 4 * T: for r in [0, 4) (unrolled): i = first + r * T + lane; if i < hi: ...
// Compilers unroll such loops as well, but run what is left of fewer than four iterations one by one: a lane that has
// two waits for memory twice.
//
//   gramschmidt of resident blocks, f64, an H200, by hand   | 240 x 200 | 600 x 500 | 1000 x 800
//   as it was                                               | 0.418 ms  | 1.53      | 3.30
//   the products' sums in batches of 2; 4; 8                | 0.388; 0.389; 0.403 | 1.37; 1.29; 1.28 | 2.56; 2.55; 2.54
//   all loops of 4; these, but not that of divisions        | 0.408; 0.393 | 1.35; 1.26 | 2.46; 2.37
#include "appyc/Cost/Counting.h"
#include "appyc/IR/Loops.h"
#include "appyc/Loops/Loops.h"
#include "appyc/Schedule/Passes.h"
#include <fmt/format.h>

namespace appyc::schedule {
using namespace cost;
using namespace ir;

namespace {

constexpr int64_t kBatch = 4;

/// Straight code of few instructions, in a loop with bounds that stay.
bool isBatchable(const For& loop, int threads) {
  if (lanesOf(loop) != Scope::Block || axisOf(loop) != Axis::X || isUnrolled(loop) ||
      !isConst(loop.step, 1) || readsMemory(loop.lo) || readsMemory(loop.hi) || !isStraight(loop.body) ||
      constantTrip(loop).value_or(INT64_MAX) <= threads)
    return false;
  return !anyExpr(loop.body, [](const Expr& e) { return unitsOfOperation(e) > 0; });
}

Stmt batched(const Builder& build, const For& loop, int threads) {
  const Symbol first("first"), round("r"), index(loop.index.hint());
  const Expr position = var(first) + var(round) * threads + make(Hardware{HardwareIndex::ThreadX});
  const Stmt body = substitute(loop.body, {{loop.index, var(index)}});
  const Stmt one = block({build.assign(index, position), build.when(var(index) < loop.hi, body)});
  return build.make(serialLoop(first, loop.lo, loop.hi, intConst(kBatch * threads),
                               loops::unrolled(build, round, kBatch, one)));
}

/// Loops of lanes in batches, those `inSteps`: in a serial loop of the kernel.
Stmt batchedBelow(const Stmt& s, bool inSteps, int threads, PassContext& ctx) {
  const auto* loop = s.as<For>();
  if (loop && inSteps && isBatchable(*loop, threads)) {
    ctx.diag.report(DiagId::Parallelised, s->span,
                    fmt::format("lanes take {} iterations of `{}` at a time", kBatch, loop->index.hint()));
    return batched({s->span}, *loop, threads);
  }
  const bool inside = inSteps || (loop && !isBound(*loop) && !isUnrolled(*loop));
  return mapChildren(s, [&](const Stmt& child) { return batchedBelow(child, inside, threads, ctx); });
}

} // namespace

void batchLanes(Function& f, PassContext& ctx) {
  f.body = replace<Launch>(f.body, [&](const Launch& kernel, const Stmt& s) {
    return kernel.how == Launch::Resident ? batchedBelow(s, false, kernel.shape.block[0], ctx) : Stmt();
  });
}

} // namespace appyc::schedule
