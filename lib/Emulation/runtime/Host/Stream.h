//===- Stream.h - what is executed now, or recorded for a graph ---------------------------------------===//
#pragma once
#include "Block.h"
#include <functional>

namespace emulation {

constexpr unsigned kMultiprocessors = 2, kBlocksPerMultiprocessor = 8;

/// Executes the operation, or records it when the stream is being captured. Fails where CUDA would: work on
/// the default stream while another one is captured.
cudaError_t submit(cudaStream_t stream, std::function<void()> operation);
/// Whether the stream is being captured; null asks for any stream.
bool isCapturing(cudaStream_t stream);
/// The host waits, or allocates, which no graph can record: fails, and spoils the capture, when one is going
/// on.
cudaError_t notInCapture(cudaStream_t stream = nullptr);
/// Keeps `memory` as long as the graph that is being captured.
void keepWithGraph(cudaStream_t stream, std::shared_ptr<void> memory);
/// Makes it what cudaGetLastError returns; returns it.
cudaError_t remember(cudaError_t error);

} // namespace emulation
