//===- Modules.h - the memory of loaded modules, as the dynamic loader knows it -----------------------===//
#pragma once
#include <cstddef>
#include <string>
#include <vector>

namespace emulation {

struct Range {
  char* begin = nullptr;
  size_t bytes = 0;
  bool contains(const void* place) const { return place >= begin && place < begin + bytes; }
};

/// The calling OS thread's copy of the thread_local variables of the module that holds `place`.
Range threadLocalMemory(const void* place);
/// The static variables of the module that holds `place`.
std::vector<Range> writableMemory(const void* place);

/// "kernel.cu:12", the source line of an instruction; without debug information its offset in its module.
std::string describePlace(const void* returnAddress);
/// The name of the function that begins there.
std::string functionAt(const void* address);

} // namespace emulation
