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

/// "kernel.cu:12 (kernel.py:3)": the source line of an instruction, and the line of the Python file that it
/// comes from, where the module has a map and it or a caller that it is inlined into is in it. Without debug
/// information the offset in the module.
std::string describePlace(const void* returnAddress);
/// The same of the first of the addresses, calls from the inside out, that comes from the Python file.
std::string describeCall(const std::vector<void*>& returnAddresses);
/// The name of the function that begins there.
std::string functionAt(const void* address);

} // namespace emulation
