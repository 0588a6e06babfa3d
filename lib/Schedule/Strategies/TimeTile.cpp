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
#include "appyc/Loops/Loops.h"
#include <algorithm>
#include <utility>

namespace appyc::schedule {
using namespace ir;

namespace {

const Builder build{};

Expr ahead(const Symbol& index, int64_t distance) { return var(index) + distance; }

/// One iteration a thread.
Stmt ofThreads(const Symbol& index, int64_t count, Axis axis, Stmt body) {
  For loop = provenLoop(index, intConst(0), intConst(count), std::move(body));
  loop.mapping = PerLane{Scope::Block, axis, true};
  return build.make(std::move(loop));
}

/// Conditions of one dimension, of which the strictest is enough where that is known.
class Strictest {
public:
  /// `limit` <= position, or position <= limit.
  explicit Strictest(bool fromBelow) : fromBelow_(fromBelow) {}
  void add(const Expr& limit) {
    for (Expr& known : limits_) {
      const auto ahead = distance(limit, known), behind = distance(known, limit);
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

TimeTile::TimeTile(const TimeLoop& time, const TileShape& tile) : time_(time), tile_(tile) {
  for (size_t d = 0; d < rank(); ++d) {
    hints_.push_back(time.sweeps.back().dims[d].index.hint());
    origin_.emplace_back(hints_.back() + "_tile");
  }
  findPlaces();
}

/// Registers for what threads write at the cell that they are at; shared memory for what others read.
void TimeTile::findPlaces() {
  for (const StateArray& a : time_.arrays) arrays_[a.buffer.name].array = &a;
  std::set<Symbol> elsewhere;
  for (const Sweep& sweep : time_.sweeps) {
    const std::vector<int64_t>& cell = sweep.stores.front().offset;
    for (const Sweep::Access& s : sweep.stores)
      if (s.offset != cell) elsewhere.insert(s.array);
    for (const Sweep::Access& l : sweep.loads) {
      OnChip& read = arrays_[l.array];
      const int64_t rows = l.offset[0] - cell[0];
      read.acrossColumns |= rank() > 1 && l.offset[1] != cell[1];
      read.first = std::max(read.first, rows);
      read.last = std::max(read.last, -rows);
    }
  }
  const Expr strip = intConst(tile_.strip), count = intConst(strips());
  for (auto& [name, a] : arrays_) {
    const DType type = a.array->buffer.type;
    Buffer own{Symbol(name.hint() + "_own"), type, {count, strip}, true, 1};
    Buffer shared{Symbol(name.hint() + "_tile"), type, {strip, count}, true};
    if (rank() > 1) {
      own.extents.insert(own.extents.begin() + 1, intConst(tile_.size[1]));
      own.threads = 2;
      shared.extents = {intConst(tile_.size[0]), intConst(tile_.size[1])};
    }
    const bool onlyShared = elsewhere.count(name) != 0;
    if (!onlyShared) a.own = own;
    if (onlyShared || a.acrossColumns || a.first > 0 || a.last > 0) a.shared = shared;
  }
}

std::vector<Buffer> TimeTile::buffers() const {
  std::vector<Buffer> all;
  for (const auto& [name, a] : arrays_)
    for (const Buffer& b : {a.own, a.shared})
      if (b.name) all.push_back(b);
  return all;
}

//===--- a walk over the cells --------------------------------------------------------------------------===//

TimeTile::Walk TimeTile::newWalk() const {
  Walk walk{{Symbol(rank() > 1 ? "row" : "cell")}, {}, {}, {}};
  if (rank() > 1) walk.cell.push_back(column_);
  for (const std::string& hint : hints_) walk.place.emplace_back(hint);
  return walk;
}

/// `body` for all cells, which are shared out among the threads.
Stmt TimeTile::forCells(const Walk& walk, const std::vector<Stmt>& body) const {
  const auto place = [&](size_t d) {
    return build.assign(walk.place[d], add(var(origin_[d]), var(walk.cell[d]) - tile_.before[d]));
  };
  std::vector<Stmt> all{build.assign(walk.cell[0], add(var(strip_) * tile_.strip, var(k_)))};
  for (size_t d = 0; d < rank(); ++d) all.push_back(place(d));
  all.insert(all.end(), walk.neighboursAre.begin(), walk.neighboursAre.end());
  all.insert(all.end(), body.begin(), body.end());
  const Stmt ofThread = loops::unrolledInAnyOrder(build, k_, intConst(tile_.strip), block(std::move(all)));
  if (rank() == 1) return ofThreads(strip_, strips(), Axis::X, ofThread);
  return ofThreads(strip_, strips(), Axis::Y, ofThreads(column_, tile_.size[1], Axis::X, ofThread));
}

/// The row, column or strip at a distance; behind the last one comes the first: what is there is shared where
/// what should be there is, and nobody writes it while a neighbour is read.
Expr TimeTile::neighbour(Walk& walk, const Symbol& from, int64_t count, int64_t distance) const {
  if (distance == 0) return var(from);
  Symbol& name = walk.neighbours[{from, distance}];
  if (!name) {
    const bool isBefore = distance < 0;
    name = Symbol(isBefore ? "before" : "after");
    if (rank() > 1 && from == walk.cell[0]) name = Symbol(isBefore ? "above" : "below");
    const Expr there = ahead(from, distance);
    const Expr isThere = isBefore ? there >= 0 : there < count;
    walk.neighboursAre.push_back(
        build.assign(name, select(isThere, there, ahead(from, distance + (isBefore ? count : -count)))));
  }
  return var(name);
}
Expr TimeTile::rowAt(Walk& walk, int64_t distance) const {
  return neighbour(walk, walk.cell[0], tile_.size[0], distance);
}
Expr TimeTile::columnAt(Walk& walk, int64_t distance) const {
  return neighbour(walk, column_, tile_.size[1], distance);
}

std::vector<Expr> TimeTile::sharedAt(const Walk& walk) const {
  if (rank() == 1) return {var(k_), var(strip_)}; // neighbouring threads, neighbouring elements
  return {var(walk.cell[0]), var(column_)};
}
std::vector<Expr> TimeTile::ownAt(int64_t distance) const {
  std::vector<Expr> at{var(strip_)};
  if (rank() > 1) at.push_back(var(column_));
  at.push_back(ahead(k_, distance));
  return at;
}

/// An element of another strip of the same column.
Expr TimeTile::loadFromNextStrip(Walk& walk, const OnChip& array, int64_t distance) const {
  if (rank() > 1) return ir::load(array.shared, {rowAt(walk, distance), var(column_)});
  const int64_t side = distance < 0 ? -1 : 1;
  const Expr strip = neighbour(walk, strip_, strips(), side);
  return ir::load(array.shared, {ahead(k_, distance - side * tile_.strip), strip});
}

Expr TimeTile::loadAt(Walk& walk, const OnChip& array, const std::vector<int64_t>& distance) const {
  const int64_t rows = distance[0];
  if (rank() > 1 && distance[1] != 0)
    return ir::load(array.shared, {rowAt(walk, rows), columnAt(walk, distance[1])});
  if (rank() > 1 && !array.own.name) return ir::load(array.shared, {rowAt(walk, rows), var(column_)});
  const Expr k = ahead(k_, rows);
  const Expr here =
      array.own.name ? ir::load(array.own, ownAt(rows)) : ir::load(array.shared, {k, var(strip_)});
  if (rows == 0) return here;
  const Expr inStrip = rows < 0 ? k >= 0 : k < tile_.strip;
  return select(inStrip, here, loadFromNextStrip(walk, array, rows));
}

/// A thread's new value goes to where others read it.
Stmt TimeTile::share(const Walk& walk, const OnChip& array) const {
  if (!array.shared.name) return block({});
  const Stmt all = build.store(array.shared, sharedAt(walk), ir::load(array.own, ownAt(0)));
  if (array.acrossColumns || array.first + array.last >= tile_.strip) return all;
  const Expr first = var(k_) < array.first, last = var(k_) >= tile_.strip - array.last;
  return build.when(array.last == 0 ? first : array.first == 0 ? last : either(first, last), {all});
}

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
    const Expr first = var(origin_[d]) - tile_.before[d],
               end = ahead(origin_[d], tile_.size[d] - tile_.before[d]);
    Expr apart;
    for (const Sweep& sweep : time_.sweeps) {
      const Sweep::Dim& dim = sweep.dims[d];
      const Expr offset = intConst(sweep.stores.front().offset[d]), lo = add(dim.lo, offset);
      if (!dim.fixed) {
        least.add(add(lo, intConst(tile_.before[d])));
        most.add(add(dim.hi, offset));
      } else if (constantInt(lo)) {
        least.add(add(lo, intConst(tile_.before[d] + 1)));
      } else if (distance(lo, shape()[d])) {
        most.add(lo);
      } else {
        apart = both(apart, either(lo < first, lo >= end));
      }
    }
    all = most.on(end, least.on(var(origin_[d]), all));
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
static bool isAtPlace(const Sweep& sweep) {
  return std::any_of(sweep.dims.begin(), sweep.dims.end(), [](const auto& d) { return d.fixed; });
}
/// By a sweep that no tile inside meets; others write all of such a tile.
bool TimeTile::isWrittenAtPlace(const StateArray& a) const {
  return isAtPlace(time_.sweeps[static_cast<size_t>(a.writer)]);
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

Stmt TimeTile::load(const Copies& from) const {
  const Walk walk = newWalk();
  std::vector<Stmt> body;
  for (const auto& [name, a] : arrays_) {
    const bool isCarried = a.array->writer < 0, isEmpty = !isCarried && !isWrittenAtPlace(*a.array);
    Expr needed = exists(walk);
    if (!isCarried) needed = both(needed, isNot(isWritten(*a.array, walk)));
    needed = isEmpty ? both(isNot(inside()), needed) : either(inside(), needed);
    const Expr value =
        select(needed, ir::load(from.at(name), at(walk.place)), constOf(a.array->buffer.type, 0));
    if (!a.own.name) {
      body.push_back(build.store(a.shared, sharedAt(walk), value));
      continue;
    }
    body.push_back(build.store(a.own, ownAt(0), value));
    if (!a.shared.name) continue;
    body.push_back(isEmpty ? build.when(isNot(inside()), {share(walk, a)}) : share(walk, a));
  }
  return forCells(walk, std::move(body));
}

Stmt TimeTile::store(const Steps& steps, const Copies& to) const {
  const Walk walk = newWalk();
  Expr isOwn, isThere;
  for (size_t d = 0; d < rank(); ++d) {
    const Expr cell = var(walk.cell[d]);
    if (tile_.before[d] > 0) isOwn = both(isOwn, cell >= tile_.before[d]);
    if (tile_.after[d] > 0) isOwn = both(isOwn, cell < tile_.size[d] - tile_.after[d]);
    isThere = both(isThere, var(walk.place[d]) < shape()[d]);
  }
  std::vector<Stmt> copies;
  for (const auto& [name, a] : arrays_) {
    const Expr value = a.own.name ? ir::load(a.own, ownAt(0)) : ir::load(a.shared, sharedAt(walk));
    const Stmt copy = build.store(to.at(name), at(walk.place), value);
    if (a.array->writer < 0) {
      copies.push_back(copy);
      continue;
    }
    const Expr isLast = ne(var(steps.last), 0), here = isWritten(*a.array, walk);
    const Expr isNew = isWrittenAtPlace(*a.array) ? both(isNot(inside()), here) : either(inside(), here);
    copies.push_back(build.when(both(isLast, isNew), {copy}));
  }
  return forCells(walk, {build.when(both(isOwn, either(inside(), isThere)), std::move(copies))});
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
        if (l && !arrays_.count(l->buffer))
          for (const Expr& i : l->index) straight &= !mentionsAny(i, indices);
        return straight;
      });
  return straight;
}

/// Writes to the cell at a distance, if the tile has it, where `reached` is true or not given.
Stmt TimeTile::writeAway(const Walk& walk, const OnChip& array, const std::vector<int64_t>& by, Expr value,
                         const Symbol& reached) const {
  Expr inTile;
  std::vector<Expr> where;
  for (size_t d = 0; d < rank(); ++d) {
    where.push_back(ahead(walk.cell[d], by[d]));
    if (by[d] < 0) inTile = both(inTile, where[d] >= 0);
    if (by[d] > 0) inTile = both(inTile, where[d] < tile_.size[d]);
  }
  if (rank() == 1) where = {mod(where[0], tile_.strip), floorDiv(where[0], tile_.strip)};
  if (reached) inTile = both(inTile, var(reached, DType::Bool));
  const Stmt store = build.store(array.shared, std::move(where), std::move(value));
  return inTile ? build.when(inTile, {store}) : store;
}

Stmt TimeTile::advance(const Sweep& sweep, const Symbol& step) const {
  Walk walk = newWalk();
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
        const OnChip& a = arrays_.at(st->buffer);
        if (!a.own.name)
          return writeAway(walk, a, fromCell(st->buffer, st->index), st->value,
                           anywhere ? reached : Symbol());
        const std::vector<Expr> own = ownAt(0);
        if (!anywhere)
          return block({makeStmt(s->span, Store{a.own.name, own, st->value, {}}), share(walk, a)});
        const Symbol value("value");
        const Expr kept = select(var(reached, DType::Bool), var(value, a.own.type), ir::load(a.own, own));
        return block(
            {makeStmt(s->span, Assign{value, st->value}), build.store(a.own, own, kept), share(walk, a)});
      },
      [&](const Expr& e) -> Expr {
        const auto* l = e.as<Load>();
        const auto known = l ? arrays_.find(l->buffer) : arrays_.end();
        return known == arrays_.end() ? Expr() : loadAt(walk, known->second, fromCell(l->buffer, l->index));
      });
  std::map<Symbol, Expr> names{{time_.loop->index, var(step)}};
  for (size_t d = 0; d < rank(); ++d) names[sweep.dims[d].index] = var(walk.place[d]) - cell[d];
  const Expr reaches = inSweep(sweep, walk.place, cell),
             here = isAtPlace(sweep) ? both(isNot(inside()), reaches) : either(inside(), reaches);
  const Stmt inTile = substitute(body, names);
  return forCells(walk, anywhere ? std::vector{build.assign(reached, here), inTile}
                                 : std::vector{build.when(here, {inTile})});
}

Launch TimeTile::launch(const Steps& steps, const Copies& from, const Copies& to) const {
  Launch pass;
  pass.name = time_.kernel;
  for (size_t axis = 0; axis < 3; ++axis) {
    const size_t d = rank() - 1 - axis;
    pass.shape.grid[axis] = axis < rank() ? ceilDiv(shape()[d], intConst(tile_.own(d))) : intConst(1);
  }
  pass.shape.block[0] = static_cast<int>(rank() == 1 ? strips() : tile_.size[1]);
  pass.shape.block[1] = static_cast<int>(rank() == 1 ? 1 : strips());
  const int threads = pass.shape.block[0] * pass.shape.block[1];
  pass.shape.threadsAtOnce = std::max(static_cast<int>(tile_.threadsAtOnce) / threads, 1) * threads;
  std::vector<Stmt> body;
  for (const Buffer& b : buffers()) body.push_back(build.make(Alloc{b, true}));
  body.push_back(build.assign(inside_, isInside()));
  body.push_back(load(from));
  body.push_back(advance(steps));
  body.push_back(store(steps, to));
  pass.body = block(std::move(body));
  for (size_t d = rank(); d-- > 0;) {
    For tiles = serialLoop(origin_[d], intConst(0), shape()[d], intConst(tile_.own(d)), pass.body);
    tiles.mapping = d + 1 == rank() ? PerBlock{.unswitched = inside_} : PerBlock{.axis = Axis::Y};
    pass.body = build.make(std::move(tiles));
  }
  return pass;
}

} // namespace appyc::schedule
