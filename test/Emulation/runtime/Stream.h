//===- Stream.h - what is executed now, or recorded for a graph
//----------------------------------------------===//
#pragma once
#include "Block.h"
#include <functional>

namespace emulation {

/// Executes the operation, or records it when the stream is being captured.
void submit(cudaStream_t stream, std::function<void()> operation);
/// Makes it what cudaGetLastError returns; returns it.
cudaError_t remember(cudaError_t error);

} // namespace emulation
