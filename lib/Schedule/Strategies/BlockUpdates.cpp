//===- BlockUpdates.cpp - updates by a row and a column each step, many steps in one pass ---------------===//
//   for k in [lo, hi):                  for first in [lo, hi) step 32:
//     c[:], r[:] = A[:, k], A[k, :]       A[first:+32, first:+32] step by step: one block, on chip
//     A[i, j] = f(A[i, j], c[i], r[j]) => the rest of these rows and columns likewise: a block a tile
//                                         A[i, j] = f(.. f(A[i, j], C[i, 0], R[0, j]) .., C[i, 31], R[31, j])
// C and R keep what c and r held at each of the steps. No cell off those rows and columns is read by another,
// so each may take its steps at once: every cell goes through the same values as before, whatever f is. In nests that run in
// order, cells behind a column take what it has become, and those below a row likewise: both are kept.
//
//   measured on an H200            | predicted                                       | result
//   floyd_warshall N=2800, int32   | 88 passes of 70 us and 20 us before them: 65 to |
//                                  | 9 ms (best peer 41)                             | 12.9 ms
//   the same, 4 x 4 cells a thread | half the instructions: 7 ms                     | 9.2 ms: the three smaller kernels 60 %
//   a lane's cells written out     | loads of 4 cells at once: 6.7 ms                | 6.22; phases 9.3, 8.1, 8.1, 42.8 us
//   by hand: a barrier a step, own | 4, 5 for both                                   | 3.9, 6.4: lines of the tile go to
//   cells in registers, tiles on   |                                                 | memory after the last step, not one
//   rows and columns in one launch |                                                 | by one
//   by hand: the rest with lines   | 25: half the loads                              | 8 x 2 cells 29.4, 4 x 4 31.1; 11 of
//   on chip, 32 steps              |                                                 | it are A's
//   all of this                    | 3.6 ms                                          | 3.61 ms; 5.1 with strided loops
//                                  |                                                 | over tiles: 108 registers, not 72
#include "HostLoops.h"
#include "LineUpdates.h"
#include "appyc/Analysis/Bounds.h"
#include "appyc/Cost/Device.h"
#include "appyc/IR/Loops.h"
#include "appyc/Loops/Loops.h"
#include "appyc/Schedule/Passes.h"
#include <algorithm>
#include <fmt/format.h>

namespace appyc::schedule {
using namespace ir;

namespace {

constexpr int64_t kSteps = 32;
constexpr int64_t kUpdateLanes = 256, kMostLanes = cost::Device::threadsOfBlock; ///< of a block
/// Along an axis of a grid. A worker with a block to itself leaves nothing to strided loops, for which nvcc would
/// keep what does not change in registers: 108 of them instead of 72.
constexpr int64_t kMostBlocks = cost::Device::blocksOfGrid;

class UpdateBlocking {
public:
  UpdateBlocking(Function& f, const LineUpdate& u, Span span, const analysis::Context& around)
      : function_(f), u_(u), build_{span} {
    lo_ = u.time->lo, hi_ = u.time->hi;
    const Expr count = analysis::atLeastZero(hi_ - lo_, around.sizes);
    for (const int after : {0, 1}) {
      columns_[after] = {Symbol("columns"), u.array.type, {count, intConst(kSteps)}};
      rows_[after] = {Symbol("rows"), u.array.type, {intConst(kSteps), count}};
    }
  }

  Stmt run() {
    const Symbol first("first");
    first_ = var(first);
    std::vector<Stmt> out, phases;
    const int64_t most = kMostBlocks * kSteps; // squares of more elements than any memory has
    if (!constantTrip(*u_.time))
      out.push_back(
          build_.make(Require{hi_ - lo_ <= most, "ValueError",
                              fmt::format("a loop of more than {} iterations over a square", most)}));
    std::erase_if(function_.buffers, [&](const Buffer& b) { return u_.gone.count(b.name) > 0; });
    for (const bool isColumn : {true, false})
      for (const int after : {0, 1}) {
        if (after ? !keepsAfter(isColumn) : !(isColumn ? u_.hasColumn : u_.hasRow)) continue;
        function_.buffers.push_back(linesOf(isColumn)[after]);
        out.push_back(build_.alloc(linesOf(isColumn)[after]));
      }
    phases.push_back(diagonal());
    phases.push_back(others());
    phases.push_back(rest());
    out.push_back(build_.make(serialLoop(first, lo_, hi_, intConst(kSteps), block(phases))));
    return block(out);
  }

private:
  Expr steps() const { return minOf(intConst(kSteps), hi_ - first_); }
  Expr inRange(const Expr& i) const { return i < hi_; }
  const Buffer* linesOf(bool isColumn) const { return isColumn ? columns_ : rows_; }
  bool keepsAfter(bool isColumn) const { return u_.inOrder && !(isColumn && u_.columnIsEarly); }
  static std::vector<Expr> inLines(bool isColumn, const Expr& at, const Expr& step) {
    return isColumn ? std::vector<Expr>{at, step} : std::vector<Expr>{step, at};
  }

