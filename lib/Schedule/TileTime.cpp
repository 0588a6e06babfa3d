//===- TileTime.cpp - several steps of a time loop in one pass over memory ----------------------------===//
// A pass, for arrays A, which comes from the step before, and B, of which only the edge does:
//   for each tile (grid):
//     A_tile = A; B_tile = B outside of what is written
//     for step in range(steps): the sweeps, on all cells of the tile
//     A_next = A_tile, own cells; in the last pass B = B_tile, own cells that are written
// Cells near a tile's ends are wrong after some steps, which is what the halo is for: own cells never read
// them.
#include "Bounds.h"
#include "TimeLoops.h"
#include "Units.h"
#include "appyc/IR/Build.h"
#include "appyc/IR/Rewrite.h"
#include "appyc/Schedule/Passes.h"
#include <algorithm>
#include <fmt/format.h>
#include <utility>

namespace appyc::schedule {
using namespace ir;

namespace {

constexpr double kLeastGain = 1.1;

Stmt bound(For loop, Bind bind, Axis axis) {
  loop.bind = bind;
  loop.axis = axis;
  return makeStmt({}, std::move(loop));
}
Expr both(Expr a, Expr b) { return a ? binary(BinaryOp::LogicalAnd, std::move(a), std::move(b)) : b; }
Expr below(Expr a, Expr b) { return binary(BinaryOp::Lt, std::move(a), std::move(b)); }
Expr notBelow(Expr a, Expr b) { return binary(BinaryOp::Ge, std::move(a), std::move(b)); }
Stmt assign(Symbol name, Expr value) { return makeStmt({}, Assign{std::move(name), std::move(value)}); }
Stmt when(Expr cond, std::vector<Stmt> then) {
  return makeStmt({}, If{std::move(cond), block(std::move(then)), {}});
}

class TimeTiling {
public:
  TimeTiling(const TimeLoop& time, const TileShape& tile, Span span) : time_(time), tile_(tile), span_(span) {
    const std::vector<Expr>& shape = time.arrays.front().buffer.extents;
    for (size_t d = 0; d < shape.size(); ++d) {
      const std::string hint = time.sweeps.back().dims[d].index.hint();
      origin_.emplace_back(hint + "_tile");
      cell_.emplace_back(shape.size() == 1 ? "cell" : d == 0 ? "row" : "column");
      hints_.push_back(hint);
    }
    for (const StateArray& a : time.arrays) {
      const std::string hint = a.buffer.name.hint();
      Buffer tiled{Symbol(hint + "_tile"), a.buffer.type, {}, true},
          next{Symbol(hint + "_next"), a.buffer.type, shape};
      for (int64_t size : tile.size) tiled.extents.push_back(intConst(size));
      tiles_[a.buffer.name] = tiled;
      if (a.writer < 0)
        next_[a.buffer.name] = next;
      else
        hasLast_ = true;
    }
    usesIndex_ = mentionsAny(time.loop->body, {time.loop->index});
  }

  /// The host's part.
  Stmt run() {
    const Symbol steps("steps"), rounds("rounds"), round("round"), full("full"), rest("rest"), half("half"),
        other("other");
    const Symbol more("not_last"), last("last");
    const Expr pair = intConst(2 * tile_.steps);
    std::vector<Stmt> inside{assign(rounds, binary(BinaryOp::FloorDiv, sub(var(steps), intConst(1)), pair)),
                             assign(full, intConst(tile_.steps))};
    if (hasLast_) inside.push_back(assign(more, intConst(0)));
    std::vector<Stmt> twice;
    addPair(twice, mul(var(round), pair), {full, more}, {full, more});
    For loop = serialLoop(round, intConst(0), var(rounds), intConst(1), block(std::move(twice)));
    inside.push_back(makeStmt(span_, std::move(loop)));
    // One to 2 * T steps are left, so that the last pass has at least one.
    const Expr done = mul(var(rounds), pair);
    inside.push_back(assign(rest, sub(var(steps), done)));
    inside.push_back(assign(half, binary(BinaryOp::FloorDiv, var(rest), intConst(2))));
    inside.push_back(assign(other, sub(var(rest), var(half))));
    if (hasLast_) inside.push_back(assign(last, intConst(1)));
    addPair(inside, done, {half, more}, {other, last});
    std::vector<Stmt> out;
    for (const auto& [name, next] : next_) out.push_back(makeStmt(span_, Alloc{next}));
    out.push_back(assign(steps, tripCount(*time_.loop)));
    out.push_back(when(binary(BinaryOp::Gt, var(steps), intConst(0)), std::move(inside)));
    return block(std::move(out));
  }

