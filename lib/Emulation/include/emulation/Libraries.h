//===- Libraries.h - what a library's function does in a stream, to copies of its arrays ----------------===//
// The functions are templates, so they are compiled with the .cu file, and their arrays are the device's: those are
// copied for the work, and back.
#pragma once
#include "Api.h"
#include <functional>
#include <vector>

namespace emulation {

struct LibraryArray {
  void* begin;
  size_t bytes;
  bool read, written;
};
/// `work` gets the copies, in their order. Ends the process where an array is not in one device allocation.
cudaError_t callLibrary(const char* function, const std::vector<LibraryArray>& arrays, cudaStream_t stream,
                        std::function<void(char* const* copies)> work);

} // namespace emulation
