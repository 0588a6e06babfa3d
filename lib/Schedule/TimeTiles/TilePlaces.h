//===- TilePlaces.h - where the cells of a tile are: registers, shared memory ------------------------------===//
#pragma once
#include "appyc/Cost/TimeTiles.h"
#include "appyc/IR/Dsl.h"
#include <map>
#include <string>
#include <vector>

namespace appyc::schedule {
using analysis::StateArray;
using analysis::Sweep;
using analysis::TimeLoop;
using cost::TileShape;

/// A block has a tile, a thread of it a strip of cells along the first dimension:
///   two dimensions: rows strip * R + k of one column; one dimension: cells strip * R + k.
/// A thread keeps its cells in registers; what other threads read is in shared memory, too. All threads do the
/// same, at every cell of the tile: where the tile ends, a neighbour is a cell at its other end.
class TilePlaces {
public:
  /// `inside`: the name of what tells whether all cells of the tile lie in the arrays.
  TilePlaces(const TimeLoop& time, const TileShape& tile, Symbol inside);

  /// Where a state array is: in the registers of a thread, in shared memory or in both.
  struct OnChip {
    const StateArray* array = nullptr;
    ir::Buffer own;              ///< [threads..., cells of one]; without a name: in shared memory alone
    ir::Buffer shared;           ///< without a name: no thread reads another's
    bool acrossColumns = false;  ///< is read by the threads beside
    int64_t first = 0, last = 0; ///< or, of each strip, so many cells by the threads of the strips around it
  };
  /// The names of one walk over a tile's cells, new for each, as all but loop indices are assigned once.
  struct Walk {
    std::vector<Symbol> cell, place;                         ///< by dimension: in the tile; in the arrays
    std::map<std::pair<Symbol, int64_t>, Symbol> neighbours; ///< by the row, column or strip, and distance
    std::vector<ir::Stmt> neighboursAre;
  };

  const std::map<Symbol, OnChip>& arrays() const { return arrays_; }
  std::vector<ir::Buffer> buffers() const;
  /// By dimension: the first own cell of a tile.
  const Symbol& origin(size_t d) const { return origin_[d]; }
  int64_t strips() const { return tile_.size[0] / tile_.strip; }

  Walk newWalk() const;
  /// Where a cell of the walk would be in arrays without end.
  ir::Expr placeWithoutEnd(const Walk& walk, size_t d) const;
  ir::Stmt forCells(const Walk& walk, const std::vector<ir::Stmt>& body) const;
  /// The cell that a thread is at, or one at a distance along the strip; in registers, in shared memory.
  std::vector<ir::Expr> ownAt(int64_t distance) const;
  std::vector<ir::Expr> sharedAt(const Walk& walk) const;
  ir::Expr loadAt(Walk& walk, const OnChip& array, const std::vector<int64_t>& distance) const;
  ir::Stmt share(const Walk& walk, const OnChip& array) const;
  ir::Stmt writeAway(const Walk& walk, const OnChip& array, const std::vector<int64_t>& by, ir::Expr value,
                     const Symbol& reached) const;

private:
  size_t rank() const { return tile_.size.size(); }
  void findPlaces();
  ir::Expr neighbour(Walk& walk, const Symbol& from, int64_t count, int64_t distance) const;
  ir::Expr rowAt(Walk& walk, int64_t distance) const;
  ir::Expr columnAt(Walk& walk, int64_t distance) const;
  ir::Expr loadFromNextStrip(Walk& walk, const OnChip& array, int64_t distance) const;

  const TimeLoop& time_;
  const TileShape& tile_;
  Symbol inside_;
  std::vector<Symbol> origin_;
  std::vector<std::string> hints_;
  Symbol strip_{"strip"}, column_{"column"}, k_{"k"};
  std::map<Symbol, OnChip> arrays_;
};

} // namespace appyc::schedule