  std::vector<Buffer> buffers() const {
    std::vector<Buffer> all;
    for (const auto& [name, buffer] : next_) all.push_back(buffer);
    for (const auto& [name, buffer] : tiles_) all.push_back(buffer);
    return all;
  }

private:
  const std::vector<Expr>& shape() const { return time_.arrays.front().buffer.extents; }
  struct Steps {
    Symbol count, last;
  };

  /// To the second copies and back, from step number `done`.
  void addPair(std::vector<Stmt>& out, const Expr& done, const Steps& there, const Steps& back) {
    Symbol first, second;
    if (usesIndex_) {
      const For& loop = *time_.loop;
      const std::string hint = loop.index.hint();
      first = Symbol(hint + "_first"), second = Symbol(hint + "_second");
      out.push_back(assign(first, add(loop.lo, mul(done, loop.step))));
      out.push_back(assign(second, add(var(first), mul(var(there.count), loop.step))));
    }
    out.push_back(launch(there, first, false));
    out.push_back(launch(back, second, true));
  }

  Stmt launch(const Steps& steps, const Symbol& first, bool isBack) const {
    Launch pass;
    pass.name = time_.kernel;
    const size_t rank = tile_.size.size();
    for (size_t axis = 0; axis < 3; ++axis) {
      const size_t d = rank - 1 - axis;
      pass.grid[axis] = axis < rank ? ceilDiv(shape()[d], intConst(tile_.own(d))) : intConst(1);
    }
    pass.block[0] = rank == 1 ? static_cast<int>((tile_.size[0] + 31) / 32 * 32) : 32;
    pass.block[1] = rank == 1 ? 1 : 16;
    std::vector<Stmt> body;
    for (const auto& [name, tiled] : tiles_) body.push_back(makeStmt({}, Alloc{tiled, true}));
    body.push_back(load(isBack));
    body.push_back(advance(steps, first));
    body.push_back(store(steps, isBack));
    pass.body = block(std::move(body));
    for (size_t d = rank; d-- > 0;)
      pass.body = bound(serialLoop(origin_[d], intConst(0), shape()[d], intConst(tile_.own(d)), pass.body),
                        Bind::Grid, d + 1 == rank ? Axis::X : Axis::Y);
    return makeStmt(span_, std::move(pass));
  }

  using Places =
      std::vector<Symbol>; ///< where a cell is in the arrays; new ones for each use, as all are assigned once
  Places newPlaces() const {
    Places all;
    for (const std::string& hint : hints_) all.emplace_back(hint);
    return all;
  }

  /// `inner` for the cells [lo, hi) of the tile, shared among the threads, where each dimension's condition
  /// holds.
  Stmt cells(const Places& place, const std::vector<int64_t>& lo, const std::vector<int64_t>& hi,
             const std::vector<Expr>& conditions, Stmt inner) const {
    for (size_t d = place.size(); d-- > 0;) {
      const Expr position = add(var(origin_[d]), sub(var(cell_[d]), intConst(tile_.before[d])));
      const std::vector<Stmt> body{assign(place[d], position), when(conditions[d], {inner})};
      inner = bound(serialLoop(cell_[d], intConst(lo[d]), intConst(hi[d]), intConst(1), block(body)),
                    Bind::Thread, d + 1 == place.size() ? Axis::X : Axis::Y);
    }
    return inner;
  }
  static std::vector<Expr> at(const std::vector<Symbol>& index) {
    std::vector<Expr> all;
    for (const Symbol& s : index) all.push_back(var(s));
    return all;
  }
  /// By dimension, whether `place` is one that the sweep writes, at `offset` from its indices.
  static std::vector<Expr> inSweep(const Sweep& sweep, const Places& place,
                                   const std::vector<int64_t>& offset) {
    std::vector<Expr> all;
    for (size_t d = 0; d < place.size(); ++d) {
      const Sweep::Dim& dim = sweep.dims[d];
      const Expr lo = add(dim.lo, intConst(offset[d])), hi = add(dim.hi, intConst(offset[d]));
      all.push_back(dim.fixed ? binary(BinaryOp::Eq, var(place[d]), lo)
                              : both(notBelow(var(place[d]), lo), below(var(place[d]), hi)));
    }
    return all;
  }
  Expr isWritten(const StateArray& a, const Places& place) const {
    Expr all;
    for (const Expr& e : inSweep(time_.sweeps[static_cast<size_t>(a.writer)], place, a.writerOffset))
      all = both(all, e);
    return all;
  }
  const Buffer& copyOf(const StateArray& a, bool second) const {
    return second && a.writer < 0 ? next_.at(a.buffer.name) : a.buffer;
  }

