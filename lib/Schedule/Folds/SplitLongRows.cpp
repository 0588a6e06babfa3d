//===- SplitLongRows.cpp - of rows whose lengths the data tell, the long ones are whole blocks' ------------------===//
//   for i: s = 0                               =>   for i: if start[i + 1] - start[i] <= 1024: the row, by a warp
//          for k in [start[i], start[i + 1]):       for c: longest = max of the lengths of the rows [256 c, 256 c + 256)
//            s += a[k] * x[at[k]]                          if longest > 1024:
//          y[i] = s                                          for i in these rows: if it is longer: the row, by the block
// Graphs, texts and meshes have a few rows a thousand times as long as the others; a warp that has one works on when all
// others have done. Asking for the longest takes one load a row.
//   pagerank, an H200 | 10^5 pages, rows of up to 28,571 links: 131 us a round; predicted 60; 256 lanes and 2048 elements 136,
//                     | 1024 lanes and 1024 elements 97 | 2 * 10^6 pages: 41 ms a call (H100) to 15.7
#include "SplitReductions.h"
#include "appyc/Cost/KernelCost.h"
#include "appyc/IR/Dsl.h"
#include "appyc/IR/Loops.h"
#include "appyc/IR/Walk.h"
#include "appyc/Loops/Loops.h"
#include <fmt/format.h>

namespace appyc::schedule {
using namespace ir;

namespace {

constexpr int64_t kLongForWarp = 1024; ///< elements: 32 a lane of a warp
constexpr int64_t kRowsOfBlock = 256;  ///< fewer than lanes, as one that is long needs all of them
constexpr int kLanesOfRow = 1024;

/// The fold of a body that has one, along a row whose ends are read from memory, and straight code beside it.
const For* onlyFoldOf(const std::vector<Stmt>& body) {
  const For* fold = nullptr;
  for (const Stmt& s : body) {
    const auto* loop = s.as<For>();
    if (loop ? fold != nullptr : !s.is<Assign>() && !s.is<Store>()) return nullptr;
    if (loop) fold = loop;
  }
  const bool suits = fold && isParallel(*fold) && isUnmarked(*fold) && !fold->reductions.empty() &&
                     isConst(fold->step, 1) && (readsMemory(fold->lo) || readsMemory(fold->hi)) &&
                     consistsOf<Block, Assign, Store>(fold->body);
  if (!suits) return nullptr;
  // Both parts ask for the ends before they begin.
  const Stmt all = block(body);
  const std::set<Symbol> assigned = assignedVars(all), stored = storedBuffers(all);
  for (const Expr& end : {fold->lo, fold->hi})
    if (mentionsAny(end, assigned) || intersect(loadedBuffers(end), stored)) return nullptr;
  return fold;
}

} // namespace

Stmt splitLongRows(const Stmt& nest, const PassContext& ctx) {
  const For& rows = *nest.as<For>();
  const For* fold = onlyFoldOf(statementsOf(rows.body));
  if (!fold || !isUnmarked(rows) || !isConst(rows.step, 1) ||
      cost::chooseMapping(cost::nestOf(nest), ctx).kind != cost::NestMapping::Warps)
    return nest;
  ctx.diag.report(
      DiagId::Parallelised, nest->span,
      fmt::format("rows of more than {} elements are shared by the threads of a block", kLongForWarp));
  const Builder build{nest->span};
  const Expr length = fold->hi - fold->lo;
  const Stmt copy = loops::asCopy(nest); // no pragma would say it so
  For each = *copy.as<For>();
  each.body = build.when(substitute(length, {{rows.index, var(each.index)}}) <= kLongForWarp, each.body);

  const Symbol c("c"), row(rows.index.hint()), asked(rows.index.hint()), longest("longest");
  const Expr first = rows.lo + var(c) * kRowsOfBlock, end = minOf(first + kRowsOfBlock, rows.hi);
  For ask =
      provenLoop(asked, first, end,
                 build.assign(longest, maxOf(var(longest), substitute(length, {{rows.index, var(asked)}}))),
                 kLanesOfRow);
  ask.reductions = {{longest, DType::I64, ReduceOp::Max}};
  const Stmt whole =
      substitute(build.when(length > kLongForWarp, loops::asCopy(rows.body)), {{rows.index, var(row)}});
  const Stmt one = build.make(serialLoop(row, first, end, intConst(1), whole));
  const Stmt some = block({build.assign(longest, intConst(0)), build.make(std::move(ask)),
                           build.when(var(longest) > kLongForWarp, one)});
  return block({build.make(std::move(each)),
                build.inAnyOrder(c, intConst(0), ceilDiv(rows.hi - rows.lo, intConst(kRowsOfBlock)), some,
                                 kLanesOfRow)});
}

} // namespace appyc::schedule
