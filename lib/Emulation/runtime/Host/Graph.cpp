//===- Graph.cpp - capturing streams, and executing what was captured ---------------------------------===//
// A captured graph is the list of what would have been executed, in order; a conditional node is one of these, which
// executes the list of its own graph.
#include "Stream.h"
#include <map>

struct CUevent_st {
  cudaGraph_t graph = nullptr; ///< whose capture it was recorded in
};
struct CUgraph_st {
  std::vector<std::function<void()>> operations;
  std::vector<std::shared_ptr<void>> memory; ///< allocated while it was captured, and what its nodes have
};
/// Of a conditional node: its graph is executed while `value` is set.
struct CUgraphNode_st {
  unsigned start = 0, value = 0;
  CUgraph_st graph;
  cudaGraph_t given = &graph; ///< to whoever adds the node
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
  bool isOfNode = false; ///< its graph is a node's
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
  const bool isOfNode = found->second.isOfNode;
  bool spoilt = false;
  for (auto capture = captures.begin(); capture != captures.end();) {
    bool ours = capture->second.graph == captured;
    spoilt |= ours && capture->second.spoilt;
    capture = ours ? captures.erase(capture) : std::next(capture);
  }
  if (!spoilt) return *graph = captured, cudaSuccess;
  if (!isOfNode) delete captured;
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
cudaError_t cudaGraphCreate(cudaGraph_t* graph, unsigned) { return *graph = new CUgraph_st, cudaSuccess; }
cudaError_t cudaGraphConditionalHandleCreate(cudaGraphConditionalHandle* handle, cudaGraph_t graph,
                                             unsigned start, unsigned flags) {
  if (flags != cudaGraphCondAssignDefault) return remember(cudaErrorInvalidValue);
  auto node = std::make_shared<CUgraphNode_st>();
  node->start = start;
  *handle = reinterpret_cast<cudaGraphConditionalHandle>(node.get());
  graph->memory.push_back(std::move(node));
  return cudaSuccess;
}
cudaError_t cudaGraphAddNode(cudaGraphNode_t* node, cudaGraph_t graph, const cudaGraphNode_t*,
                             const cudaGraphEdgeData*, size_t, cudaGraphNodeParams* params) {
  if (params->type != cudaGraphNodeTypeConditional || params->conditional.type != cudaGraphCondTypeWhile)
    return remember(cudaErrorInvalidValue);
  *node = reinterpret_cast<cudaGraphNode_t>(params->conditional.handle);
  params->conditional.phGraph_out = &(*node)->given;
  graph->operations.push_back([loop = *node] {
    for (loop->value = loop->start; loop->value;)
      for (const auto& operation : loop->graph.operations) operation();
  });
  return cudaSuccess;
}
void cudaGraphSetConditional(cudaGraphConditionalHandle handle, unsigned value) {
  reinterpret_cast<cudaGraphNode_t>(handle)->value = value;
}
cudaError_t cudaStreamBeginCaptureToGraph(cudaStream_t stream, cudaGraph_t graph, const cudaGraphNode_t*,
                                          const cudaGraphEdgeData*, size_t, cudaStreamCaptureMode mode) {
  if (!stream) return remember(cudaErrorStreamCaptureUnsupported);
  if (captures.count(stream)) return remember(cudaErrorIllegalState);
  captures[stream] = {graph, true, mode, false, true};
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
