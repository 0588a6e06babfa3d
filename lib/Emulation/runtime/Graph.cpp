//===- Graph.cpp - capturing streams, and executing what was captured ---------------------------------===//
// A captured graph is the list of what would have been executed, in order.
#include "Stream.h"
#include <map>

struct CUevent_st {
  cudaGraph_t graph = nullptr; ///< whose capture it was recorded in
};
struct CUgraph_st {
  std::vector<std::function<void()>> operations;
  std::vector<std::shared_ptr<void>> memory; ///< allocated while it was captured
};
struct CUgraphExec_st {
  CUgraph_st graph;
};

namespace emulation {

namespace {
struct Capture {
  cudaGraph_t graph;
  bool origin; ///< where it began; other streams join by waiting for an event of it
  cudaStreamCaptureMode mode;
  bool spoilt = false;
};
std::map<cudaStream_t, Capture> captures;
} // namespace

cudaError_t submit(cudaStream_t stream, std::function<void()> operation) {
  auto capture = captures.find(stream);
  if (capture != captures.end()) {
    capture->second.graph->operations.push_back(std::move(operation));
    return cudaSuccess;
  }
  if (!stream && !captures.empty()) {
    for (auto& [captured, other] : captures) other.spoilt = true;
    return remember(cudaErrorStreamCaptureImplicit);
  }
  operation();
  return cudaSuccess;
}

bool isCapturing(cudaStream_t stream) { return stream ? captures.count(stream) > 0 : !captures.empty(); }

cudaError_t notInCapture(cudaStream_t stream) {
  bool refused = false;
  for (auto& [captured, capture] : captures) {
    if (stream ? captured != stream : capture.mode == cudaStreamCaptureModeRelaxed) continue;
    refused = capture.spoilt = true;
  }
  return remember(refused ? cudaErrorStreamCaptureUnsupported : cudaSuccess);
}

void keepWithGraph(cudaStream_t stream, std::shared_ptr<void> memory) {
  captures.at(stream).graph->memory.push_back(std::move(memory));
}

} // namespace emulation
using namespace emulation;

extern "C" {

cudaError_t cudaEventCreate(cudaEvent_t* event) { return *event = new CUevent_st, cudaSuccess; }
cudaError_t cudaEventCreateWithFlags(cudaEvent_t* event, unsigned) { return cudaEventCreate(event); }
cudaError_t cudaEventDestroy(cudaEvent_t event) { return delete event, cudaSuccess; }
cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t stream) {
  auto capture = captures.find(stream);
  event->graph = capture == captures.end() ? nullptr : capture->second.graph;
  return cudaSuccess;
}
cudaError_t cudaEventSynchronize(cudaEvent_t event) {
  return event->graph ? remember(cudaErrorStreamCaptureUnsupported) : cudaSuccess;
}
cudaError_t cudaEventQuery(cudaEvent_t event) { return cudaEventSynchronize(event); }
cudaError_t cudaEventElapsedTime(float* milliseconds, cudaEvent_t, cudaEvent_t) {
  return *milliseconds = 0, cudaSuccess;
}
cudaError_t cudaStreamWaitEvent(cudaStream_t stream, cudaEvent_t event, unsigned) {
  if (!event->graph || captures.count(stream)) return cudaSuccess;
  for (auto& [captured, capture] : captures) {
    if (capture.graph != event->graph) continue;
    if (!stream) return remember(cudaErrorStreamCaptureImplicit);
    captures[stream] = {capture.graph, false, capture.mode};
    break;
  }
  return cudaSuccess;
}

cudaError_t cudaStreamBeginCapture(cudaStream_t stream, cudaStreamCaptureMode mode) {
  if (!stream) return remember(cudaErrorStreamCaptureUnsupported);
  if (captures.count(stream)) return remember(cudaErrorIllegalState);
  captures[stream] = {new CUgraph_st, true, mode};
  return cudaSuccess;
}
cudaError_t cudaStreamEndCapture(cudaStream_t stream, cudaGraph_t* graph) {
  *graph = nullptr;
  auto found = captures.find(stream);
  if (found == captures.end()) return remember(cudaErrorIllegalState);
  if (!found->second.origin) return remember(cudaErrorStreamCaptureUnmatched);
  cudaGraph_t captured = found->second.graph;
  bool spoilt = false;
  for (auto capture = captures.begin(); capture != captures.end();) {
    bool ours = capture->second.graph == captured;
    spoilt |= ours && capture->second.spoilt;
    capture = ours ? captures.erase(capture) : std::next(capture);
  }
  if (!spoilt) return *graph = captured, cudaSuccess;
  delete captured;
  return remember(cudaErrorStreamCaptureInvalidated);
}
cudaError_t cudaStreamIsCapturing(cudaStream_t stream, cudaStreamCaptureStatus* status) {
  auto capture = captures.find(stream);
  if (capture == captures.end())
    *status = cudaStreamCaptureStatusNone;
  else
    *status = capture->second.spoilt ? cudaStreamCaptureStatusInvalidated : cudaStreamCaptureStatusActive;
  return cudaSuccess;
}
cudaError_t cudaThreadExchangeStreamCaptureMode(cudaStreamCaptureMode* mode) {
  static cudaStreamCaptureMode current = cudaStreamCaptureModeGlobal;
  std::swap(current, *mode);
  return cudaSuccess;
}

cudaError_t cudaGraphInstantiate(cudaGraphExec_t* executable, cudaGraph_t graph, unsigned long long) {
  if (!graph) return remember(cudaErrorInvalidValue);
  *executable = new CUgraphExec_st{*graph};
  return cudaSuccess;
}
cudaError_t cudaGraphUpload(cudaGraphExec_t, cudaStream_t) { return cudaSuccess; }
cudaError_t cudaGraphLaunch(cudaGraphExec_t executable, cudaStream_t stream) {
  return submit(stream, [graph = executable->graph] {
    for (const auto& operation : graph.operations) operation();
  });
}
cudaError_t cudaGraphGetNodes(cudaGraph_t graph, cudaGraphNode_t*, size_t* count) {
  return *count = graph->operations.size(), cudaSuccess;
}
cudaError_t cudaGraphDestroy(cudaGraph_t graph) { return delete graph, cudaSuccess; }
cudaError_t cudaGraphExecDestroy(cudaGraphExec_t executable) { return delete executable, cudaSuccess; }
}
