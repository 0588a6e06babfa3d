//===- TileReductions.cpp - reductions of whole loops, in a fixed order -----------------------------===//
//   for i in range(N): s = s + f(i)     =>    for c in range(C):                     # parallel
//                                               s_c = 0
//                                               for i in chunk c: s_c = s_c + f(i)   # the lanes of one
//                                               worker partial[c] = s_c
//                                             for c in range(C): s = s + partial[c]  # one worker
// C depends on the trip count only, so that neither the device nor the number of threads changes a bit of the
// result.
#include "SplitReductions.h"
#include "Units.h"
#include "appyc/Analysis/Bounds.h"
#include "appyc/Analysis/Dependence.h"
#include "appyc/Cost/Device.h"
#include "appyc/Cost/KernelCost.h"
#include "appyc/IR/Loops.h"
#include "appyc/Loops/Loops.h"
#include "appyc/Schedule/Passes.h"
#include <algorithm>
#include <fmt/format.h>
#include <utility>

namespace appyc::schedule {
using namespace cost;
using namespace ir;

namespace {

constexpr int64_t kMostCpuChunks = 64;
constexpr int64_t kFewTrips = 64; ///< constant trip counts up to this stay whole
constexpr int kLanesOfBlock = 512;
/// Of loops whose steps wait for each other: what one step takes counts, and a warp has such a chunk in one launch of all steps.
constexpr int64_t kElementsOfStep = 128;

struct Tiling {
  Function& function;
  PassContext& ctx;
  std::set<Symbol> assigned = assignedVars(function.body);
  std::set<Symbol> sizes = analysis::contextOf(function).sizes;
  std::set<Symbol> hostIndices{}; ///< of the serial loops around

  int lanes(Span at, int byDefault) const {
    return static_cast<int>(ctx.choose(at, "lanes", byDefault, kOpenLanes));
  }
  int64_t mostChunks() const { return ctx.cuda ? ctx.device.blocksAtOnce() : kMostCpuChunks; }
  bool isHostValue(const Expr& e) const { return e && !readsMemory(e) && !mentionsAny(e, assigned); }

  Expr pointsInside(const For& loop) const { return schedule::pointsInside(loop, assigned); }

  /// How many chunks; a constant where the trip count is not known on the host.
  Expr chunksFor(const For& loop, const Expr& count) const {
    if (ctx.cuda && loop.hints.threads)
      return minOf(maxOf(ceilDiv(loop.hints.threads, askedBlock(loop)), 1), mostChunks());
    if (!isHostValue(count)) return intConst(mostChunks() / (ctx.cuda ? 4 : 1));
    Expr points = count * pointsInside(loop);
    const int64_t elements = ctx.cuda && !hostIndices.empty() ? kElementsOfStep : kElementsOfChunk;
    Expr wanted = ceilDiv(points, intConst(elements));
    if (!equal(points, count)) wanted = minOf(wanted, count);
    return maxOf(minOf(wanted, mostChunks()), 1);
  }

  Buffer partialsOf(const Reduction& r, const Builder& build, std::vector<Stmt>& out) {
    // The largest number of chunks: a constant, so that the array can live as long as the function.
    Buffer buffer{Symbol(r.var.hint() + "_partial"), r.type, {intConst(mostChunks())}};
    function.buffers.push_back(buffer);
    out.push_back(build.alloc(buffer));
    return buffer;
  }

  /// The body, whose arrays get extents that do for all iterations: of a chunk's, none would be found.
  Stmt withWholeArrays(const For& loop) {
    return replace<Alloc>(loop.body, [&](const Alloc& alloc, const Stmt& s) {
      Buffer whole = alloc.buffer;
      for (Expr& e : whole.extents)
        if (const Expr most = mentions(e, loop.index) ? analysis::upperBound(e, {&loop}) : Expr())
          e = analysis::atLeastZero(most, sizes);
      for (Buffer& b : function.buffers)
        if (b.name == whole.name) b = whole;
      return makeStmt(s->span, Alloc{whole, alloc.shared});
    });
  }

  Stmt tile(const Stmt& s, const For& loop, const Expr& count) {
    const Builder build{s->span};
    std::vector<Stmt> out, last, folds;
    const Expr total = loops::once(build, "count", analysis::atLeastZero(count, sizes), out);
    const Expr chunks = loops::once(build, "chunks", chunksFor(loop, count), out);
    const Expr size = loops::once(build, "chunk", ceilDiv(total, chunks), out);
    const Symbol c("c");
    For inner = loop;
    if (ctx.cuda) inner.body = withWholeArrays(loop);
    inner.lo = loops::once(build, "start", loop.lo, out);
    inner = loops::chunkOf(std::move(inner), var(c), size, total);
    if (inner.hints.mark != LoopMark::Simd) inner.hints.mark = LoopMark::None;
    std::vector<Stmt> chunk = loops::privatize(build, inner, "_chunk");
    for (size_t r = 0; r < inner.reductions.size(); ++r) {
      const Buffer partials = partialsOf(loop.reductions[r], build, out);
      const Reduction& own = inner.reductions[r];
      last.push_back(build.store(partials, {var(c)}, var(own.var, own.type)));
      folds.push_back(fold(build, loop.reductions[r], partials, chunks));
    }
    chunk.push_back(build.make(std::move(inner)));
    chunk.insert(chunk.end(), last.begin(), last.end());
    For outer = serialLoop(c, intConst(0), chunks, intConst(1), block(std::move(chunk)));
    outer.order = loop.order;
    outer.hints.origins = loop.hints.origins;
    if (ctx.cuda && !hasOwnSize(loop) && !hasDataBounds(loop.body))
      outer.hints.vectorLength = lanes(s->span, kLanesOfChunk);
    out.push_back(build.make(std::move(outer)));
    out.insert(out.end(), folds.begin(), folds.end());
    ctx.diag.report(DiagId::Parallelised, s->span,
                    fmt::format("the reduction runs as up to {} chunks, whose results are folded in order",
                                mostChunks()));
    return block(std::move(out));
  }

