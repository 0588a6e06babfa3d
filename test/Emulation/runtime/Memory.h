//===- Memory.h - device allocations ------------------------------------------------------------------===//
#pragma once
#include "Block.h"

namespace emulation {

struct Cell;

struct Allocation {
  char* begin;
  size_t bytes;
  Cell* cells; ///< what check mode knows of each four bytes; null otherwise

  bool contains(const void* place) const { return place >= begin && place < begin + bytes; }
};
/// The allocation that holds the byte, or null.
const Allocation* findAllocation(const void* place);
/// The last one that starts at or before it, or null.
const Allocation* allocationBefore(const void* place);

} // namespace emulation
