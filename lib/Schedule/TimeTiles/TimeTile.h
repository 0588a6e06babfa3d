//===- TimeTile.h - the kernel that takes several steps on a tile ------------------------------------===//
#pragma once
#include "TilePlaces.h"

namespace appyc::schedule {

/// The kernel that takes several steps on each tile; where its cells are, TilePlaces.h tells.
class TimeTile {
public:
  TimeTile(const TimeLoop& time, const TileShape& tile)
      : time_(time), tile_(tile), places_(time, tile, inside_) {}

  struct Steps {
    Symbol count, last;
    Symbol first; ///< index of the first step; empty where the steps do not ask
    Symbol begun; ///< 0 in the first pass of all; empty where no array is new that comes from the step before
  };
  /// Arrays in the place of those that the steps change, by name.
  using Copies = std::map<Symbol, ir::Buffer>;
  /// One pass over memory.
  ir::Launch launch(const Steps& steps, const Copies& from, const Copies& to) const;

  std::vector<ir::Buffer> buffers() const { return places_.buffers(); } ///< on chip

private:
  using OnChip = TilePlaces::OnChip;
  using Walk = TilePlaces::Walk;
  size_t rank() const { return tile_.size.size(); }
  const std::vector<ir::Expr>& shape() const { return time_.arrays.front().buffer.extents; }
  ir::Expr inside() const;
  ir::Expr isInside() const;
  ir::Expr exists(const Walk& walk) const;
  ir::Expr inSweep(const Sweep& sweep, const std::vector<Symbol>& place,
                   const std::vector<int64_t>& offset) const;
  bool isWrittenAtPlace(const StateArray& array) const;
  ir::Expr isWritten(const StateArray& array, const Walk& walk) const;

  ir::Stmt load(const Steps& steps, const Copies& from) const;
  ir::Stmt store(const Steps& steps, const Copies& to) const;
  ir::Stmt advance(const Steps& steps) const;
  ir::Stmt advance(const Sweep& sweep, const Symbol& index) const;
  bool mayRunAnywhere(const Sweep& sweep) const;

  const TimeLoop& time_;
  const TileShape& tile_;
  Symbol inside_{"inside"};
  TilePlaces places_;
};

} // namespace appyc::schedule