  Stmt fold(const Builder& build, const Reduction& r, const Buffer& partials, const Expr& chunks) const {
    const Symbol c("c");
    const Stmt add = build.assign(r.var, combine(r.op, var(r.var, r.type), load(partials, {var(c)})));
    For all = serialLoop(c, intConst(0), chunks, intConst(1), add);
    if (ctx.cuda) {
      all.order = Order::Proven;
      all.reductions = {r};
    }
    return build.make(std::move(all));
  }

  static bool hasDataBounds(const Stmt& body) {
    return any<For>(body, [](const For& loop) { return readsMemory(loop.lo) || readsMemory(loop.hi); });
  }

  /// The reduced row grows or shrinks with a serial loop: such algorithms do at least n * n work, so that
  /// rows stay short enough for one block, and two launches a row would cost more than they win. Left to the call where the serial
  /// loop runs over other numbers (an H200, ms): Burg's method of order 16 over 10^6 7.2 to 0.43, but Householder's reflections of
  /// 500 x 500 9.0 to 10.2, subspace iteration 11.0 to 13.0, two-opt 1.5 to 2.3.
  bool isTriangular(const For& loop, const Expr& count) const {
    return ctx.cuda && mentionsAny(count, hostIndices) && isConst(pointsInside(loop), 1);
  }
  Stmt inOneBlock(const Stmt& s, const For& loop) const {
    For whole = loop;
    if (!hasOwnSize(whole)) whole.hints.vectorLength = lanes(s->span, kLanesOfBlock);
    return makeStmt(s->span, std::move(whole));
  }

  /// What one worker runs anyway gets the lanes that triangular rows are worth.
  Stmt widenRows(const Stmt& sequential) {
    return rewrite(sequential, [&](const Stmt& s) -> Stmt {
      const auto* loop = s.as<For>();
      if (!loop || !isParallel(*loop) || loop->reductions.empty()) return {};
      Expr count = tripCount(*loop);
      hostIndices.insert(sequential.as<For>()->index);
      return count && isTriangular(*loop, count) ? inOneBlock(s, *loop) : Stmt();
    });
  }

  /// A fold over two loops around windows as one over the pairs of their iterations, of which each thread has some:
  ///   for y: for x: s = s + f(windows at y, x)   =>   for p in [0, rows * columns): y = p / columns; x = p % columns; ..
  /// as chunks of the outer loop alone have few of its iterations, and lanes over windows idle.
  ///   structural similarity of 1024 x 1024, windows of 8 x 8, an H200: 1.2 ms; predicted 0.1, measured 0.09
  Stmt overWindows(const Stmt& s, const For& outer) const {
    const auto* inner = outer.body.as<For>();
    const auto isWindow = [](const For& loop) { return constantTrip(loop).value_or(kFewTrips) < kFewTrips; };
    const auto isOpen = [](const For& loop) {
      return isParallel(loop) && isUnmarked(loop) && !loop.hints.threads;
    };
    if (!ctx.cuda || !inner || !isOpen(outer) || !isOpen(*inner) || !has<For>(inner->body) ||
        has<Alloc>(inner->body) || inner->reductions.size() != outer.reductions.size() ||
        any<For>(inner->body, [&](const For& loop) { return !isWindow(loop); }) ||
        !loops::mayLinearise({outer, *inner}, varyingWith(outer)))
      return {};
    loops::Linear joint = loops::linearised({s->span}, {outer, *inner}, "p", 1);
    joint.indices.push_back(inner->body);
    joint.loop.body = block(std::move(joint.indices));
    return makeStmt(s->span, std::move(joint.loop));
  }

  Stmt visit(const Stmt& s) {
    const auto* loop = s.as<For>();
    if (!loop || !isParallel(*loop)) {
      if (loop && loop->hints.mark == LoopMark::Sequential) return widenRows(s);
      if (loop) hostIndices.insert(loop->index);
      return mapChildren(s, [&](const Stmt& child) { return visit(child); });
    }
    if (const Stmt joint = loop->reductions.empty() ? Stmt() : overWindows(s, *loop)) return visit(joint);
    auto constant = constantTrip(*loop);
    Expr count = tripCount(*loop);
    if (loop->reductions.empty()) {
      if (!ctx.cuda || hasAskedThreads(s)) return s;
      if (const Stmt split = splitReductions(s, function, ctx); !(split == s)) return split;
      if (const Stmt split = splitRows(s, function, hostIndices, ctx); !(split == s)) return split;
      return splitLongRows(s, ctx);
    }
    const bool isOfOneBlock = ctx.cuda && loop->hints.threads && count && isConst(chunksFor(*loop, count), 1);
    const bool fewTrips = constant && *constant <= kFewTrips;
    if (!count || isOfOneBlock ||
        // With arrays inside, each iteration needs memory of its own, of which there must be a bounded number.
        (fewTrips && (has<Alloc>(loop->body) || constantInt(pointsInside(*loop)) == 1)))
      return s;
    const bool isOneChunk = ctx.cuda && !has<Alloc>(loop->body) && isConst(chunksFor(*loop, count), 1);
    return isOneChunk || isTriangular(*loop, count) ? inOneBlock(s, *loop) : tile(s, *loop, count);
  }
};

} // namespace

void tileReductions(Function& function, PassContext& ctx) {
  function.body = Tiling{function, ctx}.visit(function.body);
}

} // namespace appyc::schedule
