//===- TimeTiles.h - which tiles several steps of a time loop take, and what they save ----------------------===//
#pragma once
#include "appyc/Analysis/Sweeps.h"

namespace appyc::cost {
struct Device;

struct TileShape {
  std::vector<int64_t> size;          ///< cells, halos included
  int64_t strip = 1;                  ///< cells of a thread, along the first dimension
  int64_t threadsAtOnce = 0;          ///< that a multiprocessor has registers for
  std::vector<int64_t> before, after; ///< halo
  int64_t steps = 0;                  ///< a pass over memory; 0: there is no such tile
  double gain = 0;                    ///< time of a sweep at a time, by that of tiles
  int64_t own(size_t d) const { return size[d] - before[d] - after[d]; }
};
/// The best tile in 48 KB of shared memory, or, where `steps` are given, the one for them; none if their halo
/// is too wide.
TileShape chooseTile(const analysis::TimeLoop& time, const Device& device, int64_t steps = 0);

} // namespace appyc::cost