  Stmt load(bool isBack) const {
    const Places place = newPlaces();
    std::vector<Expr> exists;
    for (size_t d = 0; d < place.size(); ++d)
      exists.push_back(both(notBelow(var(place[d]), intConst(0)), below(var(place[d]), shape()[d])));
    std::vector<Stmt> copies;
    for (const StateArray& a : time_.arrays) {
      Stmt copy = makeStmt(
          {}, Store{tiles_.at(a.buffer.name).name, at(cell_), ir::load(copyOf(a, isBack), at(place)), {}});
      copies.push_back(a.writer < 0 ? copy : when(unary(UnaryOp::LogicalNot, isWritten(a, place)), {copy}));
    }
    const std::vector<int64_t> first(place.size(), 0);
    return cells(place, first, tile_.size, exists, block(std::move(copies)));
  }

  Stmt store(const Steps& steps, bool isBack) const {
    const Places place = newPlaces();
    std::vector<Expr> exists;
    std::vector<int64_t> end;
    for (size_t d = 0; d < place.size(); ++d) {
      exists.push_back(below(var(place[d]), shape()[d]));
      end.push_back(tile_.size[d] - tile_.after[d]);
    }
    std::vector<Stmt> copies;
    for (const StateArray& a : time_.arrays) {
      Stmt copy = makeStmt(
          {}, Store{copyOf(a, !isBack).name, at(place), ir::load(tiles_.at(a.buffer.name), at(cell_)), {}});
      const Expr isLast = binary(BinaryOp::Ne, var(steps.last), intConst(0));
      copies.push_back(a.writer < 0 ? copy : when(both(isLast, isWritten(a, place)), {copy}));
    }
    return cells(place, tile_.before, end, exists, block(std::move(copies)));
  }

  Stmt advance(const Steps& steps, const Symbol& first) const {
    const Symbol step("step"), index(time_.loop->index.hint());
    std::vector<Stmt> body;
    if (first) body.push_back(assign(index, add(var(first), mul(var(step), time_.loop->step))));
    std::map<Symbol, CellRange> made;
    for (const Sweep& sweep : time_.sweeps) {
      const Places place = newPlaces();
      std::map<Symbol, Expr> names{{time_.loop->index, var(index)}};
      const auto [lo, hi] = range(sweep, made);
      for (size_t d = 0; d < place.size(); ++d) names[sweep.dims[d].index] = var(place[d]);
      const std::vector<int64_t> here(place.size(), 0);
      body.push_back(cells(place, lo, hi, inSweep(sweep, place, here), substitute(inTile(sweep), names)));
    }
    return makeStmt({}, serialLoop(step, intConst(0), var(steps.count), intConst(1), block(std::move(body))));
  }
  struct CellRange {
    std::vector<int64_t> lo, hi;
  };
  /// The cells for which the tile has what the sweep reads; `made`: those of arrays that the step makes anew.
  CellRange range(const Sweep& sweep, std::map<Symbol, CellRange>& made) const {
    CellRange cells;
    for (size_t d = 0; d < sweep.dims.size(); ++d) {
      cells.lo.push_back(-sweep.dims[d].least);
      cells.hi.push_back(tile_.size[d] - sweep.dims[d].most);
      for (const Sweep::Access& l : sweep.loads) {
        const auto known = made.find(l.array);
        if (known == made.end()) continue;
        cells.lo[d] = std::max(cells.lo[d], known->second.lo[d] - l.offset[d]);
        cells.hi[d] = std::min(cells.hi[d], known->second.hi[d] - l.offset[d]);
      }
    }
    for (const StateArray& a : time_.arrays) {
      if (a.writer < 0 || &time_.sweeps[static_cast<size_t>(a.writer)] != &sweep) continue;
      CellRange& own = made[a.buffer.name] = cells;
      for (size_t d = 0; d < sweep.dims.size(); ++d) {
        own.lo[d] += a.writerOffset[d];
        own.hi[d] += a.writerOffset[d];
      }
    }
    return cells;
  }
  /// The sweep's statements with the tiles for the arrays.
  Stmt inTile(const Sweep& sweep) const {
    const auto index = [&](const Symbol& array, const std::vector<Expr>& subscripts) {
      const Sweep::Access access = sweep.accessOf(array, subscripts);
      std::vector<Expr> all;
      for (size_t d = 0; d < subscripts.size(); ++d)
        all.push_back(add(var(cell_[d]), intConst(access.offset[d])));
      return all;
    };
    return rewrite(
        sweep.body,
        [&](const Stmt& s) -> Stmt {
          const auto* st = s.as<Store>();
          if (!st) return {};
          return makeStmt(s->span,
                          Store{tiles_.at(st->buffer).name, index(st->buffer, st->index), st->value, {}});
        },
        [&](const Expr& e) -> Expr {
          const auto* l = e.as<Load>();
          auto tiled = l ? tiles_.find(l->buffer) : tiles_.end();
          return tiled == tiles_.end() ? Expr() : ir::load(tiled->second, index(l->buffer, l->index));
        });
  }