  /// Where in A the row of one step meets the column of another one. All rows and columns go by their steps.
  std::vector<Expr> cellAt(const Expr& row, const Expr& column) const {
    std::vector<Expr> index = u_.index;
    index[u_.rowDim] = u_.lineAt(row), index[u_.columnDim] = u_.lineAt(column);
    return index;
  }

  /// A cell that does not exist goes through the last one's steps.
  Expr last(const Expr& x) const { return minOf(x, hi_ - 1); }

  Stmt writtenOut(const Symbol& index, int64_t count, const Stmt& body) const {
    return count == 1 ? substitute(body, {{index, intConst(0)}})
                      : loops::unrolled(build_, index, count, body);
  }
  Stmt forLanes(int64_t lanes, const Stmt& body) const {
    return loops::unrolledInAnyOrder(build_, lane_, intConst(lanes), body, static_cast<int>(lanes));
  }
  Buffer linesOnChip(const std::string& hint, int64_t length, std::vector<Stmt>& out) {
    return loops::tileOnChip(function_, build_, hint, u_.array.type, kSteps, length, out);
  }

  /// Copies `count` columns or rows from `line` on, as they were at each of the steps, or where `isAfter` as they then became,
  /// into `to`: [step, line].
  void stage(const Buffer& to, bool isColumn, const Expr& line, int64_t count, int64_t lanes,
             std::vector<Stmt>& out, const Expr& isAfter = {}) const {
    const auto copy = [&](const Expr& s, const Expr& x) {
      const std::vector<Expr> at = inLines(isColumn, last(line + x) - lo_, s);
      const Buffer* from = linesOf(isColumn);
      const Expr value = isAfter ? select(isAfter, load(from[1], at), load(from[0], at)) : load(from[0], at);
      return build_.when(inRange(first_ + s), build_.store(to, {s, x}, value));
    };
    // Lanes go along memory.
    const int ofWorker = static_cast<int>(lanes);
    out.push_back(isColumn ? loops::forCells(build_, "point", count, kSteps, ofWorker,
                                             [&](auto& x, auto& s) { return copy(s, x); })
                           : loops::forCells(build_, "point", kSteps, count, ofWorker, copy));
  }

  /// A worker for each index below `count`, which has a block of its own.
  Stmt workers(const Symbol& index, const Expr& count, const Stmt& body) const {
    return build_.inAnyOrder(index, intConst(0), minOf(count, kMostBlocks), body);
  }

  /// What a tile on the block's rows or columns has on chip.
  struct Tile {
    int64_t lanes;
    Buffer own;      ///< a lane's cells, in registers
    Buffer lines[2]; ///< of two sorts, [step, line]
  };
  Tile tileOnChip(int64_t lanes, const char* first, const char* second, std::vector<Stmt>& out) {
    Tile tile{lanes, {Symbol(u_.array.name.hint() + "_own"), u_.array.type, {}, true, 1}, {}};
    tile.own.extents = {intConst(lanes), intConst(kSteps * kSteps / lanes)};
    function_.buffers.push_back(tile.own);
    out.push_back(build_.alloc(tile.own));
    if (*first) tile.lines[0] = linesOnChip(first, kSteps, out);
    if (*second) tile.lines[1] = linesOnChip(second, kSteps, out);
    return tile;
  }

