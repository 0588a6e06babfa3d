//===- BatchLanes.cpp - loads of a lane's next iterations before it waits for the first ---------------------===//
//   for i (lanes) in [lo, hi): s += a[i] * b[i]
//   => for first in [lo, hi) step 4 * T: for r in [0, 4) (unrolled): i = first + r * T + lane; if i < hi: ...
// Compilers unroll such loops as well, but run what is left of fewer than four iterations one by one: a lane that has
// two waits for memory twice.
//
// Blocks that wait for each other have nobody to take their place meanwhile, and one that is alone even less: its whole batches stand
// by themselves, as loads wait for what a condition in front of them guards.
//
//   trisolv of one block of 256 threads, N=16000, f64, an H200: 207 ms, in batches of four or of eight 103; durbin 130, 126
//   the same, an H100: 115; without the condition in whole batches of 4, 8, 16: 84, 82, 86 (predicted 100)
//   gramschmidt of resident blocks, f64, an H200, by hand   | 240 x 200 | 600 x 500 | 1000 x 800
//   as it was                                               | 0.418 ms  | 1.53      | 3.30
//   the products' sums in batches of 2; 4; 8                | 0.388; 0.389; 0.403 | 1.37; 1.29; 1.28 | 2.56; 2.55; 2.54
//   all loops of 4; these, but not that of divisions        | 0.408; 0.393 | 1.35; 1.26 | 2.46; 2.37
#include "Units.h"
#include "appyc/Cost/Counting.h"
#include "appyc/IR/Loops.h"
#include "appyc/IR/Walk.h"
#include "appyc/Loops/Loops.h"
#include "appyc/Schedule/Passes.h"
#include <algorithm>
#include <fmt/format.h>
#include <map>

namespace appyc::schedule {
using namespace cost;
using namespace ir;

namespace {

constexpr int64_t kBatch = 4;
constexpr int64_t kBatchOfOneBlock = 8; ///< nobody else has anything to do meanwhile

/// Straight code of few instructions, in a loop with bounds that stay.
bool isBatchable(const For& loop, int threads) {
  if (lanesOf(loop) != Scope::Block || axisOf(loop) != Axis::X || isUnrolled(loop) ||
      !isConst(loop.step, 1) || readsMemory(loop.lo) || readsMemory(loop.hi) || !isStraight(loop.body) ||
      constantTrip(loop).value_or(INT64_MAX) <= threads)
    return false;
  return !anyExpr(loop.body, [](const Expr& e) { return unitsOfOperation(e) > 0; });
}

Stmt batched(const Builder& build, const For& loop, int threads, int64_t most) {
  const int64_t batch = std::min(most, (constantTrip(loop).value_or(most * threads) + threads - 1) / threads);
  const auto batches = [&](const Expr& lo, const Expr& hi, bool isWhole) {
    const Symbol first("first"), round("r"), index(loop.index.hint());
    const Expr position = var(first) + var(round) * threads + make(Hardware{HardwareIndex::ThreadX});
    const Stmt body = substitute(loop.body, {{loop.index, var(index)}});
    const Stmt one =
        block({build.assign(index, position), isWhole ? body : build.when(var(index) < loop.hi, body)});
    return build.make(
        serialLoop(first, lo, hi, intConst(batch * threads), loops::unrolled(build, round, batch, one)));
  };
  if (most < kBatchOfOneBlock || constantTrip(loop)) return batches(loop.lo, loop.hi, false);
  const Symbol whole("whole");
  const Expr size = intConst(batch * threads);
  const Stmt set = build.assign(whole, loop.lo + floorDiv(maxOf(loop.hi - loop.lo, 0), size) * size);
  return block({set, batches(loop.lo, var(whole), true), batches(var(whole), loop.hi, false)});
}

/// Loops of lanes in batches, those `inSteps`: in a serial loop of the kernel.
Stmt batchedBelow(const Stmt& s, bool inSteps, int threads, bool isAlone, PassContext& ctx) {
  const int64_t batch = isAlone ? kBatchOfOneBlock : kBatch;
  const auto* loop = s.as<For>();
  if (loop && inSteps && isBatchable(*loop, threads)) {
    ctx.diag.report(DiagId::Parallelised, s->span,
                    fmt::format("lanes take {} iterations of `{}` at a time", batch, loop->index.hint()));
    return batched({s->span}, *loop, threads, batch);
  }
  const bool inside = inSteps || (loop && !isBound(*loop) && !isUnrolled(*loop));
  return mapChildren(s,
                     [&](const Stmt& child) { return batchedBelow(child, inside, threads, isAlone, ctx); });
}

} // namespace

void batchLanes(Function& f, PassContext& ctx) {
  std::map<std::string, int> launches; // of a kernel
  each<Launch>(f.body, [&](const Launch& kernel) { ++launches[kernel.name]; });
  f.body = replace<Launch>(f.body, [&](const Launch& kernel, const Stmt& s) -> Stmt {
    const bool isAlone = kernel.how == Launch::Plain && hasOneBlock(kernel) && launches[kernel.name] == 1;
    if (!isAlone && kernel.how != Launch::Resident) return {};
    return batchedBelow(s, false, kernel.shape.block[0], isAlone, ctx);
  });
}

} // namespace appyc::schedule