  const TimeLoop& time_;
  const TileShape& tile_;
  Span span_;
  std::vector<Symbol> origin_, cell_; ///< by dimension: the first own cell of a tile, and a cell in it
  std::vector<std::string> hints_;
  std::map<Symbol, Buffer> tiles_, next_;
  bool hasLast_ = false, usesIndex_ = false;
};

struct Tiler {
  PassContext& ctx;
  std::vector<Buffer> buffers;

  Stmt visit(const Stmt& s) {
    if (s.is<Launch>()) return s;
    const auto* loop = s.as<For>();
    if (loop) {
      std::string why;
      const std::optional<TimeLoop> time = recogniseTimeLoop(*loop, buffers, why);
      TileShape tile = time ? chooseTile(*time) : TileShape{};
      const int64_t byDefault = tile.gain >= kLeastGain ? tile.steps : 1;
      const int64_t steps = time ? ctx.choose(s->span, "steps", byDefault, openSteps(*time)) : 1;
      if (time && steps > 1 && steps != tile.steps) tile = chooseTile(*time, steps);
      if (time && steps > 1 && tile.steps == steps) return tiled(s, *time, tile);
      if (time)
        why = steps != byDefault
                  ? "the schedule file says so"
                  : fmt::format("predicted to take 1/{:.1f} of the time of one sweep after the other",
                                tile.gain);
      const std::vector<Stmt> body = statementsOf(loop->body);
      if (std::any_of(body.begin(), body.end(), [](const Stmt& part) { return part.is<Launch>(); }))
        ctx.diag.report(DiagId::TimeLoop, s->span, "no tiles of several steps: " + why);
    }
    return mapChildren(s, [&](const Stmt& child) { return visit(child); });
  }

  /// Steps for which there are tiles.
  static std::vector<int64_t> openSteps(const TimeLoop& time) {
    std::vector<int64_t> open{1};
    for (int64_t steps : {2, 4, 8, 16, 32})
      if (chooseTile(time, steps).steps == steps) open.push_back(steps);
    return open;
  }

  Stmt tiled(const Stmt& s, const TimeLoop& time, const TileShape& tile) {
    std::string size, halo;
    for (size_t d = 0; d < tile.size.size(); ++d) {
      size += fmt::format("{}{}", d > 0 ? "x" : "", tile.size[d]);
      halo += fmt::format("{}{}+{}", d > 0 ? ", " : "", tile.before[d], tile.after[d]);
    }
    ctx.diag.report(
        DiagId::TimeLoop, s->span,
        fmt::format("{} steps at a time in tiles of {} cells, halos of {} among them: predicted to take "
                    "1/{:.1f} of the time of one sweep after the other",
                    tile.steps, size, halo, tile.gain));
    TimeTiling tiling(time, tile, s->span);
    for (const Buffer& b : tiling.buffers()) buffers.push_back(b);
    return tiling.run();
  }
};

} // namespace

Module tileTime(const Module& module, PassContext& ctx) {
  Module result = module;
  for (Function& function : result.functions) {
    Tiler tiler{ctx, function.buffers};
    const Stmt body = tiler.visit(function.body);
    if (!(body == function.body)) function.body = nameKernels(body, function.entry);
    function.buffers = std::move(tiler.buffers);
  }
  return result;
}

} // namespace appyc::schedule