  /// All steps of the tile from A[row, column] on. A tile on the diagonal has its own rows and columns; of the
  /// others, one of the two is known. A line is passed on by the cells that are on it, when they have made the
  /// step before the one that needs it: so a barrier a step is enough.
  Stmt panel(const Expr& row, const Expr& column, const Tile& tile) const {
    const int64_t count = kSteps * kSteps / tile.lanes;
    const Symbol cell("cell"), s("s");
    const Expr r = var(cell) * (tile.lanes / kSteps) + floorDiv(var(lane_), kSteps);
    const Expr c = mod(var(lane_), kSteps);
    const std::vector<Expr> element{row + r, column + c}, at{var(lane_), var(cell)};
    const Expr inside = both(inRange(element[0]), inRange(element[1])), own = load(tile.own, at);
    const auto forCells = [&](std::vector<Stmt> body) {
      const Stmt each = build_.when(inside, std::move(body));
      return forLanes(tile.lanes, writtenOut(cell, count, each));
    };
    const std::vector<Expr> inMatrix = cellAt(element[0], element[1]);
    std::vector<Stmt> out, before{build_.store(tile.own, at, load(u_.array, inMatrix))}, step,
        after{build_.store(u_.array, inMatrix, own)};
    const bool ownRows = equalIndex(row, first_), ownColumns = equalIndex(column, first_);
    // Of the two sorts of lines the own ones come first.
    const Buffer &columnLines = tile.lines[ownColumns ? 0 : 1],
                 &rowLines = tile.lines[ownRows && !ownColumns ? 0 : 1];
    if (u_.hasColumn && !ownColumns) stage(columnLines, true, first_, kSteps, tile.lanes, out);
    if (u_.hasRow && !ownRows) stage(rowLines, false, first_, kSteps, tile.lanes, out);
    const Expr ofColumn = u_.hasColumn ? load(columnLines, {var(s), r}) : u_.ofColumn;
    const Expr ofRow = u_.hasRow ? load(rowLines, {var(s), c}) : u_.ofRow;
    const auto store = [&](const Buffer& to, const std::vector<Expr>& place, const Expr& t, const Expr& now,
                           const Expr& inColumn, const Expr& inRow, std::vector<Stmt>& list) {
      // Where the step's two lines meet: in those that the diagonal has made.
      const Expr corner = u_.inOrder ? load(ownColumns ? rowLines : columnLines, {t, t}) : Expr();
      const Expr value =
          u_.valueInOrder(element[0], element[1], first_ + t, now, inColumn ? inColumn : corner,
                          inRow ? inRow : corner, corner, build_, list);
      list.push_back(build_.store(to, place, value));
    };
    store(tile.own, at, var(s), own, ofColumn, ofRow, step);
    for (const bool isColumn : {true, false}) {
      if (!(isColumn ? ownColumns && u_.hasColumn : ownRows && u_.hasRow)) continue;
      const Buffer& lines = isColumn ? columnLines : rowLines;
      const Expr line = isColumn ? c : r, other = isColumn ? r : c, held = load(lines, {line, other});
      const auto passOn = [&](const Expr& taken) {
        return build_.when(eq(line, taken), build_.store(lines, {taken, other}, own));
      };
      before.push_back(passOn(intConst(0)));
      step.push_back(passOn(var(s) + 1));
      const std::vector<Expr> place = inLines(isColumn, (isColumn ? element[0] : element[1]) - lo_, line);
      after.push_back(build_.store(linesOf(isColumn)[0], place, held));
      if (keepsAfter(isColumn))
        store(linesOf(isColumn)[1], place, line, held, isColumn ? held : Expr(), isColumn ? Expr() : held,
              after);
    }
    out.push_back(forCells(before));
    out.push_back(build_.inOrder(s, intConst(0), steps(), forCells(step)));
    out.push_back(forCells(after));
    return block(out);
  }

  /// The tile where the block's rows and columns meet.
  Stmt diagonal() {
    std::vector<Stmt> body;
    const Tile tile =
        tileOnChip(kMostLanes, u_.hasColumn ? "column_here" : "", u_.hasRow ? "row_here" : "", body);
    body.push_back(panel(first_, first_, tile));
    return workers(Symbol("w"), intConst(1), block(body));
  }

  /// The tiles on the block's rows, and those on its columns: a worker for each but the one above, which counts as
  /// none.
  Stmt others() {
    const Symbol side("side"), worker("w"), base("base");
    const Expr count = ceilDiv(hi_ - lo_, intConst(kSteps)) - 1;
    const Expr before = lo_ + var(worker) * kSteps;
    const Expr skipping = select(before < first_, before, before + kSteps);
    std::vector<Stmt> body{build_.assign(base, skipping)};
    const Tile tile = tileOnChip(kUpdateLanes, "line_here", "lines_tile", body);
    body.push_back(
        build_.when(eq(var(side), 0), panel(first_, var(base), tile), panel(var(base), first_, tile)));
    return workers(side, intConst(2), workers(worker, count, block(body)));
  }

