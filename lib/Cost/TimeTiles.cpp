//===- TimeTiles.cpp - which tiles several steps of a time loop take, and what they save ------------------===//
// | an H100, 2800 x 2800, f64: 1/gain of tiles               | predicted | measured |
// | jacobi_2d by five points, by swapped names; by nine      | 1.6; 1.5  | 3.4; 1.7 |
// | by a copy of the step before                             | 2.9       | 4.0      |
#include "appyc/Cost/TimeTiles.h"
#include "appyc/Cost/Device.h"
#include "appyc/IR/Rewrite.h"
#include <algorithm>
#include <set>

namespace appyc::cost {
using namespace ir;
using analysis::StateArray;
using analysis::Sweep;
using analysis::TimeLoop;

namespace {

/// Bytes that a strip takes of a thread's registers; cells in it.
constexpr int64_t kBytesOfThread = 192, kMostCells = 8, kCellsOfLine = 4;

struct Margin {
  int64_t before = 0, after = 0;
};
using Margins = std::map<Symbol, std::vector<Margin>>;

/// Where, after one more step, a tile's array is not what it should be: so many cells from its ends.
void step(const TimeLoop& time, Margins& margins) {
  for (const Sweep& sweep : time.sweeps) {
    Margins after = margins;
    for (const Sweep::Access& store : sweep.stores)
      for (size_t d = 0; d < sweep.dims.size(); ++d) {
        const int64_t to = store.offset[d];
        Margin& margin = after[store.array][d];
        margin.before = std::max(margin.before, to - sweep.dims[d].least);
        margin.after = std::max(margin.after, sweep.dims[d].most - to);
        for (const Sweep::Access& load : sweep.loads) {
          margin.before = std::max(margin.before, margins[load.array][d].before + to - load.offset[d]);
          margin.after = std::max(margin.after, margins[load.array][d].after + load.offset[d] - to);
        }
      }
    margins = std::move(after);
  }
}

/// Nanoseconds a cell and step of one sweep at a time, and in tiles.
struct Cost {
  const Device& device;
  double plain = 0, shared = 0, carried = 0;

  Cost(const Device& d, const TimeLoop& time, const TileShape& tile) : device(d) {
    std::map<Symbol, double> bytes;
    for (const StateArray& a : time.arrays) {
      bytes[a.buffer.name] = byteSize(a.buffer.type);
      if (a.writer < 0) carried += byteSize(a.buffer.type);
    }
    std::set<Symbol> acrossColumns;
    for (const Sweep& sweep : time.sweeps) {
      if (sweep.isAtPlace()) continue;
      for (const auto& [array, size] : bytes)
        plain += size * static_cast<double>(loadedBuffers(sweep.body).count(array) +
                                            storedBuffers(sweep.body).count(array));
      const std::vector<int64_t>& cell = sweep.stores.front().offset;
      std::set<std::pair<Symbol, int64_t>>
          columns; // one load of a strip's neighbours does for all of its cells
      for (const Sweep::Access& l : sweep.loads) {
        const bool across = l.offset.back() != cell.back() && l.offset.size() > 1;
        if (across) acrossColumns.insert(l.array);
        if (across && !columns.emplace(l.array, l.offset.back()).second) continue;
        // Read here, and, at a strip's end, written for this.
        shared += bytes[l.array] * (across ? 1 : 2 * ofStrip(l.offset.front() - cell.front(), tile));
      }
    }
    for (const Sweep& sweep : time.sweeps)
      for (const Sweep::Access& s : sweep.stores)
        if (!sweep.isAtPlace() && acrossColumns.count(s.array)) shared += bytes[s.array];
    plain /= device.memory;
    shared /= device.shared;
  }
  /// The part of a strip's cells whose neighbour at this distance is in another.
  static double ofStrip(int64_t distance, const TileShape& tile) {
    return std::min(1.0, static_cast<double>(std::abs(distance)) / static_cast<double>(tile.strip));
  }
  /// `cells` are in a tile for each one that it is for.
  double tiled(double cells, int64_t steps) const {
    return cells * shared + carried * (cells + 1) / device.memory / static_cast<double>(steps);
  }
};

/// How far a cell that is read is from the one that is written, at most.
int64_t farthest(const TimeLoop& time) {
  int64_t most = 0;
  for (const Sweep& sweep : time.sweeps)
    for (const Sweep::Access& l : sweep.loads)
      most = std::max(most, std::abs(l.offset.front() - sweep.stores.front().offset.front()));
  return most;
}

/// A line's steps wait for each other more than for anything else: few cells a thread, and the next thread's are
/// as far as any neighbour. A plane's tile has rows of two warps, as many as there is shared memory for.
TileShape emptyTile(const TimeLoop& time) {
  int64_t bytes = 0;
  for (const StateArray& a : time.arrays) bytes += byteSize(a.buffer.type);
  TileShape tile;
  if (time.arrays.front().buffer.extents.size() == 1) {
    const int64_t most = farthest(time);
    for (tile.strip = kCellsOfLine; tile.strip < most;) tile.strip *= 2;
    const int64_t warp = Device::warp * tile.strip;
    tile.size = {std::min<int64_t>(512, Device::sharedOfBlock / bytes / warp * warp)};
  } else {
    for (tile.strip = kMostCells; tile.strip > 2 && tile.strip * bytes > kBytesOfThread;) tile.strip /= 2;
    tile.size = {std::min<int64_t>(64, Device::sharedOfBlock / (64 * bytes) / tile.strip * tile.strip), 64};
  }
  // Registers for the strip and as many as the steps need besides.
  tile.threadsAtOnce = Device::registers / (24 + tile.strip * bytes / 4);
  return tile;
}

} // namespace

TileShape chooseTile(const TimeLoop& time, const Device& device, int64_t wanted) {
  const TileShape empty = emptyTile(time);
  const bool isLine = empty.size.size() == 1;
  const int64_t mostSteps = isLine ? 64 : 32, mostOfOwn = isLine ? 2 : 3;
  const Cost cost(device, time, empty);
  Margins margins;
  for (const StateArray& a : time.arrays) margins[a.buffer.name].resize(empty.size.size());
  TileShape best;
  for (int64_t steps = 1; steps <= mostSteps; ++steps) {
    step(time, margins);
    TileShape tile = empty;
    tile.steps = steps;
    double cells = 1;
    for (size_t d = 0; d < tile.size.size(); ++d) {
      int64_t before = 0, after = 0;
      for (const auto& [array, margin] : margins) {
        before = std::max(before, margin[d].before);
        after = std::max(after, margin[d].after);
      }
      tile.before.push_back(before);
      tile.after.push_back(after);
      if (tile.own(d) < 1 || tile.own(d) * mostOfOwn < tile.size[d]) return best;
      cells *= static_cast<double>(tile.size[d]) / static_cast<double>(tile.own(d));
    }
    // Each pass of a line costs a launch besides; of a plane there are few.
    tile.gain = cost.plain / cost.tiled(cells, steps);
    if (wanted == 0 ? tile.gain > 1.05 * best.gain || isLine : steps == wanted) best = tile;
  }
  return best;
}

} // namespace appyc::cost
