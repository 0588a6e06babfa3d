//===- Libraries.cpp - functions of libraries in streams --------------------------------------------------===//
#include "emulation/Libraries.h"
#include "Check.h"
#include "Memory.h"
#include "Stream.h"
#include <cstring>

namespace emulation {

static void requireDevice(const char* function, const LibraryArray& array) {
  if (array.bytes == 0) return;
  const Allocation* found = findAllocation(array.begin);
  if (!found) fail("an array given to %s is not in device memory", function);
  if (static_cast<char*>(array.begin) + array.bytes > found->begin + found->bytes)
    fail("an array given to %s runs past its allocation", function);
}

cudaError_t callLibrary(const char* function, const std::vector<LibraryArray>& arrays, cudaStream_t stream,
                        std::function<void(char* const* copies)> work) {
  for (const LibraryArray& array : arrays) requireDevice(function, array);
  return submit(stream, [arrays, work] {
    std::vector<std::vector<char>> copies;
    std::vector<char*> begins;
    for (const LibraryArray& array : arrays) {
      copies.emplace_back(array.bytes + 1);
      begins.push_back(copies.back().data());
      if (!array.read || array.bytes == 0) continue;
      std::memcpy(begins.back(), array.begin, array.bytes);
      if (kCheck) noteCopy(begins.back(), array.begin, array.bytes);
    }
    work(begins.data());
    for (size_t i = 0; i < arrays.size(); ++i) {
      if (!arrays[i].written || arrays[i].bytes == 0) continue;
      std::memcpy(arrays[i].begin, begins[i], arrays[i].bytes);
      if (kCheck) noteCopy(arrays[i].begin, nullptr, arrays[i].bytes);
    }
  });
}

} // namespace emulation
