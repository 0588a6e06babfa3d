//===- BlockWavefronts.cpp - nests whose elements wait for their neighbours run by diagonals of tiles -------===//
//   for i: for j:                                  for d in diagonals of tiles:                      # host
//     h[i, j] = f(h[i-1, j-1],               =>      for q in tiles of diagonal d:                   # blocks
//                 h[i-1, j], h[i, j-1])                for t in [0, 63):
//                                                        for r in [0, 32):                           # lanes
//                                                          i = 32 p + r; j = 32 q + t - r
//                                                          if t - r in [0, 32) and i, j in range: ...
// The wavefront of L. Lamport (1974) in rectangles, as F. Irigoin and R. Triolet (1988) tile it. Where an element waits for one
// to the right in the row before, a row starts a little later than that: j + skew * i is what is tiled. Rows that the source keeps
// two of are those of a table (CarriedRows); what it folds on the way is folded behind (loops::foldsApart).
// So is a band that moves with the rows (dynamic time warping): tiles outside of it have nothing to do.
// Sweeps over time, each of which takes elements from the one before, follow each other three diagonals apart: what a tile takes
// of the sweep before lies in its neighbours, which are two diagonals further at most.
//   edit distances 2000 x 2000, an H100: one thread 40 ms; 125 launches of 63 steps, of 0.2 us each: predicted 1.6,
//     measured 1.23; 10000 x 10000 17
//   the largest square of ones in 2000 x 2000, an H200: 561 ms, 7.1; warping of 5000 x 5000 in a band of 500: 178, 8.4
//   100 sweeps of Gauss and Seidel over 1000 x 1000: 9,400 launches of few tiles each, 390 of many: predicted a tenth
#include "CarriedRows.h"
#include "Units.h"
#include "appyc/Analysis/Bounds.h"
#include "appyc/Analysis/Dependence.h"
#include "appyc/IR/Dsl.h"
#include "appyc/IR/Loops.h"
#include "appyc/IR/Upward.h"
#include "appyc/IR/Walk.h"
#include "appyc/Loops/FunctionPass.h"
#include "appyc/Loops/Loops.h"
#include "appyc/Schedule/Passes.h"
#include <algorithm>
#include <fmt/format.h>

namespace appyc::schedule {
using namespace ir;

namespace {

constexpr int64_t kTile = 32; ///< rows and columns of a tile: a warp, which needs no others for its steps
constexpr int64_t kMostSkew = 2;
constexpr int64_t kBetweenSweeps = 3; ///< diagonals
constexpr int64_t kMostDistance =
    4; ///< of elements from their iteration: two iterations that meet lie within a tile's size
constexpr int64_t kRowsOfOneThread = 64; ///< of these one thread runs all

/// A band of columns that moves with the row, as the columns of all rows, of which each takes its own.
For withAllColumns(const For& rows) {
  const auto* band = rows.body.as<For>();
  if (!band || !mentions(band->lo, rows.index) || !mentions(band->hi, rows.index)) return rows;
  const Expr most = analysis::upperBound(band->hi, {&rows}),
             longest = analysis::upperBound(rows.hi - band->lo, {&rows});
  if (!most || !longest) return rows;
  const Builder build{rows.body->span};
  For columns = *band, all = rows;
  columns.lo = rows.hi - longest, columns.hi = most;
  columns.body = build.when(both(band->lo <= var(band->index), var(band->index) < band->hi), band->body);
  all.body = build.make(std::move(columns));
  return all;
}

class Wavefront {
public:
  /// Of `outer` and the loop in it, which `source` has been before.
  Wavefront(const Function& f, const For& outer, const For& source)
      : function_(f), outer_(outer), inner_(*outer.body.as<For>()), source_(source) {}

  bool applies(const analysis::Context& known) {
    if (!isPlain(outer_) || !isPlain(inner_) || mentions(inner_.lo, outer_.index) ||
        mentions(inner_.hi, outer_.index) || !consistsOf<Block, Assign, Store, If>(inner_.body) ||
        !isOpen(outer_) || !isOpen(inner_) || !hasOwnScalars())
      return false;
    for (skew_ = 0; skew_ <= kMostSkew; ++skew_)
      if (analysis::mayRunInTiles(outer_, inner_, skew_, known)) return true;
    return false;
  }

