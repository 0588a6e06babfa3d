//===- TilePlaces.cpp - where the cells of a tile are: registers, shared memory ---------------------------===//
#include "TilePlaces.h"
#include "appyc/Loops/Loops.h"
#include <algorithm>
#include <utility>

namespace appyc::schedule {
using namespace ir;

namespace {

const Builder unspanned{};

Expr ahead(const Symbol& index, int64_t distance) { return var(index) + distance; }

/// One iteration a thread.
Stmt ofThreads(const Symbol& index, int64_t count, Axis axis, Stmt body) {
  For loop = provenLoop(index, intConst(0), intConst(count), std::move(body));
  loop.mapping = PerLane{Scope::Block, axis, true};
  return unspanned.make(std::move(loop));
}

} // namespace

TilePlaces::TilePlaces(const TimeLoop& time, const TileShape& tile, Symbol inside)
    : time_(time), tile_(tile), inside_(std::move(inside)) {
  for (size_t d = 0; d < rank(); ++d) {
    hints_.push_back(time.sweeps.back().dims[d].index.hint());
    origin_.emplace_back(hints_.back() + "_tile");
  }
  findPlaces();
}

/// Registers for what threads write at the cell that they are at; shared memory for what others read.
void TilePlaces::findPlaces() {
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

std::vector<Buffer> TilePlaces::buffers() const {
  std::vector<Buffer> all;
  for (const auto& [name, a] : arrays_)
    for (const Buffer& b : {a.own, a.shared})
      if (b.name) all.push_back(b);
  return all;
}

//===--- a walk over the cells --------------------------------------------------------------------------===//

TilePlaces::Walk TilePlaces::newWalk() const {
  Walk walk{{Symbol(rank() > 1 ? "row" : "cell")}, {}, {}, {}};
  if (rank() > 1) walk.cell.push_back(column_);
  for (const std::string& hint : hints_) walk.place.emplace_back(hint);
  return walk;
}

Expr TilePlaces::placeWithoutEnd(const Walk& walk, size_t d) const {
  return add(var(origin_[d]), var(walk.cell[d]) - tile_.before[d]);
}

/// `body` for all cells, which are shared out among the threads.
Stmt TilePlaces::forCells(const Walk& walk, const std::vector<Stmt>& body) const {
  const auto place = [&](size_t d) {
    Expr at = placeWithoutEnd(walk, d);
    if (time_.wraps[d])
      at = select(var(inside_, DType::Bool), at, mod(at, time_.arrays.front().buffer.extents[d]));
    return unspanned.assign(walk.place[d], at);
  };
  std::vector<Stmt> all{unspanned.assign(walk.cell[0], add(var(strip_) * tile_.strip, var(k_)))};
  for (size_t d = 0; d < rank(); ++d) all.push_back(place(d));
  all.insert(all.end(), walk.neighboursAre.begin(), walk.neighboursAre.end());
  all.insert(all.end(), body.begin(), body.end());
  const Stmt ofThread =
      loops::unrolledInAnyOrder(unspanned, k_, intConst(tile_.strip), block(std::move(all)));
  if (rank() == 1) return ofThreads(strip_, strips(), Axis::X, ofThread);
  return ofThreads(strip_, strips(), Axis::Y, ofThreads(column_, tile_.size[1], Axis::X, ofThread));
}

/// The row, column or strip at a distance; behind the last one comes the first: what is there is shared where
/// what should be there is, and nobody writes it while a neighbour is read.
Expr TilePlaces::neighbour(Walk& walk, const Symbol& from, int64_t count, int64_t distance) const {
  if (distance == 0) return var(from);
  Symbol& name = walk.neighbours[{from, distance}];
  if (!name) {
    const bool isBefore = distance < 0;
    name = Symbol(isBefore ? "before" : "after");
    if (rank() > 1 && from == walk.cell[0]) name = Symbol(isBefore ? "above" : "below");
    const Expr there = ahead(from, distance);
    const Expr isThere = isBefore ? there >= 0 : there < count;
    walk.neighboursAre.push_back(
        unspanned.assign(name, select(isThere, there, ahead(from, distance + (isBefore ? count : -count)))));
  }
  return var(name);
}
Expr TilePlaces::rowAt(Walk& walk, int64_t distance) const {
  return neighbour(walk, walk.cell[0], tile_.size[0], distance);
}
Expr TilePlaces::columnAt(Walk& walk, int64_t distance) const {
  return neighbour(walk, column_, tile_.size[1], distance);
}

std::vector<Expr> TilePlaces::sharedAt(const Walk& walk) const {
  if (rank() == 1) return {var(k_), var(strip_)}; // neighbouring threads, neighbouring elements
  return {var(walk.cell[0]), var(column_)};
}
std::vector<Expr> TilePlaces::ownAt(int64_t distance) const {
  std::vector<Expr> at{var(strip_)};
  if (rank() > 1) at.push_back(var(column_));
  at.push_back(ahead(k_, distance));
  return at;
}

/// An element of another strip of the same column.
Expr TilePlaces::loadFromNextStrip(Walk& walk, const OnChip& array, int64_t distance) const {
  if (rank() > 1) return ir::load(array.shared, {rowAt(walk, distance), var(column_)});
  const int64_t side = distance < 0 ? -1 : 1;
  const Expr strip = neighbour(walk, strip_, strips(), side);
  return ir::load(array.shared, {ahead(k_, distance - side * tile_.strip), strip});
}

Expr TilePlaces::loadAt(Walk& walk, const OnChip& array, const std::vector<int64_t>& distance) const {
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
Stmt TilePlaces::share(const Walk& walk, const OnChip& array) const {
  if (!array.shared.name) return block({});
  const Stmt all = unspanned.store(array.shared, sharedAt(walk), ir::load(array.own, ownAt(0)));
  if (array.acrossColumns || array.first + array.last >= tile_.strip) return all;
  const Expr first = var(k_) < array.first, last = var(k_) >= tile_.strip - array.last;
  return unspanned.when(array.last == 0 ? first : array.first == 0 ? last : either(first, last), {all});
}

/// Writes to the cell at a distance, if the tile has it, where `reached` is true or not given.
Stmt TilePlaces::writeAway(const Walk& walk, const OnChip& array, const std::vector<int64_t>& by, Expr value,
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
  const Stmt store = unspanned.store(array.shared, std::move(where), std::move(value));
  return inTile ? unspanned.when(inTile, {store}) : store;
}

} // namespace appyc::schedule
