//===- Memory.h - device allocations ------------------------------------------------------------------===//
#pragma once
#include "Block.h"
#include <map>

namespace emulation {

struct Cell;

struct Allocation {
  char* begin;
  size_t bytes;
  Cell* cells;                         ///< what check mode knows of each four bytes; null otherwise
  const void* place;                   ///< of the call that allocated it
  std::map<const char*, size_t> parts; ///< arrays in it, where it was given out in parts: begin and bytes

  bool contains(const void* at) const { return at >= begin && at < begin + bytes; }
};
/// The allocation that holds the byte, or null.
const Allocation* findAllocation(const void* place);
/// The last one that starts at or before it, or null.
const Allocation* allocationBefore(const void* place);

} // namespace emulation