  /// Do iterations of several sweeps meet at neighbours only?
  bool isOfNeighbours() const {
    const std::set<Symbol> stored = storedBuffers(inner_.body);
    bool all = true;
    const auto look = [&](const Symbol& array, const std::vector<Expr>& index) {
      if (!stored.count(array)) return;
      const auto isNear = [](const Expr& e, const For& loop) {
        return std::abs(constantInt(e - var(loop.index)).value_or(kMostDistance + 1)) <= kMostDistance;
      };
      all = all && index.size() == 2 && isNear(index[0], outer_) && isNear(index[1], inner_);
    };
    each<Load>(inner_.body, [&](const Load& l) { look(l.buffer, l.index); });
    each<Store>(inner_.body, [&](const Store& s) { look(s.buffer, s.index); });
    return all;
  }

  /// `sweeps`: the loop around, whose iterations follow each other by diagonals.
  Stmt run(Span span, const For* sweeps = nullptr) const {
    const Builder build{span};
    std::vector<Stmt> out;
    const Expr rows = loops::once(build, "rows", outer_.hi - outer_.lo, out);
    const Expr width =
        loops::once(build, "columns", inner_.hi - inner_.lo + intConst(skew_) * (rows - 1), out);
    const Expr down = loops::once(build, "tiles_down", ceilDiv(rows, intConst(kTile)), out);
    const Expr across = loops::once(build, "tiles_across", ceilDiv(width, intConst(kTile)), out);
    const Symbol d("diagonal"), q("tile"), t("t"), r("r"), i(outer_.index.hint()), j(inner_.index.hint());

    const Expr row = var(i) - outer_.lo;
    const Expr inTile = both(var(t) - var(r) >= 0, var(t) - var(r) < kTile);
    const Expr inRange = both(var(i) < outer_.hi, both(var(j) >= inner_.lo, var(j) < inner_.hi));
    std::vector<Stmt> element{
        build.assign(i, outer_.lo + (var(d) - var(q)) * kTile + var(r)),
        build.assign(j, inner_.lo + var(q) * kTile + var(t) - var(r) - intConst(skew_) * row),
        build.when(inRange, substitute(inner_.body, {{outer_.index, var(i)}, {inner_.index, var(j)}}))};
    const Stmt lanes = lanesOver(build, r, build.when(inTile, std::move(element)));
    const Stmt steps = build.inOrder(t, intConst(0), intConst(2 * kTile - 1), lanes);
    const Expr first = maxOf(var(d) - down + 1, 0), end = minOf(across, var(d) + 1),
               diagonals = down + across - 1;
    if (sweeps) {
      // Of each sweep that has begun and not ended, the diagonal that it has come to.
      const Symbol w("wave"), sweep("sweep"), k("k");
      const Expr between = intConst(kBetweenSweeps);
      const Expr count = loops::once(build, "sweeps", sweeps->hi - sweeps->lo, out);
      std::vector<Stmt> tile{
          build.assign(d, var(w) - var(sweep) * between), build.assign(q, first + var(k)),
          build.when(var(q) < end, substitute(steps, {{sweeps->index, sweeps->lo + var(sweep)}}))};
      For tiles = provenLoop(k, intConst(0), minOf(down, across), block(std::move(tile)), kTile);
      tiles.hints.origins = outer_.hints.origins;
      const Expr begun = minOf(count, floorDiv(var(w), between) + 1);
      const Expr ended = floorDiv(maxOf(var(w) - diagonals + between, 0), between);
      const Stmt wave = build.make(provenLoop(sweep, ended, begun, build.make(std::move(tiles))));
      out.push_back(build.inOrder(w, intConst(0), diagonals + (count - 1) * between, wave));
      return build.when(both(sweeps->lo < sweeps->hi, both(outer_.lo < outer_.hi, inner_.lo < inner_.hi)),
                        std::move(out));
    }
    For tiles = provenLoop(q, first, end, steps, kTile);
    tiles.hints.origins = outer_.hints.origins;
    out.push_back(build.inOrder(d, intConst(0), diagonals, build.make(std::move(tiles))));
    return build.when(both(outer_.lo < outer_.hi, inner_.lo < inner_.hi), std::move(out));
  }

private:
  static bool isPlain(const For& loop) { return isSerial(loop) && isConst(loop.step, 1); }
  bool isOpen(const For& loop) const {
    const auto isHostValue = [&](const Expr& e) {
      return !readsMemory(e) && !mentionsAny(e, assignedVars(function_.body));
    };
    return isHostValue(loop.lo) && isHostValue(loop.hi) &&
           constantTrip(loop).value_or(kRowsOfOneThread) >= kRowsOfOneThread;
  }
  /// Each iteration assigns its scalars before it reads them, and nobody else reads them.
  bool hasOwnScalars() const {
    const std::set<Symbol> assigned = assignedVars(inner_.body);
    if (intersect(assigned, analysis::exposedScalars(inner_.body))) return false;
    for (const Result& result : function_.results)
      if (assigned.count(result.name)) return false;
    int inside = 0, all = 0;
    each<Var>(source_.body, [&](const Var& v) { inside += assigned.count(v.name) > 0; });
    each<Var>(function_.body, [&](const Var& v) { all += assigned.count(v.name) > 0; });
    return inside == all;
  }
  static Stmt lanesOver(const Builder& build, const Symbol& r, Stmt body) {
    For lanes = provenLoop(r, intConst(0), intConst(kTile), std::move(body));
    lanes.hints.mark = LoopMark::Simd;
    return build.make(std::move(lanes));
  }

