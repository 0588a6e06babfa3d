//===- SplitReductions.cpp - more threads for few long reductions -----------------------------------===//
#include "SplitReductions.h"
#include "Units.h"
#include "appyc/Analysis/Bounds.h"
#include "appyc/Cost/Device.h"
#include "appyc/Cost/KernelCost.h"
#include "appyc/IR/Dsl.h"
#include "appyc/IR/Loops.h"
#include "appyc/IR/Rewrite.h"
#include "appyc/IR/Walk.h"
#include <utility>

namespace appyc::schedule {
using namespace cost;
using namespace ir;

namespace {

constexpr int64_t kLeastChunk = 64; ///< iterations that pay for storing and folding one partial result
constexpr int64_t kMostChunks = 64;

struct Split {
  Function& function;
  const Stmt& nest;
  const For& loop; ///< the parallel one
  std::vector<Stmt> body;
  int64_t threadsWanted;
  size_t at = 0; ///< the reduction loop's place in `body`
  const For* inner = nullptr;
  Expr count{}, innerCount{};

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

  bool applies(const PassContext& ctx) {
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
    Span span = nest->span;
    std::vector<Stmt> out;
    std::set<Symbol> sizes;
    for (const Size& s : function.sizes) sizes.insert(s.name);
    auto named = [&](const char* hint, const Expr& value) {
      if (constantInt(value) || value.is<Var>()) return value;
      Symbol name(hint);
      out.push_back(makeStmt(span, Assign{name, value}));
      return var(name);
    };
    Expr points = maxOf(count, 1);
    Expr wanted = minOf(ceilDiv(intConst(threadsWanted), points), ceilDiv(innerCount, intConst(kLeastChunk)));
    Expr chunks = named("chunks", maxOf(minOf(wanted, kMostChunks), 1));
    Expr total = analysis::atLeastZero(innerCount, sizes);
    Expr size = named("chunk", ceilDiv(total, chunks));
    Expr width = named("width", count);

    Symbol c("c"), i(loop.index.hint()), fold("c");
    auto element = [&](Symbol chunk, Symbol index) {
      Expr position = var(std::move(index)) - loop.lo;
      if (!isConst(loop.step, 1)) position = floorDiv(position, loop.step);
      return std::vector<Expr>{var(std::move(chunk)) * width + position};
    };
    std::vector<Stmt> first, last, folds;
    For part = *inner;
    part.hints.origins.clear();
    Expr start = var(c) * size, end = minOf(start + size, total);
    part.lo = inner->lo + start * inner->step;
    part.hi = inner->lo + end * inner->step;
    for (Reduction& r : part.reductions) {
      // chunks * width stays below this, whatever the sizes.
      Buffer partials{Symbol(r.var.hint() + "_partial"), r.type, {points + threadsWanted}};
      function.buffers.push_back(partials);
      out.push_back(makeStmt(span, Alloc{partials}));
      Symbol own(r.var.hint());
      first.push_back(makeStmt(span, Assign{own, identity(r.op, r.type)}));
      part.body = renameScalar(part.body, r.var, own);
      last.push_back(makeStmt(span, Store{partials.name, element(c, i), var(own, r.type), {}}));
      folds.push_back(makeStmt(
          span, Assign{r.var, combine(r.op, var(r.var, r.type), load(partials, element(fold, loop.index)))}));
      r.var = own;
    }
    first.push_back(makeStmt(body[at]->span, std::move(part)));
    first.insert(first.end(), last.begin(), last.end());
    For rows = serialLoop(i, loop.lo, loop.hi, loop.step,
                          substitute(block(std::move(first)), {{loop.index, var(i)}}));
    rows.order = loop.order;
    rows.hints.origins = loop.hints.origins;
    For outer = serialLoop(c, intConst(0), chunks, intConst(1), makeStmt(span, std::move(rows)));
    outer.order = loop.order;
    outer.hints.origins = inner->hints.origins;
    out.push_back(makeStmt(span, std::move(outer)));

    std::vector<Stmt> second = body;
    second[at] =
        makeStmt(body[at]->span, serialLoop(fold, intConst(0), chunks, intConst(1), block(std::move(folds))));
    For rest = loop;
    rest.hints.origins.clear();
    rest.body = block(std::move(second));
    out.push_back(makeStmt(span, std::move(rest)));
    return block(std::move(out));
  }
};

} // namespace

Stmt splitReductions(const Stmt& nest, Function& function, const PassContext& ctx) {
  const For& loop = *nest.as<For>();
  Split split{function, nest, loop, statementsOf(loop.body), ctx.device.threadsAtOnce()};
  return split.applies(ctx) ? split.run() : nest;
}

} // namespace appyc::schedule
