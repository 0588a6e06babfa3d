//===- SplitReductions.cpp - more threads for few long reductions -----------------------------------===//
#include "SplitReductions.h"
#include "Units.h"
#include "appyc/Analysis/Bounds.h"
#include "appyc/Analysis/Dependence.h"
#include "appyc/Cost/Device.h"
#include "appyc/Cost/KernelCost.h"
#include "appyc/IR/Loops.h"
#include "appyc/Loops/Loops.h"
#include <utility>

namespace appyc::schedule {
using namespace cost;
using namespace ir;

namespace {

constexpr int64_t kLeastChunk = 64;    ///< iterations that pay for storing and folding one partial result
constexpr int64_t kMostChunks = 16384; ///< whose results the lanes of a block can still fold

struct Split {
  Function& function;
  const Stmt& nest;
  const For& loop; ///< the parallel one
  std::vector<Stmt> body;
  int64_t threadsWanted;
  size_t at = 0; ///< the reduction loop's place in `body`
  const For* inner = nullptr;
  Expr count{}, innerCount{};
  Expr guard{}; ///< under which all iterations do something, where there is one

  bool isHostValue(const Expr& e) const {
    return e && !readsMemory(e) && !mentionsAny(e, assignedVars(function.body)) && !mentions(e, loop.index);
  }

  static bool isForLanes(const For& l) {
    return l.hints.mark == LoopMark::Simd || l.hints.mark == LoopMark::ParallelSimd;
  }

  /// The one inner loop, which reduces, at the top of the body.
  bool findInner() {
    for (size_t i = 0; i < body.size(); ++i) {
      const auto* candidate = body[i].as<For>();
      if (candidate && inner) return false;
      if (candidate) {
        inner = candidate;
        at = i;
      } else if (!body[i].is<Assign>() && !body[i].is<Store>()) {
        return false;
      }
    }
    return inner && isParallel(*inner) && !isForLanes(*inner) && !inner->reductions.empty();
  }

  /// Does the inner loop see only what it sees when all iterations run it first, and what is before it too?
  bool mayRunFirst() const {
    std::set<Symbol> assigned, stored, touched, reduced;
    std::set<Symbol> read = readScalars(body[at]);
    for (size_t i = 0; i < at; ++i) {
      assigned.merge(assignedVars(body[i]));
      stored.merge(storedBuffers(body[i]));
      touched.merge(loadedBuffers(body[i]));
    }
    touched.insert(stored.begin(), stored.end());
    for (const Reduction& r : inner->reductions) reduced.insert(r.var);
    for (const Symbol& name : assignedVars(body[at])) {
      // Nothing but the reductions leaves the loop.
      if (reduced.count(name)) continue;
      for (size_t i = at + 1; i < body.size(); ++i)
        if (mentionsAny(body[i], {name})) return false;
    }
    for (const Symbol& name : reduced) read.erase(name);
    return !intersect(assigned, read) && !intersect(stored, loadedBuffers(body[at])) &&
           !intersect(touched, storedBuffers(body[at]));
  }

  /// A condition that is the same for all iterations stands in front of them.
  void takeGuard() {
    const auto* branch = body.size() == 1 ? body.front().as<If>() : nullptr;
    if (!branch || branch->otherwise || !isHostValue(branch->cond)) return;
    guard = branch->cond;
    body = statementsOf(branch->then);
  }

  bool applies(const PassContext& ctx) {
    takeGuard();
    if (loop.hints.mark == LoopMark::ParallelSimd || loop.hints.vectorLength || loop.hints.warps ||
        !findInner() || !mayRunFirst())
      return false;
    count = tripCount(loop);
    innerCount = tripCount(*inner);
    if (!isHostValue(count) || !isHostValue(innerCount) || !isHostValue(inner->lo) || !isHostValue(loop.lo))
      return false;
    if (auto few = constantTrip(*inner); few && *few < 2 * kLeastChunk) return false;
    Nest candidate = nestOf(nest);
    return candidate.loops.size() == 1 && chooseMapping(candidate, ctx).kind == NestMapping::Threads;
  }

  Stmt run() {
    const Builder build{nest->span};
    std::vector<Stmt> out;
    Expr points = maxOf(count, 1);
    Expr wanted = minOf(ceilDiv(intConst(threadsWanted), points), ceilDiv(innerCount, intConst(kLeastChunk)));
    Expr chunks = loops::once(build, "chunks", maxOf(minOf(wanted, kMostChunks), 1), out);
    Expr total = analysis::atLeastZero(innerCount, analysis::contextOf(function).sizes);
    Expr size = loops::once(build, "chunk", ceilDiv(total, chunks), out);
    Expr width = loops::once(build, "width", count, out);

    Symbol c("c"), i(loop.index.hint()), fold("c");
    auto element = [&](Symbol chunk, Symbol index) {
      Expr position = var(std::move(index)) - loop.lo;
      if (!isConst(loop.step, 1)) position = floorDiv(position, loop.step);
      return std::vector<Expr>{var(std::move(chunk)) * width + position};
    };
    const Expr start = var(c) * size;
    For part = loops::iterationsOf(*inner, start, minOf(start + size, total));
    part.hints.origins.clear();
    std::vector<Stmt> first = loops::privatize(build, part, ""), last, folds;
    for (size_t r = 0; r < part.reductions.size(); ++r) {
      const auto& [var, type, op] = inner->reductions[r];
      // chunks * width stays below this, whatever the sizes.
      const Buffer partials{Symbol(var.hint() + "_partial"), type, {points + threadsWanted}};
      function.buffers.push_back(partials);
      out.push_back(build.alloc(partials));
      last.push_back(build.store(partials, element(c, i), ir::var(part.reductions[r].var, type)));
      folds.push_back(
          build.assign(var, combine(op, ir::var(var, type), load(partials, element(fold, loop.index)))));
    }
    first.push_back(makeStmt(body[at]->span, std::move(part)));
    first.insert(first.end(), last.begin(), last.end());
    For rows = serialLoop(i, loop.lo, loop.hi, loop.step,
                          substitute(block(std::move(first)), {{loop.index, var(i)}}));
    rows.order = loop.order;
    rows.hints.origins = loop.hints.origins;
    For outer = serialLoop(c, intConst(0), chunks, intConst(1), build.make(std::move(rows)));
    outer.order = loop.order;
    outer.hints.origins = inner->hints.origins;
    out.push_back(build.make(std::move(outer)));

    std::vector<Stmt> second = body;
    For all = provenLoop(fold, intConst(0), chunks, block(std::move(folds)));
    all.reductions = inner->reductions;
    all.hints.mark = LoopMark::Simd; // few columns have many chunks
    second[at] = makeStmt(body[at]->span, std::move(all));
    For rest = loop;
    rest.hints.origins.clear();
    rest.body = block(std::move(second));
    out.push_back(build.make(std::move(rest)));
    return build.when(guard, std::move(out));
  }
};

} // namespace

Stmt splitReductions(const Stmt& nest, Function& function, const PassContext& ctx) {
  const For& loop = *nest.as<For>();
  Split split{function, nest, loop, statementsOf(loop.body), ctx.device.threadsAtOnce()};
  return split.applies(ctx) ? split.run() : nest;
}

} // namespace appyc::schedule