  const Function& function_;
  const For &outer_, &inner_, &source_;
  int64_t skew_ = 0;
};

class Wavefronts : public loops::LoopPass {
public:
  using LoopPass::LoopPass;

  bool enters(const Stmt& s) const override { return !s.is<For>() || isSerial(*s.as<For>()); }
  Stmt replaced(const Stmt& s, const For& loop) override {
    if (!isSerial(loop)) return {};
    const Stmt up = loopsUpward(s), tiles = byDiagonals(up, *up.as<For>());
    return tiles ? tiles : ofSweeps(up, *up.as<For>());
  }

private:
  Stmt byDiagonals(const Stmt& s, const For& loop) {
    std::optional<CarriedRows> rows;
    if (!loop.body.is<For>() && !(rows = carriedRowsOf(function_, loop, known_))) return {};
    const For whole = withAllColumns(rows ? rows->nest : loop);
    std::optional<loops::FoldsApart> apart = loops::foldsApart(whole, known_);
    if (!apart) apart = loops::foldsOfKept(whole);
    Wavefront nest(function_, apart ? apart->stores : whole, loop);
    if (!nest.applies(known_) || (apart && !mayFold(apart->folds))) return {};
    Stmt tiles = nest.run(s->span);
    if (apart) {
      ctx_.diag.dropIn(s->span, {DiagId::SerialReduction}); // which it is no more
      std::vector<Stmt> made;
      for (const Buffer& kept : apart->kept) loops::newArray(function_, Builder{s->span}, kept, made);
      made.insert(made.end(), {tiles, makeStmt(s->span, apart->folds)});
      tiles = block(std::move(made));
    }
    if (rows) {
      for (const CarriedRow& row : rows->rows) function_.buffers.push_back(row.table);
      function_.buffers.insert(function_.buffers.end(), rows->scalars.begin(), rows->scalars.end());
      tiles = rows->inOrder({s->span}, loop, tiles);
    }
    return told(whole, s->span, tiles);
  }
  /// A loop around nothing but such a nest.
  Stmt ofSweeps(const Stmt& s, const For& sweeps) {
    const auto* rows = sweeps.body.as<For>();
    const auto* columns = rows ? rows->body.as<For>() : nullptr;
    const auto stays = [&](const Expr& e) { return !readsMemory(e) && !mentions(e, sweeps.index); };
    if (!columns || !isUnmarked(sweeps) || !isConst(sweeps.step, 1) || !stays(rows->lo) || !stays(rows->hi) ||
        !stays(columns->lo) || !stays(columns->hi) ||
        intersect(freeVars(sweeps.hi - sweeps.lo), assignedVars(function_.body)) ||
        readsMemory(sweeps.hi - sweeps.lo))
      return {};
    Wavefront nest(function_, *rows, *rows);
    {
      const analysis::Inside inside(known_, sweeps);
      if (!nest.applies(known_) || !nest.isOfNeighbours()) return {};
    }
    return told(*rows, s->span, nest.run(s->span, &sweeps));
  }
  /// In any order, which it then does.
  bool mayFold(For& outer) {
    For inner = *outer.body.as<For>();
    const auto judged = [&](For& loop) {
      const auto verdict = analysis::judgeParallel(loop, known_, {});
      loop.order = Order::Proven;
      loop.reductions = verdict.reductions;
      return verdict.isProven();
    };
    if (!judged(outer)) return false;
    const analysis::Inside inside(known_, outer);
    if (!judged(inner)) return false;
    outer.body = makeStmt(outer.body->span, std::move(inner));
    return true;
  }
  Stmt told(const For& nest, Span span, Stmt tiles) const {
    ctx_.diag.report(
        DiagId::Parallelised, span,
        fmt::format(
            "tiles of {0} x {0} elements of `{1}` and `{2}` run by diagonals, as do the elements of each",
            kTile, nest.index.hint(), nest.body.as<For>()->index.hint()));
    return tiles;
  }
};

} // namespace

void blockWavefronts(Function& f, PassContext& ctx) { f.body = Wavefronts(f, ctx).visit(f.body); }

} // namespace appyc::schedule
