//===- Stream.cpp - streams, events, graphs, errors, device properties
//---------------------------------------===//
#include "Stream.h"
#include <map>

struct CUstream_st {};
struct CUevent_st {};
struct CUgraph_st {
  std::vector<std::function<void()>> operations;
};
struct CUgraphExec_st {
  std::vector<std::function<void()>> operations;
};

namespace emulation {

static std::map<cudaStream_t, CUgraph_st*> captures;
static cudaError_t lastError = cudaSuccess;
constexpr int kMultiprocessors = 2;

void submit(cudaStream_t stream, std::function<void()> operation) {
  auto capture = captures.find(stream);
  if (capture == captures.end())
    operation();
  else
    capture->second->operations.push_back(std::move(operation));
}

cudaError_t remember(cudaError_t error) {
  if (error != cudaSuccess) lastError = error;
  return error;
}

} // namespace emulation
using namespace emulation;

extern "C" {

cudaError_t cudaGetLastError() { return std::exchange(lastError, cudaSuccess); }
cudaError_t cudaPeekAtLastError() { return lastError; }

const char* cudaGetErrorString(cudaError_t error) {
  switch (error) {
  case cudaSuccess: return "no error";
  case cudaErrorInvalidValue: return "invalid argument";
  case cudaErrorMemoryAllocation: return "out of memory";
  case cudaErrorInvalidConfiguration: return "invalid configuration argument";
  case cudaErrorCooperativeLaunchTooLarge: return "too many blocks in cooperative launch";
  default: return "unknown error";
  }
}
const char* cudaGetErrorName(cudaError_t error) { return cudaGetErrorString(error); }

cudaError_t cudaDeviceSynchronize() { return cudaSuccess; }
cudaError_t cudaGetDevice(int* device) { return *device = 0, cudaSuccess; }
cudaError_t cudaSetDevice(int device) { return remember(device == 0 ? cudaSuccess : cudaErrorInvalidValue); }
cudaError_t cudaGetDeviceCount(int* count) { return *count = 1, cudaSuccess; }

cudaError_t cudaDeviceGetAttribute(int* value, cudaDeviceAttr attribute, int) {
  switch (attribute) {
  case cudaDevAttrMaxThreadsPerBlock: *value = 1024; break;
  case cudaDevAttrMultiProcessorCount: *value = kMultiprocessors; break;
  case cudaDevAttrComputeCapabilityMajor: *value = 9; break;
  case cudaDevAttrComputeCapabilityMinor: *value = 0; break;
  case cudaDevAttrCooperativeLaunch: *value = 1; break;
  case cudaDevAttrMaxSharedMemoryPerBlockOptin: *value = int(kMaxSharedBytes); break;
  default: return remember(cudaErrorInvalidValue);
  }
  return cudaSuccess;
}

cudaError_t cudaGetDeviceProperties(cudaDeviceProp* properties, int) {
  *properties = {"emulation", kMultiprocessors, 1024,           32, 9, 0, 1,
                 48 * 1024,   kMaxSharedBytes,  size_t(1) << 34};
  return cudaSuccess;
}

cudaError_t cudaStreamCreate(cudaStream_t* stream) { return *stream = new CUstream_st, cudaSuccess; }
cudaError_t cudaStreamCreateWithFlags(cudaStream_t* stream, unsigned) { return cudaStreamCreate(stream); }
cudaError_t cudaStreamDestroy(cudaStream_t stream) { return delete stream, cudaSuccess; }
cudaError_t cudaStreamSynchronize(cudaStream_t) { return cudaSuccess; }
cudaError_t cudaStreamWaitEvent(cudaStream_t, cudaEvent_t, unsigned) { return cudaSuccess; }
cudaError_t cudaEventCreate(cudaEvent_t* event) { return *event = new CUevent_st, cudaSuccess; }
cudaError_t cudaEventCreateWithFlags(cudaEvent_t* event, unsigned) { return cudaEventCreate(event); }
cudaError_t cudaEventRecord(cudaEvent_t, cudaStream_t) { return cudaSuccess; }
cudaError_t cudaEventSynchronize(cudaEvent_t) { return cudaSuccess; }
cudaError_t cudaEventDestroy(cudaEvent_t event) { return delete event, cudaSuccess; }

cudaError_t cudaStreamBeginCapture(cudaStream_t stream, cudaStreamCaptureMode) {
  if (!stream || captures.count(stream)) return remember(cudaErrorInvalidValue);
  captures[stream] = new CUgraph_st;
  return cudaSuccess;
}
cudaError_t cudaStreamEndCapture(cudaStream_t stream, cudaGraph_t* graph) {
  auto capture = captures.find(stream);
  if (capture == captures.end()) return remember(cudaErrorInvalidValue);
  *graph = capture->second;
  captures.erase(capture);
  return cudaSuccess;
}
cudaError_t cudaStreamIsCapturing(cudaStream_t stream, cudaStreamCaptureStatus* status) {
  *status = captures.count(stream) ? cudaStreamCaptureStatusActive : cudaStreamCaptureStatusNone;
  return cudaSuccess;
}
cudaError_t cudaGraphInstantiate(cudaGraphExec_t* executable, cudaGraph_t graph, unsigned long long) {
  *executable = new CUgraphExec_st{graph->operations};
  return cudaSuccess;
}
cudaError_t cudaGraphLaunch(cudaGraphExec_t executable, cudaStream_t) {
  for (const auto& operation : executable->operations) operation();
  return cudaSuccess;
}
cudaError_t cudaGraphDestroy(cudaGraph_t graph) { return delete graph, cudaSuccess; }
cudaError_t cudaGraphExecDestroy(cudaGraphExec_t executable) { return delete executable, cudaSuccess; }
}
