//===- TimeTile.cpp - the kernel that takes several steps on a tile ----------------------------------===//
// For arrays A, which comes from the step before, and B, of which only the edge does:
//   for each tile (grid):
//     A_own = A; A_tile = A_own; B_own = B outside of what is written
//     for step in range(steps): the sweeps, on all cells of the tile
//     A_next = A_own, own cells; in the last pass B = B_own, own cells that are written
// Cells near a tile's ends are wrong after some steps, which is what the halo is for: own cells never read
// them. Tiles that no sweep ends in are compiled apart: they test nothing. In the others a cell that a sweep
// does not reach is computed, too, and keeps what it had: no thread waits for another's branch.
#include "TimeTile.h"
#include "Units.h"
#include "appyc/Loops/Loops.h"
#include <algorithm>
#include <utility>

namespace appyc::schedule {
using namespace ir;

namespace {

const Builder build{};

/// Conditions of one dimension, of which the strictest is enough where that is known.
class Strictest {
public:
  /// `limit` <= position, or position <= limit.
  explicit Strictest(bool fromBelow) : fromBelow_(fromBelow) {}
  void add(const Expr& limit) {
    for (Expr& known : limits_) {
      const auto ahead = analysis::distance(limit, known), behind = analysis::distance(known, limit);
      if (!ahead && !behind) continue;
      if ((fromBelow_ ? 1 : -1) * ahead.value_or(-behind.value_or(0)) > 0) known = limit;
      return;
    }
    limits_.push_back(limit);
  }
  Expr on(const Expr& position, Expr others) const {
    for (const Expr& limit : limits_)
      if (!fromBelow_ || !isConst(limit, 0)) // nothing is below 0
        others = both(others, fromBelow_ ? position >= limit : position <= limit);
    return others;
  }

private:
  bool fromBelow_;
  std::vector<Expr> limits_;
};

} // namespace

//===--- conditions -------------------------------------------------------------------------------------===//

Expr TimeTile::inside() const { return var(inside_, DType::Bool); }

/// Whether all of the tile's cells exist and each sweep reaches all of them, or, where it stays at one place,
/// none.
Expr TimeTile::isInside() const {
  Expr all;
  for (size_t d = 0; d < rank(); ++d) {
    Strictest least(true), most(false);
    least.add(intConst(tile_.before[d]));
    most.add(shape()[d]);
    const Expr first = var(places_.origin(d)) - tile_.before[d],
               end = var(places_.origin(d)) + (tile_.size[d] - tile_.before[d]);
    Expr apart;
    for (const Sweep& sweep : time_.sweeps) {
      const Sweep::Dim& dim = sweep.dims[d];
      const Expr offset = intConst(sweep.stores.front().offset[d]), lo = add(dim.lo, offset);
      if (!dim.fixed) {
        least.add(add(lo, intConst(tile_.before[d])));
        most.add(add(dim.hi, offset));
      } else if (constantInt(lo)) {
        least.add(add(lo, intConst(tile_.before[d] + 1)));
      } else if (analysis::distance(lo, shape()[d])) {
        most.add(lo);
      } else {
        apart = both(apart, either(lo < first, lo >= end));
      }
    }
    all = most.on(end, least.on(var(places_.origin(d)), all));
    if (apart) all = both(all, apart);
  }
  return all;
}

Expr TimeTile::exists(const Walk& walk) const {
  Expr all;
  for (size_t d = 0; d < rank(); ++d)
    all = both(both(all, var(walk.place[d]) >= 0), var(walk.place[d]) < shape()[d]);
  return all;
}

/// Whether `place` is one that the sweep writes, at `offset` from its indices.
Expr TimeTile::inSweep(const Sweep& sweep, const std::vector<Symbol>& place,
                       const std::vector<int64_t>& offset) const {
  Expr all;
  for (size_t d = 0; d < rank(); ++d) {
    const Sweep::Dim& dim = sweep.dims[d];
    const Expr lo = add(dim.lo, intConst(offset[d])), hi = add(dim.hi, intConst(offset[d]));
    all = dim.fixed ? both(all, eq(var(place[d]), lo))
                    : both(both(all, var(place[d]) >= lo), var(place[d]) < hi);
  }
  return all;
}
/// By a sweep that no tile inside meets; others write all of such a tile.
bool TimeTile::isWrittenAtPlace(const StateArray& a) const {
  return time_.sweeps[static_cast<size_t>(a.writer)].isAtPlace();
}
Expr TimeTile::isWritten(const StateArray& a, const Walk& walk) const {
  return inSweep(time_.sweeps[static_cast<size_t>(a.writer)], walk.place, a.writerOffset);
}

//===--- load, steps, store -----------------------------------------------------------------------------===//

static std::vector<Expr> at(const std::vector<Symbol>& index) {
  std::vector<Expr> all;
  for (const Symbol& s : index) all.push_back(var(s));
  return all;
}

Stmt TimeTile::load(const Steps& steps, const Copies& from) const {
  const Walk walk = places_.newWalk();
  std::vector<Stmt> body;
  for (const auto& [name, a] : places_.arrays()) {
    const bool isCarried = a.array->writer < 0, isEmpty = !isCarried && !isWrittenAtPlace(*a.array);
    Expr needed = exists(walk);
    if (!isCarried) needed = both(needed, isNot(isWritten(*a.array, walk)));
    needed = isEmpty ? both(isNot(inside()), needed) : either(inside(), needed);
    if (isCarried && a.array->isNew) needed = both(ne(var(steps.begun), 0), needed);
    const Expr none = constOf(a.array->buffer.type, 0);
    const Expr value =
        !isCarried && a.array->isNew ? none : select(needed, ir::load(from.at(name), at(walk.place)), none);
    if (!a.own.name) {
      body.push_back(build.store(a.shared, places_.sharedAt(walk), value));
      continue;
    }
    body.push_back(build.store(a.own, places_.ownAt(0), value));
    if (!a.shared.name) continue;
    body.push_back(isEmpty ? build.when(isNot(inside()), {places_.share(walk, a)}) : places_.share(walk, a));
  }
  return places_.forCells(walk, std::move(body));
}

Stmt TimeTile::store(const Steps& steps, const Copies& to) const {
  const Walk walk = places_.newWalk();
  Expr isOwn, isThere;
  for (size_t d = 0; d < rank(); ++d) {
    const Expr cell = var(walk.cell[d]);
    if (tile_.before[d] > 0) isOwn = both(isOwn, cell >= tile_.before[d]);
    if (tile_.after[d] > 0) isOwn = both(isOwn, cell < tile_.size[d] - tile_.after[d]);
    const Expr place = time_.wraps[d] ? places_.placeWithoutEnd(walk, d) : var(walk.place[d]);
    isThere = both(isThere, place < shape()[d]);
  }
  std::vector<Stmt> copies;
  for (const auto& [name, a] : places_.arrays()) {
    const Expr value =
        a.own.name ? ir::load(a.own, places_.ownAt(0)) : ir::load(a.shared, places_.sharedAt(walk));
    const Stmt copy = build.store(to.at(name), at(walk.place), value);
    if (a.array->isTemporary) continue;
    if (a.array->writer < 0) {
      copies.push_back(copy);
      continue;
    }
    const Expr isLast = ne(var(steps.last), 0), here = isWritten(*a.array, walk);
    const Expr isNew = isWrittenAtPlace(*a.array) ? both(isNot(inside()), here) : either(inside(), here);
    copies.push_back(build.when(both(isLast, isNew), {copy}));
  }
  return places_.forCells(walk, {build.when(both(isOwn, either(inside(), isThere)), std::move(copies))});
}

Stmt TimeTile::advance(const Steps& steps) const {
  const Symbol step("step"), index(time_.loop->index.hint());
  std::vector<Stmt> body;
  if (steps.first) body.push_back(build.assign(index, add(var(steps.first), var(step) * time_.loop->step)));
  for (const Sweep& sweep : time_.sweeps) body.push_back(advance(sweep, index));
  return build.inOrder(step, intConst(0), var(steps.count), block(std::move(body)));
}

/// Whether the sweep's statements may run at cells that it does not reach: there they touch the tile alone.
bool TimeTile::mayRunAnywhere(const Sweep& sweep) const {
  std::set<Symbol> indices;
  for (const Sweep::Dim& d : sweep.dims)
    if (d.fixed)
      return false; // which would be nearly all of them
    else
      indices.insert(d.index);
  for (const Sweep::Access& s : sweep.stores)
    for (const Sweep::Access& l : sweep.loads)
      if (s.array == l.array && s.offset != l.offset) return false; // which another thread would write
  bool straight = true;
  visit(
      sweep.body, [&](const Stmt& s) { return straight &= s.is<Block>() || s.is<Assign>() || s.is<Store>(); },
      [&](const Expr& e) {
        const auto* l = e.as<Load>();
        if (l && !places_.arrays().count(l->buffer))
          for (const Expr& i : l->index) straight &= !mentionsAny(i, indices);
        return straight;
      });
  return straight;
}

Stmt TimeTile::advance(const Sweep& sweep, const Symbol& step) const {
  Walk walk = places_.newWalk();
  const std::vector<int64_t>& cell = sweep.stores.front().offset;
  const auto fromCell = [&](const Symbol& array, const std::vector<Expr>& subscripts) {
    std::vector<int64_t> by = sweep.accessOf(array, subscripts).offset;
    for (size_t d = 0; d < rank(); ++d) by[d] -= cell[d];
    return by;
  };
  const bool anywhere = mayRunAnywhere(sweep);
  const Symbol reached("reached");
  const Stmt body = rewrite(
      sweep.body,
      [&](const Stmt& s) -> Stmt {
        const auto* st = s.as<Store>();
        if (!st) return {};
        const OnChip& a = places_.arrays().at(st->buffer);
        if (!a.own.name)
          return places_.writeAway(walk, a, fromCell(st->buffer, st->index), st->value,
                                   anywhere ? reached : Symbol());
        const std::vector<Expr> own = places_.ownAt(0);
        if (!anywhere)
          return block({makeStmt(s->span, Store{a.own.name, own, st->value, {}}), places_.share(walk, a)});
        const Symbol value("value");
        const Expr kept = select(var(reached, DType::Bool), var(value, a.own.type), ir::load(a.own, own));
        return block({makeStmt(s->span, Assign{value, st->value}), build.store(a.own, own, kept),
                      places_.share(walk, a)});
      },
      [&](const Expr& e) -> Expr {
        const auto* l = e.as<Load>();
        const auto known = l ? places_.arrays().find(l->buffer) : places_.arrays().end();
        return known == places_.arrays().end()
                   ? Expr()
                   : places_.loadAt(walk, known->second, fromCell(l->buffer, l->index));
      });
  std::map<Symbol, Expr> names{{time_.loop->index, var(step)}};
  for (size_t d = 0; d < rank(); ++d) names[sweep.dims[d].index] = var(walk.place[d]) - cell[d];
  const Expr reaches = inSweep(sweep, walk.place, cell),
             here = sweep.isAtPlace() ? both(isNot(inside()), reaches) : either(inside(), reaches);
  const Stmt inTile = substitute(body, names);
  return places_.forCells(walk, anywhere ? std::vector{build.assign(reached, here), inTile}
                                         : std::vector{build.when(here, {inTile})});
}

Launch TimeTile::launch(const Steps& steps, const Copies& from, const Copies& to) const {
  Launch pass;
  pass.name = time_.kernel;
  for (size_t axis = 0; axis < 3; ++axis) {
    const size_t d = rank() - 1 - axis;
    pass.shape.grid[axis] =
        axis < rank() ? clampBlocks(ceilDiv(shape()[d], intConst(tile_.own(d)))) : intConst(1);
  }
  pass.shape.block[0] = static_cast<int>(rank() == 1 ? places_.strips() : tile_.size[1]);
  pass.shape.block[1] = static_cast<int>(rank() == 1 ? 1 : places_.strips());
  const int threads = pass.shape.block[0] * pass.shape.block[1];
  pass.shape.threadsAtOnce = std::max(static_cast<int>(tile_.threadsAtOnce) / threads, 1) * threads;
  std::vector<Stmt> body;
  for (const Buffer& b : places_.buffers()) body.push_back(build.make(Alloc{b, true}));
  body.push_back(build.assign(inside_, isInside()));
  body.push_back(load(steps, from));
  body.push_back(advance(steps));
  body.push_back(store(steps, to));
  pass.body = block(std::move(body));
  for (size_t d = rank(); d-- > 0;) {
    For tiles = serialLoop(places_.origin(d), intConst(0), shape()[d], intConst(tile_.own(d)), pass.body);
    tiles.mapping = d + 1 == rank() ? PerBlock{.unswitched = inside_} : PerBlock{.axis = Axis::Y};
    pass.body = build.make(std::move(tiles));
  }
  return pass;
}

} // namespace appyc::schedule