  /// All steps of the cells off the block's rows and columns. What a lane takes of a row or a column serves all of
  /// its cells on that one.
  Stmt rest() {
    // Lines of 16-byte elements have half the room.
    const int64_t rows = byteSize(u_.array.type) > 8 ? 4 : 8, columns = rows / 4;
    const int64_t down = kUpdateLanes / cost::Device::warp * rows, across = cost::Device::warp * columns;
    const Symbol i("i"), j("j"), top("top"), left("left"), r("r"), c("c"), s("s");
    const Expr rowIn = floorDiv(var(lane_), cost::Device::warp) * rows + var(r);
    const Expr columnIn = mod(var(lane_), cost::Device::warp) + var(c) * cost::Device::warp;
    const Expr row = var(top) + rowIn, column = var(left) + columnIn;
    const Expr exists = both(inRange(row), inRange(column));
    const auto outside = [&](const Expr& x) { return either(x < first_, x >= first_ + kSteps); };
    const auto forOwnCells = [&](const Stmt& each) {
      return writtenOut(r, rows, writtenOut(c, columns, each));
    };
    std::vector<Stmt> body{build_.assign(top, lo_ + var(i) * down),
                           build_.assign(left, lo_ + var(j) * across)},
        ofLane;
    // A tile has no cells on both sides of the block's lines.
    const auto lines = [&](bool isColumn, const Symbol& line, int64_t count, const Expr& inTile) {
      const Buffer tile = linesOnChip(linesOf(isColumn)[0].name.hint() + "_tile", count, body);
      const Expr end = isColumn ? var(left) + across : var(top) + down;
      stage(tile, isColumn, var(line), count, kUpdateLanes, body,
            keepsAfter(isColumn) ? end > first_ + kSteps : Expr());
      return load(tile, {var(s), inTile});
    };
    const Expr ofColumn = u_.hasColumn ? lines(true, top, down, rowIn) : u_.ofColumn;
    const Expr ofRow = u_.hasRow ? lines(false, left, across, columnIn) : u_.ofRow;

    const Buffer value =
        loops::onChip(function_, build_, "value", u_.array.type, {intConst(rows), intConst(columns)}, ofLane);
    const std::vector<Expr> at{var(r), var(c)};
    ofLane.push_back(forOwnCells(build_.store(
        value, at,
        select(exists, load(u_.array, cellAt(row, column)), identity(ReduceOp::Sum, u_.array.type)))));
    const Stmt step = forOwnCells(build_.store(
        value, at, u_.valueAt(last(row), last(column), first_ + var(s), load(value, at), ofColumn, ofRow)));
    ofLane.push_back(build_.inOrder(s, intConst(0), steps(), step));
    ofLane.push_back(forOwnCells(build_.when(both(exists, both(outside(row), outside(column))),
                                             build_.store(u_.array, cellAt(row, column), load(value, at)))));
    body.push_back(forLanes(kUpdateLanes, block(ofLane)));
    const Expr length = hi_ - lo_;
    return workers(i, ceilDiv(length, intConst(down)),
                   workers(j, ceilDiv(length, intConst(across)), block(body)));
  }

  Function& function_;
  const LineUpdate& u_;
  Builder build_;
  const Symbol lane_{"lane"};
  Expr lo_, hi_, first_;
  Buffer columns_[2], rows_[2]; ///< C[i - lo, step], R[step, j - lo], before and after the step
};

} // namespace

void blockUpdates(Function& f, PassContext& ctx) {
  f.body = mapHostLoops(f, ctx, [&](const HostLoop& at) -> Stmt {
    const For& loop = at.loop();
    const bool suits =
        analysis::hasKnownBounds(f, loop) && constantTrip(loop).value_or(INT64_MAX) > 2 * kSteps;
    const std::optional<LineUpdate> update = suits ? lineUpdateOf(f, loop, at.around) : std::nullopt;
    if (!update) return {};
    ctx.diag.report(DiagId::TimeLoop, at.stmt->span,
                    fmt::format("runs in blocks of {} iterations: tiles on their rows and columns first, "
                                "then all other elements in one pass",
                                kSteps));
    return UpdateBlocking(f, *update, at.stmt->span, at.around).run();
  });
}

} // namespace appyc::schedule
